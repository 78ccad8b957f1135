/// Finds the end of a data descriptor (APPNOTE 4.3.9).
///
/// A descriptor comes in four forms: with a signature or without, with sizes of 4 or of 8 bytes,
/// and nothing says which. But CRC and sizes are known by then, and a record has to follow: at
/// most one form fits both.
///
///     [sig] crc size size   | next record       12 or 16 bytes | 4
///     [sig] crc size.. size.. | next record     20 or 24 bytes | 4
enum DataDescriptor {
  /// The longest form and the signature that has to follow it. An archive always has that many
  /// bytes here.
  static let lookahead = 28

  /// What the data came to.
  struct Facts {
    var crc: UInt32
    var compressedSize: UInt64
    var size: UInt64
  }

  private struct Form {
    var signature: Bool
    var wide: Bool
    var length: Int { (signature ? 8 : 4) + (wide ? 16 : 8) }
  }

  private static let forms = [
    Form(signature: true, wide: false), Form(signature: true, wide: true),
    Form(signature: false, wide: false), Form(signature: false, wide: true),
  ]

  /// The length of the descriptor that `record`, ``lookahead`` bytes, begins with.
  static func length(in record: RawSpan, facts: Facts, entry: EntryName) throws(ZIPFault) -> Int {
    var nearest: ZIPFault?
    for form in forms where fits(form, record) {
      guard let fault = differs(form, record, facts, entry) else { return form.length }
      if nearest == nil { nearest = fault }
    }
    throw nearest ?? .descriptor(entry: entry)
  }

  private static func fits(_ form: Form, _ record: RawSpan) -> Bool {
    if form.signature && record.u32(0) != ZIPSignature.descriptor { return false }
    let following = record.u32(form.length)
    return following == ZIPSignature.local || following == ZIPSignature.central
  }

  private static func differs(
    _ form: Form, _ record: RawSpan, _ facts: Facts, _ entry: EntryName
  ) -> ZIPFault? {
    let start = form.signature ? 4 : 0
    let crc = record.u32(start)
    let first = form.wide ? record.u64(start + 4) : UInt64(record.u32(start + 4))
    let second = form.wide ? record.u64(start + 12) : UInt64(record.u32(start + 8))
    if first != facts.compressedSize {
      return .compressedSize(entry: entry, declared: first, actual: facts.compressedSize)
    }
    if second != facts.size {
      return .size(entry: entry, declared: second, actual: facts.size)
    }
    if crc != facts.crc { return .crc(entry: entry, declared: crc, actual: facts.crc) }
    return nil
  }
}
