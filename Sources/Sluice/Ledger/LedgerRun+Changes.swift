extension LedgerRun {
  /// Writes what people are to be told of tonight, one JSON object a line, in order of the UIDs,
  /// behind what a run that was cut off may not have told; filters do not apply. Finishes `output`,
  /// as an encoder does.
  ///
  ///     {"change":"moved","uid":…,"address_id":…,"locality":…,…,
  ///      "old_start_date":…,"old_end_date":…,"start_date":…,"end_date":…}
  ///
  /// The old days are those that were published before, the new ones those that are now: what is new
  /// or restored has no old days, what is cancelled has no new ones.
  func writeChanges<Output: ByteStage & ~Copyable>(into output: consuming Output)
    throws(DatabaseFault)
  {
    let layout = ChangeLayout(feed, columns)
    var encoder = NDJSONEncoder(columns: layout.names, kinds: layout.kinds, into: output)
    try write(database.prepare("SELECT \(kept) FROM untold ORDER BY rowid"), layout, to: &encoder)
    try write(database.prepare(tonight), layout, to: &encoder)
    do throws(PipelineError) {
      try encoder.finish()
    } catch {
      throw .output(error)
    }
  }

  /// Keeps what people are to be told of tonight for the next list of changes.
  func keepChanges() throws(DatabaseFault) {
    try database.run("INSERT INTO untold(\(kept)) \(tonight)")
  }

  /// How many changes wait to be told.
  func untold() throws(DatabaseFault) -> LedgerChanges {
    var rows = try database.prepare("SELECT kind, count(*) FROM untold GROUP BY kind")
    var changes = LedgerChanges()
    while try rows.step() {
      if let kind = ChangeKind(rawValue: rows.integer(0)) { changes.count(kind, rows.integer(1)) }
    }
    return changes
  }

  private var kept: String {
    "address, old_first, old_last, first, last, kind, year, number\(columns.list())"
  }

  private var tonight: String {
    """
    SELECT c.address, c.old_first, c.old_last, c.first, c.last, c.kind, c.year,
      c.number\(columns.list(of: "e"))
    FROM temp.change c CROSS JOIN event e
    ON e.address = c.address AND e.first = coalesce(c.first, c.old_first)
      AND e.last = coalesce(c.last, c.old_last)
    WHERE c.kind <= \(ChangeKind.restored.rawValue)
    ORDER BY c.address < 0, c.address, c.year, c.number
    """
  }

  private func write<Output: ByteStage & ~Copyable>(
    _ changes: consuming SQLiteStatement, _ layout: ChangeLayout,
    to encoder: inout NDJSONEncoder<Output>
  ) throws(DatabaseFault) {
    var rows = changes
    var record = Record(columns: layout.names.count)
    while try rows.step() {
      guard let kind = ChangeKind(rawValue: rows.integer(5)), let word = kind.word else { continue }
      layout.read(rows, kind, word, into: &record)
      do throws(PipelineError) {
        try encoder.write(record)
      } catch {
        throw .output(error)
      }
    }
  }
}
