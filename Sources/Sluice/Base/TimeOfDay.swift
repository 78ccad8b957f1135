/// Times of day, as seconds after midnight. `24:00` is the end of a day.
package enum TimeOfDay {
  /// The seconds of a day, and so its end.
  package static let end = 86_400

  /// Returns the seconds after midnight, 0 to ``end``, of the text of a column of times: `14:30` or
  /// `14:30:15`. Nil for any other text, so for a missing value.
  package static func seconds(_ text: UnsafeRawBufferPointer) -> Int? {
    guard text.count == 5 || text.count == 8, let hour = two(text, 0),
      let minute = two(text, 3), text[2] == UInt8(ascii: ":")
    else { return nil }
    guard text.count == 8 else { return seconds(hour, minute, 0) }
    guard text[5] == UInt8(ascii: ":"), let second = two(text, 6) else { return nil }
    return seconds(hour, minute, second)
  }

  /// Returns the seconds after midnight of an hour, a minute and a second; nil if there is no such
  /// time.
  static func seconds(_ hour: Int, _ minute: Int, _ second: Int) -> Int? {
    guard 0...24 ~= hour, 0..<60 ~= minute, 0..<60 ~= second else { return nil }
    let time = hour * 3600 + minute * 60 + second
    return time <= end ? time : nil
  }

  /// Appends a time: `14:30`, or `14:30:15` if it has seconds.
  static func append(_ seconds: Int, to buffer: inout ByteBuffer) {
    append(twoDigits: seconds / 3600, to: &buffer)
    buffer.append(":")
    append(twoDigits: seconds / 60 % 60, to: &buffer)
    guard seconds % 60 > 0 else { return }
    buffer.append(":")
    append(twoDigits: seconds % 60, to: &buffer)
  }

  /// Returns the seconds after midnight of a time as feeds and people write it: `14:30`, `9:05`,
  /// `14:30:15`, or three or four digits, `905`. Nil if it is none.
  static func parse(_ text: UnsafeRawBufferPointer) -> Int? {
    var fields: (Int, Int, Int) = (0, 0, 0)
    var (count, digits, value) = (0, 0, 0)
    guard text.count <= 8 else { return nil }
    for index in 0...text.count {
      if index < text.count, text[index] &- UInt8(ascii: "0") < 10 {
        value = value * 10 + Int(text[index] &- UInt8(ascii: "0"))
        digits += 1
        continue
      }
      guard index == text.count || text[index] == UInt8(ascii: ":") else { return nil }
      switch (count, digits) {
      case (0, 3...4) where index == text.count: return seconds(value / 100, value % 100, 0)
      case (0, 1...2): fields.0 = value
      case (1, 2): fields.1 = value
      case (2, 2): fields.2 = value
      default: return nil
      }
      (count, digits, value) = (count + 1, 0, 0)
    }
    return count >= 2 ? seconds(fields.0, fields.1, fields.2) : nil
  }

  /// Returns the seconds after midnight of a text as people type it; nil if it is none.
  package static func seconds(typed text: String) -> Int? {
    Array(text.utf8).withUnsafeBytes { parse($0) }
  }

  /// Returns the text of a time: `14:30`.
  static func text(_ seconds: Int) -> String {
    var text = ByteBuffer(capacity: 8)
    append(seconds, to: &text)
    return String(decoding: text.contents, as: UTF8.self)
  }

  private static func two(_ text: UnsafeRawBufferPointer, _ index: Int) -> Int? {
    let (tens, ones) = (text[index] &- UInt8(ascii: "0"), text[index + 1] &- UInt8(ascii: "0"))
    return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
  }

  private static func append(twoDigits number: Int, to buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: "0") + UInt8(number / 10))
    buffer.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

/// The unit of times of day that are numbers, counted from midnight.
package enum TimeUnit: String, Sendable, Equatable, CaseIterable, BitwiseCopyable {
  case minutes, seconds

  /// The number of seconds in it.
  var seconds: Int { self == .minutes ? 60 : 1 }
}
