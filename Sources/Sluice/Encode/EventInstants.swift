/// The points in time between which an event takes place, in seconds since 1970.
struct EventInstants: Equatable {
  let start: Int
  /// Nil where the feed does not tell an end, or tells none that is later.
  let end: Int?

  /// Reads them from a row's columns; that of the start is not empty.
  init(_ record: borrowing Record, start: Int, end: Int?) {
    self.start = InstantText.seconds(record.text(start))
    guard let end, record.text(end).count > 0 else {
      self.end = nil
      return
    }
    let seconds = InstantText.seconds(record.text(end))
    self.end = seconds > self.start ? seconds : nil
  }

  /// Both as one number, not 0: 39 bits for the start, of the years 1 to 9999, and 25 for how long
  /// it lasts, a year at most.
  var packed: UInt64 {
    let first = UInt64(clamping: start + 62_135_683_200)
    let length = UInt64(clamping: min((end ?? start) - start, 1 << 25 - 1))
    return first << 25 | length
  }

  /// Appends DTSTART and, where there is one, DTEND, in UTC (RFC 5545, section 3.3.5).
  func appendLines(to buffer: inout ByteBuffer) {
    buffer.append(string: "DTSTART:\(CalendarTime.utc(start))\r\n")
    if let end { buffer.append(string: "DTEND:\(CalendarTime.utc(end))\r\n") }
  }
}
