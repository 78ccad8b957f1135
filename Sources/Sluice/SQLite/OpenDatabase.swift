/// Holds a database that is being written until it is complete, and the file that it becomes.
final class OpenDatabase {
  private(set) var tables: OutputDatabase?
  private let file: ForeignOutput?

  init(_ tables: OutputDatabase, file: ForeignOutput?) {
    self.tables = tables
    self.file = file
  }

  /// Completes it; a new file is closed too.
  func finish() throws(PipelineError) {
    try tables?.finish()
    guard let file else { return }
    tables = nil
    try file.finish()
  }

  /// Ends a merge.
  func commit() throws(PipelineError) { try tables?.commit() }
}
