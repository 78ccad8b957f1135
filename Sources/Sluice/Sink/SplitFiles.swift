import CSluice

/// The files of an output that has columns in its name: what an encoder writes, given to the file
/// that each row belongs to.
///
///     begin of the encoder ─▶ header       every file begins with it
///     row of house 5       ─▶ chain of 5
///     row of house 7       ─▶ chain of 7
///     row of house 5       ─▶ chain of 5
///     end of the encoder   ─▶ footer       every file ends with it
///
/// There is one encoder for all files: its rows do not depend on each other. A file comes into
/// being with the first bytes of its first row.
final class SplitFiles {
  /// The number of files that one run may make.
  final class Allowance {
    private let limit: Int
    private var rest: Int

    init(_ limit: Int) {
      self.limit = limit
      rest = limit
    }

    /// Takes one. Throws ``SinkFault/tooManyFiles(limit:path:)`` if none is left.
    fileprivate func take(for path: String) throws(PipelineError) {
      rest -= 1
      guard rest >= 0 else { throw PipelineError(sink: .tooManyFiles(limit: limit, path: path)) }
    }
  }

  private enum Place { case header, row, footer }

  let pattern: NamePattern
  private let allowance: Allowance
  private let measure: OutputMeasure
  private var chains: FileChains
  private var place = Place.header
  private(set) var header = ByteBuffer(capacity: 1024)
  private(set) var footer = ByteBuffer(capacity: 64)
  /// The number of rows in each file.
  private(set) var rows: [Int] = []
  /// The values of each file's columns, each after its length in eight bytes, and where they begin.
  private var values = ByteBuffer(capacity: 4096)
  private var starts: [Int] = []
  /// A hash table of the files by their values: the number of the file plus one, or 0.
  private var slots = [Int32](repeating: 0, count: 64)
  /// The values of the row that is being written, and its file, or -1 until it is known.
  private var key = ByteBuffer(capacity: 256)
  private var current = -1
  /// Whether anything was written of the row.
  private var hasWritten = false

  /// Makes an empty set of files. `memory` is the number of bytes to keep in memory, `folder` is
  /// for what goes beyond.
  init(
    _ pattern: NamePattern, allowance: Allowance, measure: OutputMeasure, memory: Int,
    spoolingTo folder: String
  ) {
    self.pattern = pattern
    self.allowance = allowance
    self.measure = measure
    chains = FileChains(limit: memory, spoolingTo: folder)
  }

  /// The number of files.
  var count: Int { chains.count }

  /// Returns the number of bytes of a file.
  func size(of file: Int) -> Int { header.count + chains.size(of: file) + footer.count }

  /// The bytes of all files.
  var size: Int { (0..<count).reduce(0) { $0 + size(of: $1) } }

  /// The most rows and the most bytes that one of the files has.
  var largest: (rows: Int, bytes: Int) {
    (rows.max() ?? 0, (0..<count).reduce(0) { max($0, size(of: $1)) })
  }

  // MARK: Writing

  /// Chooses the file of a row. Everything that is written until the next row belongs to it.
  /// Returns whether the file has no row yet.
  func select(_ row: borrowing Record) -> Bool {
    place = .row
    hasWritten = false
    let start = key.count
    key.removeAll()
    for column in pattern.columns {
      let text = row.text(column)
      key.append(wordOf: text.count)
      key.append(text)
    }
    // Rows of one file often come together.
    if current >= 0, start == key.count, isKey(of: current) { return rows[current] == 0 }
    current = known() ?? -1
    return current < 0 || rows[current] == 0
  }

  /// Says that what follows belongs to the end of every file.
  func beginFooter() { place = .footer }

  /// Takes the bytes of the encoder. Throws ``SinkFault/tooManyFiles(limit:path:)`` and the errors
  /// of the measure and of the temporary file.
  fileprivate func write(_ bytes: UnsafeRawBufferPointer) throws(PipelineError) {
    guard bytes.count > 0 else { return }
    switch place {
    case .header: header.append(bytes)
    case .footer: footer.append(bytes)
    case .row:
      try measure.add(bytes.count)
      hasWritten = true
      if current < 0 { current = try newFile() }
      try chains.append(bytes, to: current)
    }
  }

  /// Says that the row is complete.
  func endRow() { if hasWritten { rows[current] += 1 } }

  /// Counts what is in every file. Called after the last row.
  func end() throws(PipelineError) { try measure.add(count * (header.count + footer.count)) }

  /// Returns the file of the current values, or nil if there is none.
  private func known() -> Int? {
    let place = slots[slot()]
    return place == 0 ? nil : Int(place) - 1
  }

  /// Returns the slot of the current values: that of their file, or a free one.
  private func slot() -> Int {
    var slot = home(key.contents)
    while slots[slot] != 0, !isKey(of: Int(slots[slot]) - 1) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// Makes the file of the current values, which is not known. Returns its number.
  private func newFile() throws(PipelineError) -> Int {
    try allowance.take(for: pattern.path)
    if (count + 1) * 2 > slots.count { grow() }
    let slot = slot()
    let file = count
    slots[slot] = Int32(file + 1)
    starts.append(values.count)
    values.append(key.contents)
    rows.append(0)
    chains.addFile()
    return file
  }

  private func isKey(of file: Int) -> Bool { contents(of: file).elementsEqual(key.contents) }

  /// The values of a file, each after its length.
  private func contents(of file: Int) -> Slice<UnsafeRawBufferPointer> {
    values.contents[starts[file]..<(file + 1 < starts.count ? starts[file + 1] : values.count)]
  }

  /// The slot at which a search begins. The hash is the process's own, so that no feed can be made
  /// whose values all lie side by side.
  private func home(_ key: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: key)
    return hasher.finalize() & (slots.count - 1)
  }

  private func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 2)
    for file in starts.indices {
      var slot = home(UnsafeRawBufferPointer(rebasing: contents(of: file)))
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(file + 1)
    }
  }

  // MARK: Reading

  /// Calls `body` with the values of a file, one of each column of the pattern.
  func withValues(of file: Int, _ body: ([UnsafeRawBufferPointer]) -> Void) {
    let contents = UnsafeRawBufferPointer(rebasing: contents(of: file))
    var texts: [UnsafeRawBufferPointer] = []
    var start = 0
    for _ in pattern.columns {
      let count = Int(
        Int64(littleEndian: contents.loadUnaligned(fromByteOffset: start, as: Int64.self)))
      start += 8
      texts.append(UnsafeRawBufferPointer(rebasing: contents[start..<start + count]))
      start += count
    }
    body(texts)
  }

  /// Returns the names of all files, below the folder of the pattern.
  func names() -> [String] {
    FileNames.names(of: rows, by: pattern) { file, body in withValues(of: file, body) }
  }

  /// Calls `body` with the bytes of a file, a piece at a time.
  func forEachPiece(
    of file: Int, _ body: (UnsafeRawBufferPointer) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    if header.count > 0 { try body(header.contents) }
    try chains.forEachPiece(of: file, body)
    if footer.count > 0 { try body(footer.contents) }
  }
}

/// Writes the bytes of an encoder into ``SplitFiles``.
struct SplitSink: ByteStage, ~Copyable {
  private let files: SplitFiles

  init(_ files: SplitFiles) { self.files = files }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try bytes.withUnsafeBytes { (bytes) throws(PipelineError) in try files.write(bytes) }
  }

  consuming func finish() throws(PipelineError) {}
}
