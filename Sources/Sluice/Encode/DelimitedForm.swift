/// A form of text in which a line is a row and a separator ends a field.
///
///     plain   a,"b, c",1.5                 RFC 4180, with LF
///     excel   a;"b, c";"1,5"               after a byte order mark, with CRLF
///     tabs    a ⇥ b, c ⇥ 1.5               text/tab-separated-values (IANA)
///
/// The type of IANA has neither quotes nor escapes: a tab and a line break cannot be in a field.
/// They become spaces there. A text that begins with a quotation mark is in quotes all the same, as
/// in CSV: otherwise pandas, DuckDB, R and spreadsheets read on to the next mark, across lines.
enum DelimitedForm {
  case plain, excel, tabs

  /// Makes the form of a dialect of CSV.
  init(_ dialect: CSVDialect) { self = dialect == .plain ? .plain : .excel }

  /// The byte between fields.
  var separator: UInt8 {
    switch self {
    case .plain: UInt8(ascii: ",")
    case .excel: UInt8(ascii: ";")
    case .tabs: 0x09
    }
  }

  /// What ends a line.
  var lineEnd: StaticString { self == .excel ? "\r\n" : "\n" }

  /// What the file begins with.
  var mark: StaticString { self == .excel ? ByteOrderMark.text : "" }

  /// Returns whether a field has to be in quotes.
  func needsQuotes(_ text: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .plain: text.contains { $0 == separator || Self.needsQuotes($0) }
    case .excel:
      text.contains {
        $0 == separator || $0 == UInt8(ascii: ",") || $0 == 0x09 || Self.needsQuotes($0)
      }
    case .tabs: text.first == UInt8(ascii: "\"")
    }
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == 0x0D || byte == 0x0A
  }

  /// Appends a cell of the header, quoted and guarded like a text of a row.
  func append(heading text: String, to buffer: inout ByteBuffer) {
    var text = text
    text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      let isQuoted = needsQuotes(bytes)
      let places = self == .excel ? FormulaGuard.places(in: bytes) : []
      if isQuoted { buffer.append("\"") }
      for (index, byte) in bytes.enumerated() {
        if places.contains(index) { buffer.append("'") }
        if isQuoted, byte == UInt8(ascii: "\"") { buffer.append("\"") }
        buffer.append(self == .tabs ? Self.flat(byte) : byte)
      }
      if isQuoted { buffer.append("\"") }
    }
  }

  /// Returns a space for a byte that TSV cannot have in a field, and every other byte as it is.
  @inline(__always)
  static func flat(_ byte: UInt8) -> UInt8 {
    byte == 0x09 || byte == 0x0A || byte == 0x0D ? 0x20 : byte
  }
}
