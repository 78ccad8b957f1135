/// Rows of whole records that need no closer look.
///
///     simple        addSimple: the values are put into the columns, and nothing else is needed
///     any other     beginPlain ─▶ makePlain ─▶ addPlain, or dropPlain if it is left out
extension RowBuilder {
  /// Adds the row of a whole record to the ``series``, which must have room, if it is a simple one.
  /// Returns false if it needs a closer look.
  @inline(__always)
  mutating func addSimple(_ whole: WholeRecord) -> Bool {
    beginSeriesRow()
    guard put(whole, 0..<plainRows.columns.count) else {
      failPlain()
      return false
    }
    offset = whole.offset
    putAround()
    series.append(withDaysOf: record)
    return true
  }

  /// Begins the row of a whole record, the next one of the ``series``, which must have room: makes
  /// the columns whose texts say whether it is wanted, and shows them in the record. Returns false
  /// if it needs a closer look.
  @inline(__always)
  mutating func beginPlain(_ whole: WholeRecord, _ picks: inout WholePicks) -> Bool {
    let values = whole.values
    // A list without any of its values may be empty.
    if plan.shape.isArray, values[plainRows.columns.address[0].value].times == 0 { return false }
    for index in plainRows.listPlaces.indices
    where values[plainRows.listPlaces[index]].kind != .null { return false }
    plainRows.rowStart = record.bytes.count
    beginSeriesRow()
    guard plainRows.choosing > 0 else { return true }
    guard putPlain(whole, 0..<plainRows.choosing, &picks) else { return false }
    for number in 0..<plainRows.choosing {
      let column = plainRows.columns.address + number
      record.texts.address[column.pointee.index] = series.nextTexts[column.pointee.place]
    }
    return true
  }

  /// Makes the other columns of the row. Returns false if it needs a closer look.
  @inline(__always)
  mutating func makePlain(_ whole: WholeRecord, _ picks: inout WholePicks) -> Bool {
    let rest = plainRows.choosing..<plainRows.columns.count
    guard putPlain(whole, rest, &picks) else { return false }
    offset = whole.offset
    return true
  }

  /// Sets these columns in the next row of the series. Returns false if it needs a closer look.
  @inline(__always)
  private mutating func putPlain(
    _ whole: WholeRecord, _ columns: Range<Int>, _ picks: inout WholePicks
  ) -> Bool {
    let unpicked = min(plainRows.unpicked, columns.upperBound)
    if columns.lowerBound < unpicked, !put(whole, columns.lowerBound..<unpicked) {
      failPlain()
      return false
    }
    guard columns.upperBound > unpicked, !columns.isEmpty else { return true }
    // They are all among these columns, or none is.
    if picks.put(whole, into: &self, from: unpicked), putMadeTexts(whole, from: plainRows.unmade),
      !plainRows.showKeys || put(memberKey, plainRows.columns.count &- 1)
    {
      return true
    }
    failPlain()
    return false
  }

  /// Drops the row of a whole record that needs a closer look.
  private mutating func failPlain() {
    if series.count == 0, !plainRows.isSkipped { plainRows.note(0) }
    dropSeriesRow()
  }

  /// Returns whether the row of a whole record was dropped because its period says to skip it.
  mutating func endSkippedPlain() -> Bool {
    guard plainRows.isSkipped else { return false }
    plainRows.isSkipped = false
    plainRows.dropped += 1
    return true
  }

  /// Drops the row, which is not wanted, and what was made for it.
  mutating func dropPlain() {
    record.bytes.truncate(to: plainRows.rowStart)
    plainRows.dropped += 1
  }

  /// Adds the row of a whole record to the ``series``. `before` is the number of records that were
  /// counted: those of the series are not yet.
  @inline(__always)
  mutating func addPlain(_ whole: WholeRecord, before: Int) {
    if plainRows.key.isChecked {
      plainRows.key.keep(whole, number: before &+ series.count &+ 1, at: series.count)
    }
    endSeriesRow()
  }
}
