import Glibc

/// Writes the tables of a feed into one SQLite file: a new one, or with what a user has added to an
/// old one.
///
///     begin ─▶ tables are added, rows written ─▶ finish() ─▶ a new file is published with the others
///                                                        ╰▶ a merge: commit() once those are
///
/// A new file is written without a journal, beside its target: it is complete or it never was. A
/// merge is one transaction; what is not committed is rolled back.
final class OutputDatabase {
  private let database: SQLiteDatabase
  let isMerge: Bool
  private let views: [View]
  private var schemas: [TableSchema] = []
  /// The tables of which all rows are known to have come: what did not is gone.
  private var whole: Set<String> = []

  /// Opens the file at `path`, which is `shown` in errors, and begins.
  init(path: String, as shown: String, views: [View], isMerge: Bool) throws(PipelineError) {
    self.isMerge = isMerge
    self.views = views
    do throws(DatabaseFault) {
      database = try SQLiteDatabase(path: path, as: shown)
      // References are checked at the end, when all rows are there. Deletions have to cascade.
      try database.run(
        isMerge
          ? "PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON"
          : """
          PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA cache_size = -4000; PRAGMA foreign_keys = OFF; BEGIN EXCLUSIVE
          """)
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }

  /// Makes a table, where it is not there yet.
  func add(_ schema: TableSchema) throws(PipelineError) {
    schemas.append(schema)
    do throws(DatabaseFault) {
      try database.run(schema.create)
      guard isMerge else { return }
      try database.run(schema.addColumns(except: try columns(of: schema)))
      try database.run(schema.createSeen)
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }

  /// Prepares what writes a row of a table.
  func insert(_ schema: TableSchema) throws(PipelineError) -> SQLiteStatement {
    do {
      return try database.prepare(schema.insert(isMerge: isMerge))
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }

  /// Prepares what takes note of a row's key, where somebody wants to know.
  func insertSeen(_ schema: TableSchema) throws(PipelineError) -> SQLiteStatement? {
    guard isMerge else { return nil }
    do {
      return try database.prepare(schema.insertSeen)
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }

  private func columns(of schema: TableSchema) throws(DatabaseFault) -> Set<String> {
    var rows = try database.prepare("PRAGMA table_info(\(schema.name))")
    var names: Set<String> = []
    while try rows.step() { names.insert(String(decoding: rows.text(1), as: UTF8.self)) }
    return names
  }

  /// Says that all rows of a table have come.
  func setWhole(_ schema: TableSchema) { whole.insert(schema.table.name) }

  /// Completes the tables. Throws ``FeedFault/noSuchRow(table:column:value:parent:)`` where a row
  /// names one that is not there.
  func finish() throws(PipelineError) {
    let fault: FeedFault?
    do throws(DatabaseFault) {
      fault = try danglingReference()
      if fault == nil {
        if isMerge {
          for schema in schemas where whole.contains(schema.table.name) {
            try database.run(schema.deleteUnseen)
          }
        }
        for view in views { try database.run(view.create) }
        if !isMerge { try database.run("COMMIT") }
      }
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
    if let fault { throw PipelineError(.normalize(fault)) }
  }

  /// The first row that names one which is not there, or is about to go.
  private func danglingReference() throws(DatabaseFault) -> FeedFault? {
    for schema in schemas {
      for reference in schema.table.references {
        guard let parent = schemas.first(where: { $0.table.name == reference.table }) else {
          continue
        }
        let isLeaving = isMerge && whole.contains(reference.table)
        var rows = try database.prepare(
          schema.dangling(reference, from: isLeaving ? parent.seen : parent.name, isMerge: isMerge))
        guard try rows.step() else { continue }
        return .noSuchRow(
          table: schema.table.name, column: reference.column,
          value: String(decoding: rows.text(0), as: UTF8.self), parent: reference.table)
      }
    }
    return nil
  }

  /// The file and its size, as it is once what was written is committed.
  func written() throws(PipelineError) -> Statistics.Written {
    do {
      return Statistics.Written(
        path: database.path,
        bytes: try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size"))
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }

  /// Ends a merge.
  func commit() throws(PipelineError) {
    guard isMerge else { return }
    do throws(DatabaseFault) {
      try database.run("COMMIT")
    } catch {
      throw PipelineError(sink: .database(error, isMerge: isMerge))
    }
  }
}
