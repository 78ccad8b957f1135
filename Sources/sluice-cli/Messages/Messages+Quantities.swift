extension Text {
  /// A count of bytes.
  static func bytes<Count: BinaryInteger>(_ count: Count) -> Text {
    Text(
      en: "\(count) \(plural(count, "byte", "bytes"))",
      ru: "\(count) \(plural(count, "байт", "байта", "байт"))")
  }

  /// A limit in bytes: in the largest unit in which it is a whole number.
  static func size(_ count: Int) -> Text {
    let units = [("KiB", "КиБ"), ("MiB", "МиБ"), ("GiB", "ГиБ"), ("TiB", "ТиБ")]
    for (power, unit) in units.enumerated().reversed() {
      let bytes = 1 << (10 * (power + 1))
      if count > 0, count.isMultiple(of: bytes) {
        return Text(en: "\(count / bytes) \(unit.0)", ru: "\(count / bytes) \(unit.1)")
      }
    }
    return bytes(count)
  }

  /// A time, in Russian as it follows `за` and `через`.
  static func seconds(_ count: Int) -> Text {
    Text(
      en: "\(count) \(plural(count, "second", "seconds"))",
      ru: "\(count) \(plural(count, "секунду", "секунды", "секунд"))")
  }

  /// How much of a transfer has come: `5 of 10 bytes`, or `5 bytes` where the whole is not known.
  static func progress(_ received: Int, of expected: Int?) -> Text {
    guard let expected else { return bytes(received) }
    return Text(
      en: "\(received) of \(bytes(expected).en)", ru: "\(bytes(received).ru) из \(expected)")
  }
}
