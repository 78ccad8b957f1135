/// One row of a feed: its fields as text, in column order, in one piece of memory that is reused
/// from row to row.
struct Record: ~Copyable {
  /// The text of all fields, one behind the other.
  var bytes: ByteBuffer
  /// Where each field ends in `bytes`; a field begins where the one before ends.
  var ends: ContiguousArray<Int>
  /// The first and the last day of the row's period, both inclusive, where the feed has one.
  var firstDay = Day(number: 0)
  var lastDay = Day(number: 0)
  /// The number of the address (the contract's `address_id`), where the feed has one.
  var addressID: UInt64 = 0

  init(columns: Int) {
    bytes = ByteBuffer(capacity: 1024)
    ends = ContiguousArray(repeating: 0, count: columns)
  }

  /// The text of a field, UTF-8; empty where the value is missing.
  @inline(__always)
  func field(_ index: Int) -> UnsafeRawBufferPointer {
    let from = index == 0 ? 0 : ends[index - 1]
    return UnsafeRawBufferPointer(start: bytes.start + from, count: ends[index] - from)
  }
}
