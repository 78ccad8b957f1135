/// Reads the numbers of a record's ZIP64 extra field (APPNOTE 4.5.3), one after the other.
///
/// A header's size or offset that is all ones stands in this field instead, in a fixed order and
/// only where it is all ones. Other extra fields are stepped over, and what nobody asks for is
/// not looked at.
struct Zip64Field {
  private var at: Int
  private let end: Int

  /// Finds the field among the extra fields that are at `extra` of `record`.
  init(in record: RawSpan, extra: Range<Int>) {
    var field = extra.lowerBound
    while field + 4 <= extra.upperBound {
      let content = field + 4
      let after = content + Int(record.u16(field + 2))
      if after > extra.upperBound { break }
      if record.u16(field) == 0x0001 {
        at = content
        end = after
        return
      }
      field = after
    }
    at = 0
    end = 0
  }

  /// The true value of a 32-bit number of the header; nil where it should be in the field and is
  /// not.
  mutating func value(of short: UInt32, in record: RawSpan) -> UInt64? {
    if short != .max { return UInt64(short) }
    guard at + 8 <= end else { return nil }
    defer { at += 8 }
    return record.u64(at)
  }

  /// The true value of the disk number, which comes last in the field.
  mutating func value(of short: UInt16, in record: RawSpan) -> UInt32? {
    if short != .max { return UInt32(short) }
    guard at + 4 <= end else { return nil }
    defer { at += 4 }
    return record.u32(at)
  }
}
