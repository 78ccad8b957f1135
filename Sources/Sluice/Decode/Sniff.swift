import Synchronization

/// The format of an input, judged by its first bytes.
enum FormatVerdict: Equatable {
  /// Too few bytes to decide.
  case undecided
  case form(InputFormat)
  /// None of the input formats. The text names the format that the input resembles; nil if unknown.
  case unknown(String?)
}

extension InputFormat {
  /// The number of bytes to examine. An input still undecided after them is not a feed.
  static let reach = 64 << 10

  /// Returns the format of an input that begins with `bytes`. With `isWhole`, it also ends with
  /// them.
  ///
  /// A file's extension is ignored. More bytes never change a format that is already decided.
  static func sniff(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> FormatVerdict {
    let isWhole = isWhole || bytes.count >= reach
    let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(reach))
    if !isWhole, ByteOrderMark.mayBegin(bytes) { return .undecided }
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
    // The signature of 7z begins with base64 digits.
    if !isWhole, Signature.mayBegin(bytes) { return .undecided }
    return text(bytes, from: index, isWhole: isWhole)
  }

  /// Recognizes a ZIP archive: it begins with `PK` and a small number (APPNOTE 4.3). Returns nil
  /// for anything else.
  private static func archive(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> FormatVerdict? {
    let start: [UInt8] = [0x50, 0x4B]
    guard Swift.zip(bytes, start).allSatisfy({ $0 == $1 }) else { return nil }
    guard bytes.count > 3 else { return isWhole ? .form(.zip) : .undecided }
    switch (bytes[2], bytes[3]) {
    case (3, 4), (5, 6), (7, 8), (0x30, 0x30), (6, 6), (6, 7), (1, 2): return .form(.zip)
    default: return nil
    }
  }

  /// Bytes without a separator after which a possible base64 text cannot be a table's heading.
  private static let longHeading = 256

  /// Recognizes a table by a separator in its first line, and base64 text by the decoded value of
  /// its first two digits. Each may begin like the other (`ID;street`), so a separator still
  /// decides.
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

  /// Returns the index of the first significant byte, after a byte order mark and white space.
  static func start(of bytes: UnsafeRawBufferPointer) -> Int {
    let text = ByteOrderMark.dropped(from: bytes)
    return text.firstIndex { !isSpace($0) } ?? bytes.count
  }
}

/// First bytes of files that users pass by mistake.
private enum Signature {
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

  /// Returns whether more bytes may complete one of the signatures.
  static func mayBegin(_ bytes: UnsafeRawBufferPointer) -> Bool {
    known.contains { $0.bytes.count > bytes.count && $0.bytes.starts(with: bytes) }
  }

  /// Returns the name of the format that begins with `bytes`, or of the markup at `start`; nil if
  /// unknown.
  static func name(of bytes: UnsafeRawBufferPointer, from start: Int) -> String? {
    if let match = known.first(where: { bytes.starts(with: $0.bytes) }) { return match.name }
    let text = bytes[start...].prefix(5).map { $0 | 0x20 }
    guard text.first == UInt8(ascii: "<") | 0x20 else { return nil }
    return text == "<?xml".utf8.map { $0 | 0x20 } ? "XML" : "HTML"
  }
}

/// Buffers an input's first bytes until they determine its format, then sends the whole input to
/// that format's stages.
package struct Sniffer: ByteStage, ~Copyable {
  /// Makes the stages that read a format. Throws if the format is not accepted here.
  package typealias Stages = (InputFormat) throws(PipelineError) -> ByteSink

  /// The number of first bytes of an unknown format that a message may quote.
  private static let quoted = 64
  private let isPayload: Bool
  private let stages: Stages
  private var next: ByteSink?
  private var start = ByteBuffer(capacity: 64)

  /// Makes a sniffer for an input, or for the payload inside an input. `stages` is called once.
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
      // The cuts of the input do not change the bytes that are examined and quoted.
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

  /// Returns the fault for an input or a payload in none of the formats.
  private func refusal(_ looksLike: String?, _ start: [UInt8]) -> Fault {
    if isPayload { return .unzip(.notContent(looksLike: looksLike, start: start)) }
    let isEmpty = looksLike == nil && start.allSatisfy(InputFormat.isSpace)
    return .source(isEmpty ? .empty : .unknownForm(looksLike: looksLike, start: start))
  }
}

/// Collects the formats found in an input, from the outside in, for `sluice inspect`.
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
