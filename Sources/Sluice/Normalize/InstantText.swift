/// Reads points in time that ``InstantParser`` has written: `2020-06-22T10:00:00.5+03:00`.
enum InstantText {
  /// The whole seconds since 1970 of a text, which is one.
  static func seconds(_ text: UnsafeRawBufferPointer) -> Int {
    guard text.count >= 20,
      let day = Day(
        year: number(text, 0, 4), month: number(text, 5, 2), day: number(text, 8, 2))
    else { return 0 }
    let time = number(text, 11, 2) * 3600 + number(text, 14, 2) * 60 + number(text, 17, 2)
    let sign = text[text.count - 6]
    var offset = 0
    if text[text.count - 1] != UInt8(ascii: "Z") {
      offset = number(text, text.count - 5, 2) * 3600 + number(text, text.count - 2, 2) * 60
    }
    return Int(day.number) * 86_400 + time - (sign == UInt8(ascii: "-") ? -offset : offset)
  }

  /// The digits at a place, as a number.
  private static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int {
    text[start..<start + count].reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
  }
}
