import Glibc
import Sluice

/// An event of a calendar that stands in an output, as far as a ledger has to know it.
struct PublishedEvent: Equatable {
  /// The number of its address.
  var address: UInt64
  var identity: EventIdentity
  /// Its days. The last one is included.
  var days: Period
  var sequence = 0
  /// When it last changed, in seconds since 1970.
  var stamp = 0
  var isCancelled = false

  /// Its UID in a calendar of the feed.
  func uid(of feed: Feed) -> String {
    let digits = String(address, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
      + "-\(identity.year)-\(identity.number)\(EventIdentity.domain(of: feed))"
  }
}

/// Reads the events of a feed from a calendar that an earlier run wrote (RFC 5545).
///
/// Reads what the program writes, and nothing else: an event of another shape or with a value that
/// no run writes is skipped. So are lines of no interest, of which most of a calendar consists.
/// Memory is bounded by one line, of which the first 256 bytes are kept.
struct PublishedCalendar: ~Copyable {
  /// Who wrote a file.
  enum Author {
    /// There is no file, or it is empty, or it is a device or FIFO.
    case nobody
    /// An earlier run of this feed.
    case feed
    /// Somebody else: another feed, another program.
    case other
  }

  /// The longest line of interest is a UID. A feed's name has at most 64 bytes.
  private static let mostBytes = 256
  /// Numbers above this are written by no run, and could not be counted on.
  private static let largest = 1 << 30

  private let product: [UInt8]
  private let domain: [UInt8]
  private var line: [UInt8] = []
  /// Whether the line that goes on is of no interest.
  private var isSkipping = false
  private var isAtEnd = false
  private var isFirstLine = true
  private var author = Author.nobody
  /// The number of components that are open: 1 in the calendar, 2 in an event, 3 in an alarm.
  private var depth = 0
  private var isEvent = false
  private var event = Draft()

  /// The values of an event so far.
  private struct Draft {
    var uid: (address: UInt64, identity: EventIdentity)?
    var first: Day?
    /// The day after the last one.
    var end: Day?
    var sequence: Int? = 0
    var stamp = 0
    var isCancelled = false
  }

  private init(_ feed: Feed) {
    product = Array("-//sluice//\(feed.name)//".utf8)
    domain = Array(EventIdentity.domain(of: feed).utf8)
  }

  /// Reads a file and calls `body` with each event of the feed. Returns who wrote the file.
  ///
  /// Throws ``SinkFault/create(path:errno:)`` if the file cannot be read, and the errors of `body`.
  static func read(
    _ path: String, of feed: Feed, _ body: (PublishedEvent) throws(PipelineError) -> Void
  ) throws(PipelineError) -> Author {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else {
      if errno == ENOENT { return .nobody }
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    let descriptor = InputDescriptor(owning: number)
    guard FileStatus(descriptor: descriptor.number)?.isRegular == true else { return .nobody }
    var reader = PublishedCalendar(feed)
    var piece = ByteBuffer(capacity: 64 << 10)
    while reader.author != .other {
      piece.removeAll()
      switch descriptor.read(into: &piece) {
      case .bytes: try reader.take(piece.contents, body)
      case .end:
        try reader.endLine(body)
        return reader.author
      case .failed(let error): throw PipelineError(sink: .create(path: path, errno: error))
      }
    }
    return reader.author
  }

  /// Reads the next bytes. A line that begins with a blank continues the one before.
  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ body: (PublishedEvent) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    var rest = bytes[...]
    while let first = rest.first, author != .other {
      if isAtEnd {
        isAtEnd = false
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
          rest.removeFirst()
        } else {
          try endLine(body)
          isSkipping = !isFirstLine && !Self.isOfInterest(rest)
        }
      }
      let end = Self.lineFeed(in: rest)
      if !isSkipping {
        line += rest[..<(end ?? rest.endIndex)].prefix(max(0, Self.mostBytes - line.count))
      }
      guard let end else { return }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      isAtEnd = true
      rest = rest[(end + 1)...]
    }
  }

  /// Returns the index of the first line feed.
  private static func lineFeed(in bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
    let whole = UnsafeRawBufferPointer(rebasing: bytes)
    guard let start = whole.baseAddress, let end = memchr(start, 0x0A, whole.count) else {
      return nil
    }
    return bytes.startIndex + (UnsafeRawPointer(end) - start)
  }

  /// Whether a line may have one of the names that are read. Two letters tell. A line that is
  /// folded between them, or of which a piece has only the first, is read.
  private static func isOfInterest(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard line.count >= 2 else { return true }
    return switch (line[line.startIndex], line[line.startIndex + 1]) {
    case (UInt8(ascii: "B"), UInt8(ascii: "E")), (UInt8(ascii: "E"), UInt8(ascii: "N")),
      (UInt8(ascii: "P"), UInt8(ascii: "R")), (UInt8(ascii: "U"), UInt8(ascii: "I")),
      (UInt8(ascii: "S"), UInt8(ascii: "E")), (UInt8(ascii: "S"), UInt8(ascii: "T")),
      (UInt8(ascii: "D"), UInt8(ascii: "T")), (UInt8(ascii: "L"), UInt8(ascii: "A")),
      (_, UInt8(ascii: "\r")), (_, UInt8(ascii: "\n")):
      true
    default: false
    }
  }

  /// Reads the line that has ended.
  private mutating func endLine(
    _ body: (PublishedEvent) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    defer { line.removeAll(keepingCapacity: true) }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      if !line.isEmpty, isFirstLine { author = .other }
      return
    }
    let name = line[..<colon].prefix { $0 != UInt8(ascii: ";") }
    let value = line[(colon + 1)...]
    if isFirstLine {
      isFirstLine = false
      depth = 1
      author = name == Names.begin[...] && value == Names.calendar[...] ? .nobody : .other
    } else if name == Names.begin[...] {
      // The calendar's own lines come first, so its author is known by now.
      if author == .nobody { author = .other }
      depth += 1
      isEvent = depth == 2 ? value == Names.event[...] : isEvent
      if depth == 2 { event = Draft() }
    } else if name == Names.end[...] {
      if author == .nobody { author = .other }
      if depth == 2, isEvent, let event = finished() { try body(event) }
      depth -= 1
    } else if depth == 1, name == Names.product[...], author == .nobody {
      author = value.starts(with: product) ? .feed : .other
    } else if depth == 2, isEvent {
      readProperty(name, value)
    }
  }

  /// The names and values that are looked for, as bytes.
  private enum Names {
    static let begin = Array("BEGIN".utf8)
    static let calendar = Array("VCALENDAR".utf8)
    static let event = Array("VEVENT".utf8)
    static let end = Array("END".utf8)
    static let product = Array("PRODID".utf8)
    static let uid = Array("UID".utf8)
    static let sequence = Array("SEQUENCE".utf8)
    static let status = Array("STATUS".utf8)
    static let cancelled = Array("CANCELLED".utf8)
    static let start = Array("DTSTART".utf8)
    static let endDay = Array("DTEND".utf8)
    static let modified = Array("LAST-MODIFIED".utf8)
  }

  private mutating func readProperty(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    switch name.first {
    case UInt8(ascii: "U") where name == Names.uid[...]: event.uid = uid(value)
    case UInt8(ascii: "S") where name == Names.sequence[...]: event.sequence = Self.number(value)
    case UInt8(ascii: "S") where name == Names.status[...]:
      event.isCancelled = value == Names.cancelled[...]
    case UInt8(ascii: "D") where name == Names.start[...]: event.first = Self.day(value)
    case UInt8(ascii: "D") where name == Names.endDay[...]: event.end = Self.day(value)
    case UInt8(ascii: "L") where name == Names.modified[...]:
      event.stamp = Self.stamp(value) ?? 0
    default: break
    }
  }

  /// The event whose lines have been read, or nil if it is not one that a run writes.
  private func finished() -> PublishedEvent? {
    guard let uid = event.uid, let first = event.first, let sequence = event.sequence else {
      return nil
    }
    let last = event.end.map { Day(number: $0.number - 1) } ?? first
    guard last >= first else { return nil }
    return PublishedEvent(
      address: uid.address, identity: uid.identity, days: Period(first: first, last: last),
      sequence: sequence, stamp: event.stamp, isCancelled: event.isCancelled)
  }

  /// Reads `c848c36e7b2fe71a-2020-1@hot-water.sluice`.
  private func uid(
    _ value: ArraySlice<UInt8>
  ) -> (address: UInt64, identity: EventIdentity)? {
    // Sixteen digits, a hyphen, at least one digit, a hyphen, at least one digit, the domain.
    guard value.count >= 20 + domain.count, value.suffix(domain.count) == domain[...] else {
      return nil
    }
    let digits = value.prefix(16)
    let numbers = value.dropLast(domain.count).dropFirst(16)
    guard let address = Self.address(digits), numbers.first == UInt8(ascii: "-"),
      let hyphen = numbers.dropFirst().firstIndex(of: UInt8(ascii: "-")),
      let year = Self.number(numbers[..<hyphen].dropFirst()), (1...9999).contains(year),
      let number = Self.number(numbers[(hyphen + 1)...]), number >= 1
    else { return nil }
    return (address, EventIdentity(year: year, number: number))
  }

  /// Reads hexadecimal digits in lower case.
  private static func address(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var address: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        address = address << 4 | UInt64(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"):
        address = address << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    return address
  }

  /// Reads digits, or returns nil if there are other bytes or the number is too large.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...10).contains(digits.count) else { return nil }
    var number = 0
    for digit in digits {
      guard digit &- UInt8(ascii: "0") < 10 else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number <= largest ? number : nil
  }

  /// Reads `20200622`.
  private static func day(_ value: ArraySlice<UInt8>) -> Day? {
    guard value.count == 8, let number = number(value) else { return nil }
    return Day(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }

  /// Reads `20200625T181310Z`, as seconds since 1970.
  private static func stamp(_ value: ArraySlice<UInt8>) -> Int? {
    let parts = value.split(separator: UInt8(ascii: "T"), omittingEmptySubsequences: false)
    guard parts.count == 2, let day = day(parts[0]), parts[1].count == 7,
      parts[1].last == UInt8(ascii: "Z"), let time = number(parts[1].dropLast())
    else { return nil }
    let (hour, minute, second) = (time / 10_000, time / 100 % 100, time % 100)
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return Int(day.number) * 86_400 + hour * 3600 + minute * 60 + second
  }
}
