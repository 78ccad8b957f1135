/// What a JSON or CSV text may grow to before it is refused.
enum Limits {
  /// Arrays and objects inside one another.
  static let depth = 512
  /// Bytes of a string value between its quotes, where it is not handed on in pieces.
  static let string = 16 << 20
  /// Bytes of a key between its quotes.
  static let key = 64 << 10
  /// Characters of a number.
  static let number = 1000
  /// Bytes of a record, from its first brace to its last.
  static let record = 32 << 20
  /// Fields of a line of CSV.
  static let columns = 16 << 10
  /// Bytes of a record's raw text that are kept to be shown.
  static let captured = 64 << 10
}
