import CLibraries

/// Builds ZIP archives, right ones and every kind of wrong one.
///
/// `add` makes a right entry; its closure may change any number of both headers, the data and the
/// descriptor. Numbers that depend on the place are worked out by `build()`, unless given.
struct ZIPBuilder {
  /// What local and central headers say.
  struct Header {
    var version: UInt16 = 20
    var flags: UInt16 = 0
    var method: UInt16 = 8
    /// 2020-06-25 21:13:10.
    var time: UInt16 = 21 << 11 | 13 << 5 | 5
    var date: UInt16 = 40 << 9 | 6 << 5 | 25
    var crc: UInt32 = 0
    var compressedSize: UInt32 = 0
    var size: UInt32 = 0
    var name: [UInt8] = []
    var extra: [UInt8] = []
    // Central headers only.
    var madeBy: UInt16 = 3 << 8 | 30
    var comment: [UInt8] = []
    var disk: UInt16 = 0
    var attributes: UInt32 = 0o100644 << 16
    var offset: UInt32?
  }

  struct Entry {
    var local: Header
    var central: Header
    var data: [UInt8]
    var descriptor: [UInt8] = []
    var isListed = true
  }

  /// The four forms of a data descriptor.
  enum Descriptor: CaseIterable {
    case signed, unsigned, signedWide, unsignedWide
  }

  /// What the end record says instead of the truth.
  struct End {
    var disk: UInt16 = 0
    var directoryDisk: UInt16 = 0
    var entriesOnDisk: UInt16?
    var entries: UInt16?
    var directorySize: UInt32?
    var directoryOffset: UInt32?
    var commentLength: UInt16?
  }

  /// What the ZIP64 records say instead of the truth.
  struct Zip64 {
    var recordSize: UInt64 = 44
    var disk: UInt32 = 0
    var entries: UInt64?
    var directorySize: UInt64?
    var directoryOffset: UInt64?
    var extension_: [UInt8] = []
    var locatorOffset: UInt64?
    var disks: UInt32 = 1
  }

  var entries: [Entry] = []
  var end = End()
  var zip64: Zip64?
  var comment: [UInt8] = []
  /// Bytes before the first entry, which offsets count.
  var prefix: [UInt8] = []
  var trailing: [UInt8] = []
  /// In which order the central directory lists the entries.
  var order: ((Int, Int) -> Bool)?

  init() {}

  /// An archive of one deflated entry.
  init(_ name: String, _ content: [UInt8], _ change: (inout Entry) -> Void = { _ in }) {
    add(name, content, change)
  }

  mutating func add(
    _ name: String, _ content: [UInt8], _ change: (inout Entry) -> Void = { _ in }
  ) {
    add(Array(name.utf8), content, change)
  }

  mutating func add(
    _ name: [UInt8], _ content: [UInt8], stored: Bool = false, descriptor: Descriptor? = nil,
    zip64: Bool = false, _ change: (inout Entry) -> Void = { _ in }
  ) {
    let data = stored ? content : ZIPBuilder.deflated(content)
    var header = Header()
    header.name = name
    header.method = stored ? 0 : 8
    header.crc = ZIPBuilder.crc(content)
    header.compressedSize = UInt32(data.count)
    header.size = UInt32(content.count)
    if descriptor != nil { header.flags |= 8 }
    var entry = Entry(local: header, central: header, data: data)
    if let descriptor {
      (entry.local.crc, entry.local.compressedSize, entry.local.size) = (0, 0, 0)
      entry.descriptor = ZIPBuilder.bytes(of: descriptor, header)
    }
    if zip64 {
      let local = descriptor == nil ? header : Header()
      entry.local.extra = ZIPBuilder.zip64Field([local.size, local.compressedSize])
      entry.central.extra = ZIPBuilder.zip64Field([header.size, header.compressedSize])
      for sizes in [\Header.size, \Header.compressedSize] {
        entry.local[keyPath: sizes] = .max
        entry.central[keyPath: sizes] = .max
      }
    }
    change(&entry)
    entries.append(entry)
  }

  func build() -> [UInt8] {
    var out = LittleEndianBytes()
    out.bytes = prefix
    var offsets: [Int] = []
    for entry in entries {
      offsets.append(out.bytes.count)
      out.u32(0x0403_4B50)
      out.common(entry.local)
      out.bytes += entry.local.name + entry.local.extra + entry.data + entry.descriptor
    }
    let directory = out.bytes.count
    var indices = entries.indices.filter { entries[$0].isListed }
    if let order { indices.sort(by: order) }
    for index in indices {
      let header = entries[index].central
      out.u32(0x0201_4B50)
      out.u16(header.madeBy)
      out.common(header)
      out.u16(UInt16(header.comment.count))
      out.u16(header.disk)
      out.u16(0)
      out.u32(header.attributes)
      out.u32(header.offset ?? UInt32(offsets[index]))
      out.bytes += header.name + header.extra + header.comment
    }
    let size = out.bytes.count - directory
    if let zip64 { out.zip64(zip64, indices.count, size, directory) }
    out.u32(0x0605_4B50)
    out.u16(end.disk)
    out.u16(end.directoryDisk)
    out.u16(end.entriesOnDisk ?? UInt16(clamping: indices.count))
    out.u16(end.entries ?? UInt16(clamping: indices.count))
    out.u32(end.directorySize ?? UInt32(size))
    out.u32(end.directoryOffset ?? UInt32(directory))
    out.u16(end.commentLength ?? UInt16(comment.count))
    out.bytes += comment + trailing
    return out.bytes
  }

  /// A ZIP64 extra field of these numbers.
  static func zip64Field(_ numbers: [UInt32]) -> [UInt8] {
    var out = LittleEndianBytes()
    out.u16(1)
    out.u16(UInt16(numbers.count * 8))
    for number in numbers { out.u64(UInt64(number)) }
    return out.bytes
  }

  /// A data descriptor of a form.
  static func bytes(of descriptor: Descriptor, _ header: Header) -> [UInt8] {
    var out = LittleEndianBytes()
    if descriptor == .signed || descriptor == .signedWide { out.u32(0x0807_4B50) }
    out.u32(header.crc)
    for number in [header.compressedSize, header.size] {
      if descriptor == .signedWide || descriptor == .unsignedWide {
        out.u64(UInt64(number))
      } else {
        out.u32(number)
      }
    }
    return out.bytes
  }

  static func crc(_ bytes: [UInt8]) -> UInt32 { UInt32(crc32_z(0, bytes, bytes.count)) }

  /// Deflates `bytes`, without zlib's header.
  static func deflated(_ bytes: [UInt8]) -> [UInt8] { deflated(bytes, Z_FINISH) }

  /// Deflates `count` times `bytes`; quick, whatever the count.
  static func deflated(_ bytes: [UInt8], repeated count: Int) -> [UInt8] {
    // A full flush forgets what came before: the piece may be repeated as it is.
    let piece = deflated(bytes, Z_FULL_FLUSH)
    return Array(repeatElement(piece, count: count).joined()) + deflated([])
  }

  private static func deflated(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    deflateInit2_(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 64)
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        _ = deflate(&stream, flush)
      }
    }
    return Array(output.prefix(Int(stream.total_out)))
  }
}
