/// Writes the lines of ``EventDetails``: CATEGORIES, GEO and URL, and says the status of an event.
final class EventDetailLines {
  private let url: DetailText?
  private let status: EventStatusRule?
  private let statusColumn: Int
  private let category: String?
  private let categories: [DetailText]
  private let place: (latitude: Int, longitude: Int)?

  /// Prepares the details of a table's events; nil if there are none.
  init?(_ event: Event, columns: [Column], _ language: Language) {
    let details = event.details
    guard !details.isEmpty else { return nil }
    func index(_ name: String) -> Int { columns.firstIndex { $0.name == name } ?? 0 }
    url = details.url.map { DetailText($0[language], columns: columns) }
    status = details.status
    statusColumn = details.status.map { index($0.column) } ?? 0
    category = event.category?[language]
    categories = details.categories.map { DetailText($0[language], columns: columns) }
    place = details.geo.map { (index($0.latitude), index($0.longitude)) }
  }

  /// Whether each event has a status of its own.
  var hasStatus: Bool { status != nil }

  /// Returns the status of a row's event.
  func status(of record: borrowing Record) -> EventStatus {
    status?.status(of: String(decoding: record.text(statusColumn), as: UTF8.self)) ?? .confirmed
  }

  /// Writes the lines of a row's event. `days` is the text of its days. Throws if the output fails.
  func write<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, days: UnsafeRawBufferPointer, to lines: inout ContentLine<Output>
  ) throws(PipelineError) {
    try writeCategories(record, days, to: &lines)
    if let place = geo(record) { try lines.line("GEO:\(place)") }
    if let text = try url?.text(of: record, days: days), let address = WebAddress.tidy(text) {
      try lines.line("URL:\(address)")
    }
  }

  private func writeCategories<Output: ByteStage & ~Copyable>(
    _ record: borrowing Record, _ days: UnsafeRawBufferPointer,
    to lines: inout ContentLine<Output>
  ) throws(PipelineError) {
    var all = [category.map { Array($0.utf8) } ?? []]
    for text in categories { all.append(try text.text(of: record, days: days)) }
    var isFirst = true
    for text in all where !text.isEmpty {
      lines.append(isFirst ? "CATEGORIES:" : ",")
      isFirst = false
      try text.span.bytes.withUnsafeBytes { (text) throws(PipelineError) in
        try lines.appendText(text)
      }
    }
    if !isFirst { try lines.end() }
  }

  /// Returns the place of a row (RFC 5545, section 3.8.1.6), with six decimals; nil if it is none
  /// on the earth.
  private func geo(_ record: borrowing Record) -> String? {
    guard let place, let latitude = degrees(record.text(place.latitude), most: 90),
      let longitude = degrees(record.text(place.longitude), most: 180)
    else { return nil }
    return "\(latitude);\(longitude)"
  }

  private func degrees(_ text: UnsafeRawBufferPointer, most: Int) -> String? {
    guard text.count > 0, let number = try? SignedDecimal(text) else { return nil }
    let millionths = number.times(1_000_000)
    guard abs(millionths) <= most * 1_000_000 else { return nil }
    // Just beyond the limit is not cut off.
    guard abs(millionths) < most * 1_000_000 || number.rounded(to: 6) == number else { return nil }
    var bytes: [UInt8] = []
    number.rounded(to: 6).append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A template as plain text, without the folds and escapes of a line.
private final class DetailText {
  private let template: TemplateText
  private let box: ByteKeeper.Box
  private var line: ContentLine<ByteKeeper>

  init(_ template: Template, columns: [Column]) {
    self.template = TemplateText(":", template, columns: columns)
    let box = ByteKeeper.Box()
    self.box = box
    line = ContentLine(into: ByteKeeper(box))
  }

  /// Returns the text of a row without the white space around it.
  func text(
    of record: borrowing Record, days: UnsafeRawBufferPointer
  ) throws(PipelineError) -> [UInt8] {
    box.bytes.removeAll(keepingCapacity: true)
    try template.write(record, days: days, to: &line)
    try line.out.handOn()
    var text: [UInt8] = []
    var index = 1
    let bytes = box.bytes
    while index < bytes.count - 2 {
      switch bytes[index] {
      case UInt8(ascii: "\\"):
        let next = bytes[index + 1]
        text.append(next == UInt8(ascii: "n") ? 0x0A : next)
        index += 2
      case 0x0D: index += 3
      case let byte:
        text.append(byte)
        index += 1
      }
    }
    let isSpace = { (byte: UInt8) in byte <= 0x20 }
    let end = text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
    return Array(text[..<end].drop(while: isSpace))
  }
}

/// The addresses that an event may have.
enum WebAddress {
  /// Returns an address as RFC 3986 has it: what may not stand in one is percent-encoded. Nil if it
  /// is no `http` or `https` URL with a host.
  static func tidy(_ text: [UInt8]) -> String? {
    let start = String(decoding: text.prefix(8), as: UTF8.self).lowercased()
    guard let length = ["https://", "http://"].first(where: start.hasPrefix)?.utf8.count,
      let first = text.dropFirst(length).first, !"/?#".utf8.contains(first), first > 0x20
    else { return nil }
    var isEscape = 0
    var rest = text[...]
    var address = ""
    while let byte = rest.first {
      // An escape stays one. A lone percent sign is data.
      if PercentEncoding.byte(at: rest) != nil { isEscape = 3 }
      let isKept = isEscape > 0 || (byte != UInt8(ascii: "%") && isAllowed(byte))
      address += PercentEncoding.encode(CollectionOfOne(byte), keeping: { _ in isKept })
      isEscape = max(0, isEscape - 1)
      rest = rest.dropFirst()
    }
    return address
  }

  /// Unreserved and reserved characters (RFC 3986, sections 2.2 and 2.3).
  private static func isAllowed(_ byte: UInt8) -> Bool {
    (0x21..<0x7F).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
  }
}
