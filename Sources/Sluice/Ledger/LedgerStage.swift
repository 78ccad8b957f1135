import Glibc

/// Takes all rows of a feed into the ledger's run, in feed order.
///
/// The normalizer before it must not have been given conditions: a row that does not come is taken
/// for one that left the feed. Days to choose by do no harm. The same address with the same days
/// counts once. Throws `SinkFault.write` where the rows cannot be kept.
struct LedgerStage: RecordStage, ~Copyable {
  private var insert: SQLiteStatement
  private let columns: LedgerColumns
  private let arrivals: Arrivals
  private let path: String
  /// What went wrong where nothing can be thrown.
  private var failure: PipelineError?

  init(
    _ insert: consuming SQLiteStatement, columns: LedgerColumns, arrivals: Arrivals, path: String
  ) {
    self.insert = insert
    self.columns = columns
    self.arrivals = arrivals
    self.path = path
  }

  mutating func write(_ record: borrowing Record) throws(PipelineError) {
    if let failure { throw failure }
    // What has no days is no event.
    guard record.hasDays else { return }
    do throws(LedgerFault) {
      try insert.bind(1, Int(truncatingIfNeeded: record.addressID))
      try insert.bind(2, Int(record.firstDay.number))
      try insert.bind(3, Int(record.lastDay.number))
      try insert.bind(4, columns.digest(record))
      for index in columns.texts.indices {
        try insert.bind(5 + index, record.text(columns.texts[index]))
      }
      try insert.run()
    } catch {
      var number = EIO
      if case .access(_, let errno) = error { number = errno }
      throw PipelineError(sink: .write(path: path, errno: number))
    }
  }

  mutating func passOver(_ record: borrowing Record) {
    do throws(PipelineError) {
      try write(record)
    } catch {
      failure = error
    }
  }

  consuming func finish() throws(PipelineError) {
    if let failure { throw failure }
    arrivals.areComplete = true
  }
}

/// Says whether all rows of a run have come.
final class Arrivals {
  var areComplete = false
}
