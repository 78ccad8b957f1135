/// Puts a JSON object together, member by member.
struct JSONObject: ~Copyable {
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
