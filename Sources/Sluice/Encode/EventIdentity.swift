/// Identifies an event of a calendar. The events of an address are numbered within the year in
/// which they first started, and its series among themselves.
package struct EventIdentity: Equatable {
  /// 0 for a series, which has no year.
  package var year: Int
  /// From 1.
  package var number: Int
  /// The day of a single occurrence of a series, such as 20260131; 0 for any other event.
  var occurrence = 0

  package init(year: Int, number: Int, occurrence: Int = 0) {
    self.year = year
    self.number = number
    self.occurrence = occurrence
  }

  /// Appends the UID (RFC 5545, section 3.8.4.7): `c848c36e7b2fe71a-2020-1@hot-water.sluice`, that
  /// of a series `c848c36e7b2fe71a-r-1@…`, and that of its occurrence
  /// `c848c36e7b2fe71a-r-1-20260131@…`.
  ///
  /// `address` is the address's number as text, `domain` is ``domain(of:)``.
  package func appendUID(
    address: UnsafeRawBufferPointer, domain: String, to buffer: inout ByteBuffer
  ) {
    appendNumbers(address: address, to: &buffer)
    buffer.append(string: domain)
  }

  /// Appends the part of the UID before the domain.
  func appendNumbers(address: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    buffer.append(address)
    buffer.append(UInt8(ascii: "-"))
    if year > 0 { buffer.append(decimal: year) } else { buffer.append("r") }
    buffer.append(UInt8(ascii: "-"))
    buffer.append(decimal: number)
    guard occurrence > 0 else { return }
    buffer.append(UInt8(ascii: "-"))
    buffer.append(decimal: occurrence)
  }

  /// Returns the part after the number in the UIDs of a feed's events.
  package static func domain(of feed: Feed) -> String { "@\(feed.name).sluice" }

  /// Returns the part after the number in the UIDs of a table's event, such as
  /// `-resit@exams.sluice`. Keys of two tables may be equal, and the events of a row have one key.
  static func domain(of feed: Feed, _ table: Table) -> String {
    let tag = table.event?.tag ?? ""
    return (tag.isEmpty ? "" : "-\(tag)")
      + (feed.tables.count == 1 ? domain(of: feed) : "@\(table.name).\(feed.name).sluice")
  }
}

/// The number of changes to an event and the time of the last one.
package struct EventRevision: Equatable {
  /// How often its days or its status changed since it was first published.
  var sequence = 0
  /// When it last changed, in seconds since 1970.
  var stamp: Int
  /// Whether it was published and then cancelled.
  var isCancelled = false

  package init(sequence: Int = 0, stamp: Int, isCancelled: Bool = false) {
    self.sequence = sequence
    self.stamp = stamp
    self.isCancelled = isCancelled
  }
}

extension ByteBuffer {
  /// Appends a number, which must not be negative, in decimal digits.
  mutating func append(decimal value: Int) {
    if UInt(bitPattern: value) < 10 {
      return append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
    }
    var width = 1
    var bound = 10
    while width < 19, value >= bound {
      width += 1
      bound = bound &* 10
    }
    let first = end(withRoom: width)
    var rest = UInt(value)
    for index in (0..<width).reversed() {
      first[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    commit(width)
  }
}

/// The start and end of an event, in seconds since 1970.
struct EventInstants: Equatable {
  let start: Int
  /// Nil if the feed has no end, or one that is not after the start.
  let end: Int?

  /// Reads them from a row's columns. The column of the start must not be empty.
  init(_ record: borrowing Record, start: Int, end: Int?) {
    self.start = InstantText.seconds(record.text(start))
    guard let end, record.text(end).count > 0 else {
      self.end = nil
      return
    }
    let seconds = InstantText.seconds(record.text(end))
    self.end = seconds > self.start ? seconds : nil
  }

  /// Both as one number, never 0: 39 bits for the start, in the years 1 to 9999, and 25 for the
  /// duration, at most a year.
  var packed: UInt64 {
    let first = UInt64(clamping: start + 62_135_683_200)
    let length = UInt64(clamping: min((end ?? start) - start, 1 << 25 - 1))
    return first << 25 | length
  }

  /// Appends DTSTART and, unless the end is nil, DTEND, in UTC (RFC 5545, section 3.3.5).
  func appendLines(to buffer: inout ByteBuffer) {
    buffer.append(string: "DTSTART:\(CalendarTime.utc(start))\r\n")
    if let end { buffer.append(string: "DTEND:\(CalendarTime.utc(end))\r\n") }
  }
}
