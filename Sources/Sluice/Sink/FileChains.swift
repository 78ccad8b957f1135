import Glibc

/// Keeps the bytes of many files that grow at the same time: in memory up to a limit, then in a
/// temporary file without a name.
///
///     log     │→a│ bytes │→b│ bytes │→a│ bytes │…      each piece knows where its file's next one is
///     full:   spool │ a: all its pieces │ b: all its pieces │…      a and b each have an extent
///
/// So neither the memory nor the number of open files grows with the rows.
struct FileChains: ~Copyable {
  /// The number of bytes that are kept in memory.
  static let standardLimit = 24 << 20
  /// The bytes before each piece: the place of the next one and the length.
  private static let headLength = 16
  private static let writeSize = 256 << 10

  private struct Chain: BitwiseCopyable {
    /// The places of the file's first and last piece in the log, or -1.
    var first = -1
    var last = -1
    /// The indexes of its extents in the spool, or -1.
    var firstExtent = -1
    var lastExtent = -1
    var size = 0
  }

  private struct Extent: BitwiseCopyable {
    var start: Int
    var count = 0
    var next = -1
  }

  private let limit: Int
  private let spoolFolder: String
  private var log = ByteBuffer(capacity: 256 << 10)
  private var chains: [Chain] = []
  private var extents: [Extent] = []
  private var spool: Spool?

  /// Makes a keeper without files. `folder` is for the temporary file.
  init(limit: Int = Self.standardLimit, spoolingTo folder: String) {
    self.limit = limit
    spoolFolder = folder
  }

  /// The number of files.
  var count: Int { chains.count }

  /// Whether the temporary file is in use.
  var isSpooled: Bool { spool != nil }

  /// Adds an empty file. Its number is the last one.
  mutating func addFile() { chains.append(Chain()) }

  /// Returns the number of bytes of a file.
  func size(of file: Int) -> Int { chains[file].size }

  /// Appends bytes to a file. Throws ``SinkFault/write(path:errno:)`` if the temporary file cannot
  /// be written.
  mutating func append(_ bytes: UnsafeRawBufferPointer, to file: Int) throws(PipelineError) {
    guard bytes.count > 0 else { return }
    if log.count + Self.headLength + bytes.count > limit, log.count > 0 { try spill() }
    chains[file].size += bytes.count
    let last = chains[file].last
    if last >= 0, last + Self.headLength + length(at: last) == log.count {
      set(length(at: last) + bytes.count, at: last + 8)
      log.append(bytes)
      return
    }
    let place = log.count
    log.append(wordOf: -1)
    log.append(wordOf: bytes.count)
    log.append(bytes)
    if last >= 0 { set(place, at: last) } else { chains[file].first = place }
    chains[file].last = place
  }

  /// Calls `body` with the bytes of a file, a piece at a time. Throws its errors, and
  /// ``SinkFault/write(path:errno:)`` if the temporary file cannot be read.
  func forEachPiece(
    of file: Int, _ body: (UnsafeRawBufferPointer) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    var extent = chains[file].firstExtent
    if extent >= 0 {
      var piece = ByteBuffer(capacity: min(64 << 10, max(1, chains[file].size)))
      while extent >= 0 {
        var place = extents[extent].start
        let end = place + extents[extent].count
        while place < end {
          piece.removeAll()
          try spool?.read(at: place, min(piece.room, end - place), into: &piece)
          place += piece.count
          try body(piece.contents)
        }
        extent = extents[extent].next
      }
    }
    var place = chains[file].first
    while place >= 0 {
      let start = place + Self.headLength
      try body(UnsafeRawBufferPointer(rebasing: log.contents[start..<start + length(at: place)]))
      place = next(at: place)
    }
  }

  // MARK: The log

  private func next(at place: Int) -> Int { word(at: place) }
  private func length(at place: Int) -> Int { word(at: place + 8) }

  private func word(at place: Int) -> Int {
    Int(Int64(littleEndian: log.contents.loadUnaligned(fromByteOffset: place, as: Int64.self)))
  }

  private mutating func set(_ word: Int, at place: Int) {
    log.start.storeBytes(of: Int64(word).littleEndian, toByteOffset: place, as: Int64.self)
  }

  /// Moves all bytes from memory to the temporary file, those of each file side by side.
  private mutating func spill() throws(PipelineError) {
    if spool == nil {
      let folder = spoolFolder
      spool = try Spool(in: folder) { .sink(.write(path: folder, errno: $0)) }
    }
    var out = ByteBuffer(capacity: Self.writeSize)
    for file in chains.indices where chains[file].first >= 0 {
      var extent = Extent(start: (spool?.count ?? 0) + out.count)
      var place = chains[file].first
      while place >= 0 {
        let count = length(at: place)
        let start = place + Self.headLength
        out.append(UnsafeRawBufferPointer(rebasing: log.contents[start..<start + count]))
        extent.count += count
        if out.count >= Self.writeSize {
          try spool?.write(out.contents)
          out.removeAll()
        }
        place = next(at: place)
      }
      if chains[file].lastExtent >= 0 {
        extents[chains[file].lastExtent].next = extents.count
      } else {
        chains[file].firstExtent = extents.count
      }
      chains[file].lastExtent = extents.count
      chains[file].first = -1
      chains[file].last = -1
      extents.append(extent)
    }
    try spool?.write(out.contents)
    log.removeAll()
  }
}
