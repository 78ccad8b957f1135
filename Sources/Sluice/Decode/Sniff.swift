import Synchronization

/// What the first bytes of an input tell.
enum FormatVerdict: Equatable {
  /// Too few to tell.
  case undecided
  case form(InputFormat)
  /// None of the forms; the name of what it looks like, where that is known.
  case unknown(String?)
}

extension InputFormat {
  /// How many bytes are looked at; what has told nothing in so many is no feed.
  static let reach = 64 << 10

  /// Tells the form of an input that begins with `bytes`, and ends with them if `isWhole`.
  ///
  /// Names are not asked: the extension of a file says nothing. A form told by some first bytes
  /// is the same with more of them.
  static func sniff(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> FormatVerdict {
    let isWhole = isWhole || bytes.count >= reach
    let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(reach))
    // A byte order mark that is cut tells nothing yet.
    if !isWhole, bytes.count < ByteOrderMark.count,
      bytes.indices.allSatisfy({ bytes[$0] == ByteOrderMark.byte($0) })
    {
      return .undecided
    }
    let index = start(of: bytes)
    guard index < bytes.count else {
      if bytes.count == reach { return .unknown("white space") }
      return isWhole ? .unknown(nil) : .undecided
    }
    switch bytes[index] {
    case UInt8(ascii: "{"): return .form(.object)
    case UInt8(ascii: "["): return .form(.array)
    default: break
    }
    if index == 0, let verdict = archive(bytes, isWhole: isWhole) { return verdict }
    if let known = Signature.name(of: bytes, from: index) { return .unknown(known) }
    // 7z's begins with digits of base64.
    if !isWhole, Signature.mayBegin(bytes) { return .undecided }
    return text(bytes, from: index, isWhole: isWhole)
  }

  /// A ZIP archive begins with `PK` and a small number (APPNOTE 4.3).
  private static func archive(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> FormatVerdict? {
    let start: [UInt8] = [0x50, 0x4B]
    guard Swift.zip(bytes, start).allSatisfy({ $0 == $1 }) else { return nil }
    guard bytes.count > 3 else { return isWhole ? .form(.zip) : .undecided }
    switch (bytes[2], bytes[3]) {
    case (3, 4), (5, 6), (7, 8), (0x30, 0x30), (6, 6), (6, 7), (1, 2): return .form(.zip)
    default: return nil
    }
  }

  /// So long a beginning without a separator is no heading of a table, if it may be base64.
  private static let longHeading = 256

  /// A table is known by a separator in its first line, base64 text by what its first two digits
  /// decode to. What begins like the one (`ID;street`) may still be the other.
  private static func text(_ bytes: UnsafeRawBufferPointer, from start: Int, isWhole: Bool)
    -> FormatVerdict
  {
    var digits: [UInt8] = []
    var (isForeign, isQuoted, length) = (false, false, 0)
    var verdict: FormatVerdict { isForeign ? .unknown(nil) : base64(digits) }
    for byte in bytes[start...] {
      let isTold = isForeign || digits.count == 2
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"):
        if !isQuoted { return .form(.csv) }
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if isTold, !isQuoted { return verdict }
      case UInt8(ascii: " "): break
      case 0..<0x20, 0x7F: return isTold ? verdict : .unknown(nil)
      default:
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if !isTold, let digit = Base64Table.digit(byte) {
          digits.append(digit)
        } else if !isTold {
          isForeign = true
        }
        length += 1
        if length == longHeading, !isForeign { return verdict }
      }
    }
    return isWhole ? verdict : .undecided
  }

  private static func base64(_ digits: [UInt8]) -> FormatVerdict {
    guard digits.count > 1 else { return .unknown(nil) }
    switch digits[0] << 2 | digits[1] >> 4 {
    case UInt8(ascii: "P"), UInt8(ascii: "["), UInt8(ascii: "{"), 0xEF, 0x20, 0x0A, 0x0D, 0x09:
      return .form(.base64)
    default: return .unknown(nil)
    }
  }

  /// Where the first byte is that tells something, behind a byte order mark and white space.
  static func start(of bytes: UnsafeRawBufferPointer) -> Int {
    let text = ByteOrderMark.dropped(from: bytes)
    return text.firstIndex { !isSpace($0) } ?? bytes.count
  }
}

/// First bytes of things that people hand over by mistake.
enum Signature {
  private static let known: [(bytes: [UInt8], name: String)] = [
    ([0x1F, 0x8B], "gzip"),
    (Array("Rar!".utf8), "rar"),
    ([0x37, 0x7A, 0xBC, 0xAF], "7z"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz"),
    (Array("BZh".utf8), "bzip2"),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
    (Array("%PDF".utf8), "PDF"),
    ([0xD0, 0xCF, 0x11, 0xE0], "a Microsoft Office document"),
    ([0xFF, 0xFE], "UTF-16 text"),
    ([0xFE, 0xFF], "UTF-16 text"),
    ([0x00, 0x5B], "UTF-16 text"),
    ([0x00, 0x7B], "UTF-16 text"),
  ]

  /// More bytes may make it one of these.
  static func mayBegin(_ bytes: UnsafeRawBufferPointer) -> Bool {
    known.contains { $0.bytes.count > bytes.count && $0.bytes.starts(with: bytes) }
  }

  /// The name of what begins so, or has markup at `start`; nil where it is not known.
  static func name(of bytes: UnsafeRawBufferPointer, from start: Int) -> String? {
    if let match = known.first(where: { bytes.starts(with: $0.bytes) }) { return match.name }
    let text = bytes[start...].prefix(5).map { $0 | 0x20 }
    guard text.first == UInt8(ascii: "<") | 0x20 else { return nil }
    return text == "<?xml".utf8.map { $0 | 0x20 } ? "XML" : "HTML"
  }
}

/// Keeps an input's first bytes until they tell its form, then sends all of it to that form's stages.
package struct Sniffer: ByteStage, ~Copyable {
  /// Makes the stages that read a form, or throws if the form is of no use here.
  package typealias Stages = (InputFormat) throws(PipelineError) -> ByteSink

  /// First bytes of an unknown form that a message may quote.
  private static let quoted = 64
  private let isPayload: Bool
  private let stages: Stages
  private var next: ByteSink?
  private var start = ByteBuffer(capacity: 64)

  /// Makes a sniffer of an input, or of the payload that an input holds. `stages` is called once.
  package init(isPayload: Bool = false, _ stages: @escaping Stages) {
    self.isPayload = isPayload
    self.stages = stages
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    if next != nil {
      try next?.write(bytes)
    } else {
      start.append(bytes)
      try decide(isWhole: false)
    }
  }

  package consuming func finish() throws(PipelineError) {
    if next == nil { try decide(isWhole: true) }
    try next.take()?.finish()
  }

  private mutating func decide(isWhole: Bool) throws(PipelineError) {
    switch InputFormat.sniff(start.contents, isWhole: isWhole) {
    case .undecided: break
    case .unknown(let name):
      // The same bytes are looked at and quoted however the input was cut.
      let first = InputFormat.start(of: start.contents)
      if isWhole || start.count >= min(first + Self.quoted, InputFormat.reach) {
        let quote = start.contents.prefix(InputFormat.reach).dropFirst(first).prefix(Self.quoted)
        throw PipelineError(refusal(name, Array(quote)), at: 0)
      }
    case .form(let form):
      next = try stages(form)
      try next?.write(RawSpan(_unsafeStart: start.start, byteCount: start.count))
      start = ByteBuffer(capacity: 1)
    }
  }

  /// The fault of an input, or a payload, that has none of the forms.
  private func refusal(_ looksLike: String?, _ start: [UInt8]) -> Fault {
    if isPayload { return .unzip(.notContent(looksLike: looksLike, start: start)) }
    let isEmpty = looksLike == nil && start.allSatisfy(InputFormat.isSpace)
    return .source(isEmpty ? .empty : .unknownForm(looksLike: looksLike, start: start))
  }
}

/// Lists the forms that an input turned out to have, from the outside in, for `sluice inspect`.
package final class LayersSeen: Sendable {
  /// A layer of an input.
  package enum Layer: String, Sendable {
    /// The API's answer, base64 text, an archive, JSON, CSV.
    case envelope, base64, zip, json, csv
  }

  private let store = Mutex<[Layer]>([])

  /// The layers, outermost first.
  package var layers: [Layer] { store.withLock { $0 } }

  func note(_ layers: [Layer]) { store.withLock { $0 += layers } }
}
