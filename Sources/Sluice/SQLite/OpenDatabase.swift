/// Holds a database that is being written until it is complete, and the file that it becomes.
final class OpenDatabase {
  private(set) var tables: OutputDatabase?
  /// The database of a merge, once it is complete.
  private(set) var merged: Statistics.Written?
  private let file: ForeignOutput?

  init(_ tables: OutputDatabase, file: ForeignOutput?) {
    self.tables = tables
    self.file = file
  }

  /// Completes it; a new file is closed too.
  func finish() throws(PipelineError) {
    try tables?.finish()
    guard let file else {
      merged = try tables?.written()
      return
    }
    tables = nil
    try file.finish()
  }

  /// Ends a merge.
  func commit() throws(PipelineError) { try tables?.commit() }
}
