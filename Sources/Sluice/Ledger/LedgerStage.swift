import Glibc

/// Takes all rows of a feed into the ledger's run, in feed order.
///
/// The normalizer before it must not have been given conditions: a row that does not come is taken
/// for one that left the feed, unless its address was refused. Days to choose by do no harm. The
/// same address with the same days counts once. Throws `SinkFault.write` where the rows cannot be kept.
struct LedgerStage: RecordStage, ~Copyable {
  private var insert: SQLiteStatement
  private var insertRefused: SQLiteStatement
  private let columns: LedgerColumns
  private let arrivals: Arrivals
  private let path: String
  /// What went wrong where nothing can be thrown.
  private var failure: PipelineError?

  init(
    _ insert: consuming SQLiteStatement, refused: consuming SQLiteStatement,
    columns: LedgerColumns, arrivals: Arrivals, path: String
  ) {
    self.insert = insert
    insertRefused = refused
    self.columns = columns
    self.arrivals = arrivals
    self.path = path
  }

  mutating func write(_ record: borrowing Record) throws(PipelineError) {
    if let failure { throw failure }
    // What has no days is no event.
    guard record.hasDays else { return }
    do throws(DatabaseFault) {
      try insert.bind(1, Int(truncatingIfNeeded: record.addressID))
      try insert.bind(2, Int(record.firstDay.number))
      try insert.bind(3, Int(record.lastDay.number))
      try insert.bind(4, columns.digest(record))
      for index in columns.texts.indices {
        try insert.bind(5 + index, record.text(columns.texts[index]))
      }
      try insert.run()
    } catch {
      throw blame(error)
    }
  }

  private func blame(_ fault: DatabaseFault) -> PipelineError {
    var number = EIO
    if case .access(_, let errno) = fault { number = errno }
    return PipelineError(sink: .write(path: path, errno: number))
  }

  mutating func passOver(_ record: borrowing Record) {
    do throws(PipelineError) {
      try write(record)
    } catch {
      failure = error
    }
  }

  mutating func refuse(address: UInt64?) {
    guard let address else { return }
    do throws(DatabaseFault) {
      try insertRefused.bind(1, Int(truncatingIfNeeded: address))
      try insertRefused.run()
    } catch {
      failure = failure ?? blame(error)
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
