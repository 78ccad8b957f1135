/// Writes statistics as one JSON object on one line.
enum StatisticsEncoder {
  private static let largeCalendar =
    "above 1000 events or 1 MB, which Google Calendar refuses; choose a part with --where"

  /// The object, with a line feed.
  static func encode(_ statistics: Statistics) -> ByteBuffer {
    var json = JSONObject()
    json.add("read", statistics.read)
    json.add("kept", statistics.kept)
    json.add("filtered", statistics.filtered)
    json.add("skipped", statistics.skipped)
    json.add("rejected", statistics.rejected)
    json.add("rows", statistics.rows)
    json.open("reject_reasons")
    for reason in RejectReason.allCases {
      if let count = statistics.reasons[reason] { json.add(reason.rawValue, count) }
    }
    json.close()
    json.add("events", statistics.events)
    json.add("calendar_bytes", statistics.calendarBytes)
    json.add("calendar_warning", statistics.isLargeCalendar ? largeCalendar : nil)
    json.add("guarded_cells", statistics.guardedCells)
    json.add("first_day", statistics.days.map { "\($0.lowerBound)" })
    json.add("last_day", statistics.days.map { "\($0.upperBound)" })
    json.open("stages")
    for flow in statistics.flows {
      json.open(flow.stage.rawValue)
      if let count = flow.bytesIn { json.add("bytes_in", count) }
      if let count = flow.bytesOut { json.add("bytes_out", count) }
      json.close()
    }
    json.close()
    json.open("outputs")
    for output in statistics.written { json.add(output.path, output.bytes) }
    json.close()
    json.add("seconds", milliseconds: statistics.seconds)
    return json.finish()
  }
}

/// Puts a JSON object together, member by member.
private struct JSONObject: ~Copyable {
  private var text = ByteBuffer(capacity: 1024)
  private var isFirst = true

  init() { text.append("{") }

  private mutating func key(_ name: String) {
    if !isFirst { text.append(",") }
    isFirst = false
    append(name)
    text.append(":")
  }

  private mutating func append(_ string: String) {
    var string = string
    string.withUTF8 { JSONText.appendString(UnsafeRawBufferPointer($0), to: &text) }
  }

  mutating func add(_ name: String, _ number: Int) {
    key(name)
    text.append(string: String(number))
  }

  /// Adds a number of seconds with three decimals.
  mutating func add(_ name: String, milliseconds seconds: Double) {
    let milliseconds = Int((seconds * 1000).rounded())
    let fraction = String(milliseconds % 1000)
    key(name)
    text.append(string: "\(milliseconds / 1000).")
    text.append(string: String(repeating: "0", count: 3 - fraction.count) + fraction)
  }

  mutating func add(_ name: String, _ string: String?) {
    key(name)
    if let string { append(string) } else { text.append("null") }
  }

  mutating func open(_ name: String) {
    key(name)
    text.append("{")
    isFirst = true
  }

  mutating func close() {
    text.append("}")
    isFirst = false
  }

  consuming func finish() -> ByteBuffer {
    text.append("}\n")
    return text
  }
}
