extension Normalizer where Next: ~Copyable {
  /// Hands on the record's rows, and tells whether one of them was wanted.
  mutating func emit(isWanted: Bool) throws(PipelineError) -> Bool {
    var wasKept = false
    if let field = plan.periodField, slots[field].raw.count > 0, !cell.periods.isEmpty {
      let column = plan.readings[field].column
      let dates = UnsafeRawPointer(cell.dates.start)
      for index in 0..<cell.periods.count {
        record.texts[column] = Record.Text(base: dates, start: 20 * index, count: 10)
        record.texts[column + 1] = Record.Text(base: dates, start: 20 * index + 10, count: 10)
        if field == plan.firstDayField {
          record.setDays(cell.periods[index].first, cell.periods[index].last)
        }
        if try emitRow(isWanted: isWanted) { wasKept = true }
      }
    } else {
      wasKept = try emitRow(isWanted: isWanted)
    }
    return wasKept
  }

  /// Hands on one row, and tells whether it lies within the days asked for.
  private mutating func emitRow(isWanted: Bool) throws(PipelineError) -> Bool {
    record.bytes.reserve(16)
    if options.shares != nil { clearShares() }
    guard isWanted else {
      next.passOver(record)
      return false
    }
    if record.hasDays {
      let first = Int(record.firstDay.number)
      let last = Int(record.lastDay.number)
      tally.firstDayRead.set(min(tally.firstDayRead.value, first))
      tally.lastDayRead.set(max(tally.lastDayRead.value, last))
      if let from = options.from, record.lastDay < from {
        next.passOver(record)
        return false
      }
      if let to = options.to, to < record.firstDay {
        next.passOver(record)
        return false
      }
      tally.firstDay.set(min(tally.firstDay.value, first))
      tally.lastDay.set(max(tally.lastDay.value, last))
    } else if options.from != nil || options.to != nil {
      next.passOver(record)
      return false
    }
    if let totals = options.shares { try share(totals) }
    try next.write(record)
    tally.rows.increase()
    return true
  }
}
