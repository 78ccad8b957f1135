import Glibc

/// Reads a time zone from the system's database, which is a folder of files in the format TZif
/// (RFC 9636), versions 1 to 4.
///
/// The C library has no call for a zone by name: `tzset` changes the zone of the whole process. ICU
/// has one, with 30 MB of its own data, which is older than the system's. So the files are read
/// here.
package enum ZoneFile {
  /// The reason that a zone cannot be had.
  package enum Fault: Error, Equatable {
    /// The text is no name of a zone.
    case badName
    /// The database has no such zone.
    case unknown
    /// There is no database.
    case noDatabase
    /// The file cannot be read, or is not in the format.
    case damaged
  }

  /// The folder of the database (tzset(3)).
  static var folder: String { Environment.value("TZDIR") ?? "/usr/share/zoneinfo" }

  /// The largest file. The longest of the database has 4 KB.
  private static let mostBytes = 256 << 10

  /// Whether a text may be the name of a zone: letters, digits, `_`, `+`, `-`, and `/` between its
  /// parts.
  package static func isName(_ text: String) -> Bool {
    guard (1...64).contains(text.utf8.count) else { return false }
    return text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
            UInt8(ascii: "-"):
            true
          default: false
          }
        }
    }
  }

  /// Reads the zone with this name. Throws if the database does not have it.
  package static func zone(named name: String) throws(Fault) -> Zone {
    guard isName(name) else { throw .badName }
    guard let bytes = content(of: "\(folder)/\(name)") else {
      throw access("\(folder)/UTC", F_OK) == 0 ? .unknown : .noDatabase
    }
    guard let zone = Zone(tzif: bytes) else { throw .damaged }
    return zone
  }

  /// Whether the database is there and does not know a name at all. The old names, whose files may
  /// lie in a package of their own, are known.
  package static func lacks(_ name: String) -> Bool {
    guard isName(name) else { return true }
    if access("\(folder)/\(name)", F_OK) == 0 { return false }
    return access("\(folder)/UTC", F_OK) == 0 && !names.contains(name)
  }

  /// The names of all zones, the old ones among them; empty if the database does not tell them.
  package static var names: [String] {
    guard let bytes = content(of: "\(folder)/tzdata.zi") else { return [] }
    // `Z Europe/London …` begins a zone, and `L Europe/London GB` gives it another name.
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard line.starts(with: "Z ".utf8) || line.starts(with: "L ".utf8) else { return nil }
      let words = line.split(separator: UInt8(ascii: " "))
      let place = words[0].elementsEqual("Z".utf8) ? 1 : 2
      return words.count > place ? String(decoding: words[place], as: UTF8.self) : nil
    }
  }

  /// The version of the database, such as `2025b`; nil if it is not told.
  package static var version: String? {
    // The source of the compiled files begins with a comment: `# version 2025b`.
    guard let bytes = content(of: "\(folder)/tzdata.zi", upTo: 64) else { return nil }
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let words = line.split(separator: " ")
    return words.count == 3 && words[1] == "version" ? String(words[2]) : nil
  }

  /// Returns the bytes of a file; nil if it is no regular file, or cannot be read, or is too long.
  private static func content(of path: String, upTo most: Int? = nil) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard most != nil || status.st_size <= off_t(mostBytes) else { return nil }
    var buffer = ByteBuffer(capacity: most ?? max(1, Int(status.st_size)))
    while buffer.count < most ?? Int(status.st_size) {
      guard case .bytes = FileDescriptor.read(descriptor, into: &buffer) else { break }
    }
    return Array(buffer.contents)
  }
}

extension Zone {
  /// Reads the bytes of a file. Nil if they are not in the format.
  ///
  ///     header, data with times of 4 bytes             all that version 1 has
  ///     header, data with times of 8 bytes, "\nTZ\n"   from version 2 on; the first part is skipped
  init?(tzif bytes: [UInt8]) {
    var reader = ZoneReader(bytes: bytes)
    guard let header = reader.header() else { return nil }
    guard header.version > 0 else {
      guard let data = reader.data(header, timeSize: 4) else { return nil }
      self = Zone(first: data.first, changes: data.changes, rule: nil)
      return
    }
    guard reader.skip(header.length(timeSize: 4)), let long = reader.header(),
      let data = reader.data(long, timeSize: 8), let footer = reader.footer()
    else { return nil }
    guard !footer.isEmpty else {
      self = Zone(first: data.first, changes: data.changes, rule: nil)
      return
    }
    guard let rule = ZoneRule(footer) else { return nil }
    self = Zone(first: data.first, changes: data.changes, rule: rule)
  }
}

/// Reads the parts of a zone's file in their order. Numbers are big-endian.
private struct ZoneReader {
  /// The counts of a part (RFC 9636, section 3.1).
  struct Header {
    var version = 0
    var utcIndicators = 0
    var standardIndicators = 0
    var leapSeconds = 0
    var changes = 0
    var types = 0
    var letters = 0

    /// The number of bytes of the data.
    func length(timeSize: Int) -> Int {
      changes * timeSize + changes + types * 6 + letters + leapSeconds * (timeSize + 4)
        + standardIndicators + utcIndicators
    }
  }

  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, count <= bytes.count - index else { return false }
    index += count
    return true
  }

  /// Reads a number of 1, 4 or 8 bytes. The caller has checked that they are there.
  private mutating func number(_ size: Int) -> Int {
    var value: UInt64 = size > 1 && bytes[index] >= 0x80 ? .max : 0
    for byte in bytes[index..<index + size] { value = value << 8 | UInt64(byte) }
    index += size
    return Int(Int64(bitPattern: value))
  }

  mutating func header() -> Header? {
    guard bytes.count - index >= 44, bytes[index..<index + 4].elementsEqual("TZif".utf8) else {
      return nil
    }
    var header = Header()
    // A digit, or NUL in version 1.
    let version = bytes[index + 4]
    header.version = version == 0 ? 0 : Int(version) - Int(UInt8(ascii: "0"))
    index += 20
    header.utcIndicators = number(4)
    header.standardIndicators = number(4)
    header.leapSeconds = number(4)
    header.changes = number(4)
    header.types = number(4)
    header.letters = number(4)
    let counts = [
      header.utcIndicators, header.standardIndicators, header.leapSeconds, header.changes,
      header.types, header.letters,
    ]
    guard header.types > 0, counts.allSatisfy({ 0...65_536 ~= $0 }) else { return nil }
    return header
  }

  mutating func data(_ header: Header, timeSize: Int) -> (first: Int, changes: [Zone.Change])? {
    let end = index + header.length(timeSize: timeSize)
    guard end <= bytes.count else { return nil }
    let times = (0..<header.changes).map { _ in number(timeSize) }
    let types = (0..<header.changes).map { _ in number(1) & 0xFF }
    var places: [(isSummer: Bool, name: Int)] = []
    let offsets = (0..<header.types).map { _ in
      let offset = number(4)
      places.append((number(1) != 0, number(1) & 0xFF))
      return offset
    }
    let letters = bytes[index..<min(index + header.letters, end)]
    guard offsets.allSatisfy({ abs($0) <= Zone.largestOffset }),
      types.allSatisfy({ $0 < offsets.count }),
      zip(times, times.dropFirst()).allSatisfy(<)
    else { return nil }
    index = end
    var changes: [Zone.Change] = []
    for (index, type) in types.enumerated() {
      // Other letters for the same offset are no change of the clocks. The last one begins the time
      // of the rule.
      guard offsets[type] != changes.last?.offset ?? offsets[0] || index == types.count - 1 else {
        continue
      }
      changes.append(
        Zone.Change(
          instant: times[index], offset: offsets[type],
          name: Self.name(in: letters, at: places[type].name), isSummer: places[type].isSummer))
    }
    return (offsets[0], changes)
  }

  /// The letters at a place, up to a NUL.
  private static func name(in letters: ArraySlice<UInt8>, at place: Int) -> String {
    String(decoding: letters.dropFirst(place).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Reads the line after the data.
  mutating func footer() -> [UInt8]? {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\n") else { return nil }
    let rest = bytes[(index + 1)...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return Array(rest[..<end])
  }
}

extension ZoneRule {
  /// Reads a value of `TZ`: `CET-1CEST,M3.5.0,M10.5.0/3`. Nil if it has another form. Hours of a
  /// moment may be -167 to 167 (RFC 9636, section 3.3.1).
  init?(_ text: [UInt8]) {
    var reader = RuleReader(rest: text[...])
    guard let name = reader.name(), let west = reader.time() else { return nil }
    standard = -west
    names.standard = name
    guard !reader.isAtEnd else { return }
    guard let other = reader.name() else { return nil }
    names.other = other
    // Without an offset of its own the other time is an hour ahead.
    var offset = standard + 3600
    if !reader.isNext(",") {
      guard let west = reader.time() else { return nil }
      offset = -west
    }
    guard reader.pass(","), let from = reader.moment(), reader.pass(","),
      let until = reader.moment(), reader.isAtEnd
    else { return nil }
    self.other = (offset, from, until)
  }
}

/// Reads the parts of a rule in their order.
private struct RuleReader {
  var rest: ArraySlice<UInt8>

  var isAtEnd: Bool { rest.isEmpty }

  func isNext(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

  mutating func pass(_ character: Unicode.Scalar) -> Bool {
    guard isNext(character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads a name: letters, or anything in `<` and `>`.
  mutating func name() -> String? {
    if pass("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
      let name = rest[..<end]
      rest = rest[(end + 1)...]
      return String(decoding: name, as: UTF8.self)
    }
    let letters = rest.prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
    rest = rest[letters.endIndex...]
    return letters.count >= 3 ? String(decoding: letters, as: UTF8.self) : nil
  }

  /// Reads `[+-]hh[:mm[:ss]]` as seconds.
  mutating func time() -> Int? {
    let isNegative = isNext("-")
    if !pass("-") { _ = pass("+") }
    guard let hours = number(upTo: 167) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where pass(":") {
      guard let part = number(upTo: 59) else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  mutating func moment() -> ZoneRule.Moment? {
    let day: ZoneRule.Moment.Day
    if pass("M") {
      guard let month = number(upTo: 12), month > 0, pass("."), let week = number(upTo: 5),
        week > 0, pass("."), let weekday = number(upTo: 6)
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    } else if pass("J") {
      guard let number = number(upTo: 365), number > 0 else { return nil }
      day = .dayWithoutLeapDay(number)
    } else {
      guard let number = number(upTo: 365) else { return nil }
      day = .day(number)
    }
    var moment = ZoneRule.Moment(day: day)
    if pass("/") {
      guard let time = time() else { return nil }
      moment.time = time
    }
    return moment
  }

  private mutating func number(upTo most: Int) -> Int? {
    let digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest[digits.endIndex...]
    let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return value <= most ? value : nil
  }
}
