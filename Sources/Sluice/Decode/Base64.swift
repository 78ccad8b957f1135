/// Decodes base64 text, strictly (RFC 4648, section 4).
///
/// The previous stage drives. The text may be cut anywhere. CR, LF, space and tab may occur
/// anywhere, also after the padding. Whole groups are decoded into a buffer. It is passed on when
/// it is full, at the end of each write, and before an error is thrown. Throws ``Base64Fault`` with
/// the offset in the text.
///
/// One worked input, `TQ=\n=`:
///
///     byte   group so far   place      padding
///     T      T              1          -
///     Q      TQ             2          -
///     =      TQ=            2          1     the four bits left over are zero: emit `M`
///     \n                                     skipped
///     =      TQ==           2          2     complete: only white space may follow
struct Base64Decoder<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  /// The number of bytes that are decoded before they are passed on: 16,384 groups.
  private static var window: Int { 48 << 10 }

  private var next: Next
  private let counters: Counters
  private let table = Base64Table()
  private var output: ByteBuffer
  /// The offset in the text where the next write begins.
  private var offset = 0
  private var passedOn = 0
  /// The bits of an unfinished group, first character highest, and the number of its characters.
  private var group: UInt32 = 0
  private var place = 0
  /// The number of `=` so far. After the first one, `place` does not change.
  private var padding = 0
  /// The offset of the last character of the alphabet, or -1.
  private var last = -1

  init(into next: consuming Next, counters: Counters) {
    self.next = next
    self.counters = counters
    // One more byte, because the store of the last group writes one byte too many.
    output = ByteBuffer(capacity: Self.window + 1)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try bytes.withUnsafeBytes { (text) throws(PipelineError) in try decode(text) }
  }

  consuming func finish() throws(PipelineError) {
    if last < 0 { throw PipelineError(.base64(.empty), at: offset) }
    switch (place, padding) {
    case (0, _), (2, 2), (3, 1): try next.finish()
    case (1, _): throw PipelineError(.base64(.truncated), at: offset)
    default: throw PipelineError(.base64(.missingPadding), at: offset)
    }
  }

  private mutating func decode(_ text: UnsafeRawBufferPointer) throws(PipelineError) {
    var at = 0
    while at < text.count {
      if place == 0 && padding == 0 {
        let done = decodeGroups(text, from: at)
        if done > 0 {
          at += done
          last = offset + at - 1
        }
        // Three bytes, and the one byte too many that the store of a group writes.
        if output.room < 4 { try passOn() }
        if done > 0 { continue }
      }
      if let fault = take(text[at], at: offset + at) {
        try passOn()
        counters.base64.bytesIn.set(offset + at)
        throw PipelineError(.base64(fault), at: fault == .padBits ? last : offset + at)
      }
      at += 1
    }
    offset += text.count
    try passOn()
    counters.base64.bytesIn.set(offset)
  }

  /// Decodes groups of four characters until one contains something else or the buffer is full.
  /// Returns the number of decoded characters.
  @inline(__always)
  private mutating func decodeGroups(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = text.baseAddress else { return 0 }
    let groups = min((text.count - start) / 4, (output.room - 1) / 3)
    let words = table.words
    var from = base + start
    var to = output.start + output.count
    var done = 0
    while done < groups {
      let four = UInt32(littleEndian: from.loadUnaligned(as: UInt32.self))
      let three =
        words[Int(four & 0xFF)] | words[256 + Int(four >> 8 & 0xFF)]
        | words[512 + Int(four >> 16 & 0xFF)] | words[768 + Int(four >> 24)]
      if three >> 24 != 0 { break }
      to.storeBytes(of: three.littleEndian, as: UInt32.self)
      from += 4
      to += 3
      done += 1
    }
    output.commit(done * 3)
    return done * 4
  }

  /// Decodes one character: the slow and exact path. Returns the fault, or nil if there is none.
  private mutating func take(_ byte: UInt8, at position: Int) -> Base64Fault? {
    if let bits = table.bits(byte) {
      if padding > 0 { return .dataAfterPadding }
      last = position
      group = group << 6 | bits
      place += 1
      if place == 4 { emit(group, count: 3) }
      return nil
    }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      return nil
    case UInt8(ascii: "="): return pad()
    case UInt8(ascii: "-"), UInt8(ascii: "_"): return .urlAlphabet(byte: byte)
    default: return .foreign(byte: byte)
    }
  }

  private mutating func pad() -> Base64Fault? {
    switch (place, padding) {
    case (2, 0):
      if group & 0x0F != 0 { return .padBits }
      emit(group << 12, count: 1)
      place = 2
    case (3, 0):
      if group & 0x03 != 0 { return .padBits }
      emit(group << 6, count: 2)
      place = 3
    case (2, 1): break
    case (0, 0) where last < 0, (1, _): return .earlyPadding
    default: return .excessPadding
    }
    padding += 1
    return nil
  }

  /// Appends the first `count` of the three bytes in `bits` and begins a new group.
  private mutating func emit(_ bits: UInt32, count: Int) {
    for byte in 0..<count {
      output.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * UInt32(byte))))
    }
    group = 0
    place = 0
  }

  private mutating func passOn() throws(PipelineError) {
    if output.count == 0 { return }
    passedOn += output.count
    counters.base64.bytesOut.set(passedOn)
    try next.write(output)
    output.removeAll()
  }
}

/// Owns the table that turns four characters of base64 into three bytes.
///
/// The table has four columns of 256 words, one column for each place in a group. A character's
/// word holds its six bits at their position in the three bytes, lowest byte first. The four words
/// of a group, combined with OR, are the three bytes. A character outside of the alphabet sets the
/// highest byte.
struct Base64Table: ~Copyable {
  /// The words, column by column.
  let words: UnsafeMutablePointer<UInt32>

  /// The word of every character outside of the alphabet.
  static let invalid: UInt32 = 0xFF00_0000

  init() {
    words = .allocate(capacity: 4 * 256)
    words.initialize(repeating: Base64Table.invalid, count: 4 * 256)
    for bits in UInt32(0)..<64 {
      let character = Int(Base64Table.character(bits))
      words[character] = bits << 2
      words[256 + character] = bits >> 4 | (bits & 0x0F) << 12
      words[512 + character] = (bits >> 2) << 8 | (bits & 0x03) << 22
      words[768 + character] = bits << 16
    }
  }

  deinit { words.deallocate() }

  /// Returns the six bits of a character, or nil if it is not in the alphabet.
  func bits(_ character: UInt8) -> UInt32? {
    let word = words[768 + Int(character)]
    return word == Base64Table.invalid ? nil : word >> 16
  }

  /// Returns the six bits of a character, or nil if it is not in the alphabet. Needs no table, for
  /// a look at a few characters.
  static func digit(_ character: UInt8) -> UInt8? {
    (UInt32(0)..<64).first { Base64Table.character($0) == character }.map(UInt8.init)
  }

  private static func character(_ bits: UInt32) -> UInt8 {
    let bits = UInt8(truncatingIfNeeded: bits)
    return switch bits {
    case 0..<26: UInt8(ascii: "A") + bits
    case 26..<52: UInt8(ascii: "a") + bits - 26
    case 52..<62: UInt8(ascii: "0") + bits - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}
