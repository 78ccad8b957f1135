import CCSV

/// Owns libcsv's parser and the row that it is reading.
///
/// White space around a field without quotes is dropped, empty lines are passed over, and a
/// quotation mark inside such a field is a character like others.
final class CSVParser {
  private let parser: UnsafeMutablePointer<csv_parser>
  private var bytes = ByteBuffer(capacity: 512)
  private var ends: [Int] = []
  /// A row is complete: it stays until ``nextRow()``.
  private(set) var hasRow = false

  /// Makes a parser of fields that `separator` stands between; nil where there is no memory.
  init?(separator: UInt8) {
    parser = .allocate(capacity: 1)
    guard csv_init(parser, 0) == 0 else {
      parser.deallocate()
      return nil
    }
    csv_set_delim(parser, separator)
  }

  deinit {
    csv_free(parser)
    parser.deallocate()
  }

  /// How many fields the row has.
  var count: Int { ends.count }

  /// A field of the row, valid until ``nextRow()``.
  func field(_ index: Int) -> UnsafeRawBufferPointer {
    let start = index == 0 ? 0 : ends[index - 1]
    return UnsafeRawBufferPointer(rebasing: bytes.contents[start..<ends[index]])
  }

  /// How many bytes the fields of the unfinished row have so far.
  var pending: Int { bytes.count + Int(parser.pointee.entry_pos) }

  /// The text so far ends inside quotation marks.
  var isQuoted: Bool { parser.pointee.quoted != 0 && parser.pointee.pstate == 2 }

  /// Reads bytes that end no more than one row.
  func parse(_ text: UnsafeRawBufferPointer) {
    let itself = Unmanaged.passUnretained(self).toOpaque()
    csv_parse(parser, text.baseAddress, text.count, addField, endRow, itself)
  }

  /// Says that the text has ended, which may end a row.
  func finish() {
    csv_fini(parser, addField, endRow, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Drops the row.
  func nextRow() {
    bytes.removeAll()
    ends.removeAll(keepingCapacity: true)
    hasRow = false
  }

  fileprivate func add(_ field: UnsafeRawBufferPointer) {
    bytes.append(field)
    ends.append(bytes.count)
  }

  fileprivate func end() { hasRow = true }
}

private func addField(
  _ text: UnsafeMutableRawPointer?, _ count: Int, _ parser: UnsafeMutableRawPointer?
) {
  guard let parser else { return }
  Unmanaged<CSVParser>.fromOpaque(parser).takeUnretainedValue()
    .add(UnsafeRawBufferPointer(start: text, count: count))
}

private func endRow(_ terminator: Int32, _ parser: UnsafeMutableRawPointer?) {
  guard let parser else { return }
  Unmanaged<CSVParser>.fromOpaque(parser).takeUnretainedValue().end()
}
