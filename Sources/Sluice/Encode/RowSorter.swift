import Glibc

/// Passes rows on in the order of some columns, after the last of them has come.
///
///     rows ─▶ log in memory ─ full ─▶ run: sorted, in a temporary file without a name
///                  │                  run
///                  ╰─ at the end ─────┴─▶ merged ─▶ the branches
///
/// Rows that are equal stay in the order in which they came. Only wanted rows are passed on. So the
/// memory does not grow with the rows.
struct RowSorter: RecordStage, ~Copyable {
  /// The number of bytes that all sorters of a run keep in memory.
  static let standardLimit = 16 << 20
  private static let writeSize = 256 << 10

  private let columns: [(index: Int, kind: ColumnKind, isDescending: Bool)]
  private let limit: Int
  /// The number of rows that are wanted of each sorter; nil for all.
  private let wanted: Int?
  private var next: FanOut
  private var key = SortKey()
  /// The rows since the last run, and where each begins.
  private var log = ByteBuffer(capacity: 64 << 10)
  private var places: [Int] = []
  private var spool: Spool?
  private var runs: [Range<Int>] = []

  /// Makes a sorter of a table's rows. `limit` is the number of bytes to keep in memory. Rows after
  /// the first `wanted` need not be passed on.
  ///
  /// Throws ``FeedFault/noSuchColumn(_:columns:)`` if the table does not have a column.
  init(
    _ orders: [SortOrder], of table: Table, limit: Int, wanted: Int?, into branches: [Branch]
  ) throws(PipelineError) {
    let names = table.columns.map(\.name)
    var columns: [(index: Int, kind: ColumnKind, isDescending: Bool)] = []
    for order in orders {
      guard let index = names.firstIndex(of: order.column) else {
        throw PipelineError(.normalize(.noSuchColumn(order.column, columns: names)))
      }
      columns.append((index, table.columns[index].kind, order.isDescending))
    }
    self.columns = columns
    self.limit = limit
    self.wanted = wanted
    next = FanOut(branches)
  }

  mutating func take(_ row: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    guard case .wanted = fate else { return }
    places.append(log.count)
    append(row)
    // A place takes eight bytes, and half as much again while it is sorted.
    if log.count + 12 * places.count >= limit { try makeRoom() }
  }

  consuming func finish() throws(PipelineError) {
    if runs.isEmpty {
      sort()
      var row = SortedRow()
      for place in places.prefix(wanted ?? .max) {
        row.read(log.contents, at: place)
        try next.take(row.packed.record, .wanted)
      }
    } else {
      try spill()
      log = ByteBuffer(capacity: 64)
      try merge()
    }
    try next.finish()
  }

  // MARK: Rows in memory

  /// Appends a row: the length of its key, the key, and what the record has.
  private mutating func append(_ row: borrowing Record) {
    let start = log.count
    log.append(wordOf: 0)
    log.append(wordOf: 0)
    for column in columns {
      key.append(
        row.text(column.index), column.kind, isDescending: column.isDescending, to: &log)
    }
    let keyEnd = log.count
    PackedRow.append(row, to: &log)
    log.start.storeBytes(
      of: Int64(log.count - start).littleEndian, toByteOffset: start, as: Int64.self)
    log.start.storeBytes(
      of: Int64(keyEnd - start).littleEndian, toByteOffset: start + 8, as: Int64.self)
  }

  /// Sorts the rows in memory.
  private mutating func sort() {
    let bytes = log.contents
    places.sort { a, b in
      let order = SortedRow.compare(bytes, a, bytes, b)
      return order == 0 ? a < b : order < 0
    }
  }

  /// Makes the memory free: only the rows that are still wanted stay, if they are few, or else all
  /// become a run.
  private mutating func makeRoom() throws(PipelineError) {
    guard let wanted, wanted < places.count, runs.isEmpty else { return try spill() }
    sort()
    var kept = ByteBuffer(capacity: 64 << 10)
    var keptPlaces: [Int] = []
    for place in places.prefix(wanted) {
      keptPlaces.append(kept.count)
      kept.append(SortedRow.bytes(log.contents, at: place))
      // Otherwise the memory would soon be full again.
      if kept.count > limit / 4 { return try spill() }
    }
    log.removeAll()
    log.append(kept.contents)
    places = keptPlaces
  }

  /// Writes the rows in memory to the temporary file as a run.
  private mutating func spill() throws(PipelineError) {
    guard !places.isEmpty else { return }
    sort()
    if spool == nil {
      let folder = Spool.standardFolder
      spool = try Spool(in: folder) { .sink(.write(path: folder, errno: $0)) }
    }
    let start = spool?.count ?? 0
    var out = ByteBuffer(capacity: Self.writeSize)
    for place in places.prefix(wanted ?? .max) {
      out.append(SortedRow.bytes(log.contents, at: place))
      if out.count >= Self.writeSize {
        try spool?.write(out.contents)
        out.removeAll()
      }
    }
    try spool?.write(out.contents)
    runs.append(start..<(spool?.count ?? 0))
    log.removeAll()
    places.removeAll(keepingCapacity: true)
  }

  // MARK: Runs

  /// Passes on the rows of all runs, the smallest first.
  private mutating func merge() throws(PipelineError) {
    let piece = max(4 << 10, min(64 << 10, limit / runs.count))
    let readers = runs.map { RunReader($0, piece: piece) }
    /// The runs that have a row left, as a heap: none is before the one at half its place.
    var heap: [Int] = []
    func isBefore(_ a: Int, _ b: Int) -> Bool {
      let order = readers[a].compare(readers[b])
      return order == 0 ? a < b : order < 0
    }
    func sink(_ start: Int) {
      var place = start
      while true {
        var least = place
        for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
          if isBefore(heap[child], heap[least]) { least = child }
        }
        guard least != place else { return }
        heap.swapAt(place, least)
        place = least
      }
    }
    for (index, reader) in readers.enumerated() where try advance(reader) { heap.append(index) }
    for place in heap.indices.reversed() { sink(place) }
    var rest = wanted ?? .max
    while let first = heap.first, rest > 0 {
      try readers[first].pass(to: &next)
      rest -= 1
      if try !advance(readers[first]) {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
      }
      if !heap.isEmpty { sink(0) }
    }
  }

  /// Goes to the next row of a run. Returns whether there is one.
  private func advance(_ reader: RunReader) throws(PipelineError) -> Bool {
    try reader.advance { (place, count, buffer) throws(PipelineError) in
      try spool?.read(at: place, count, into: &buffer)
    }
  }
}

/// A row in the log of a sorter: its length, the end of its key, the key, and the packed row.
private struct SortedRow: ~Copyable {
  static let headLength = 16

  private(set) var packed = PackedRow()

  /// Returns the length of the row at a place.
  static func length(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int { word(bytes, place) }

  /// Returns the whole row at a place.
  static func bytes(_ bytes: UnsafeRawBufferPointer, at place: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[place..<place + word(bytes, place)])
  }

  /// Compares the keys of two rows: negative if the first is less, 0 if they are equal.
  static func compare(
    _ a: UnsafeRawBufferPointer, _ aPlace: Int, _ b: UnsafeRawBufferPointer, _ bPlace: Int
  ) -> Int32 {
    // No key goes on where another one ends, so the shorter of them decides.
    let count = min(word(a, aPlace + 8), word(b, bPlace + 8)) - headLength
    guard let first = a.baseAddress, let second = b.baseAddress else { return 0 }
    return memcmp(first + aPlace + headLength, second + bPlace + headLength, count)
  }

  /// Reads the row at a place. Its texts stay where they are.
  mutating func read(_ bytes: UnsafeRawBufferPointer, at place: Int) {
    _ = packed.read(bytes, at: place + Self.word(bytes, place + 8))
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int {
    Int(Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self)))
  }
}

/// Reads the rows of a run, a piece of the temporary file at a time.
private final class RunReader {
  private let end: Int
  /// The place in the file after the bytes that were read.
  private var filled: Int
  private var buffer: ByteBuffer
  /// The place of the current row in the buffer, and its length.
  private var place = 0
  private var length = 0
  private var row = SortedRow()

  init(_ range: Range<Int>, piece: Int) {
    filled = range.lowerBound
    end = range.upperBound
    buffer = ByteBuffer(capacity: piece)
  }

  /// Compares the current row with that of another run.
  func compare(_ other: RunReader) -> Int32 {
    SortedRow.compare(buffer.contents, place, other.buffer.contents, other.place)
  }

  /// Passes on the current row.
  func pass(to next: inout FanOut) throws(PipelineError) {
    row.read(buffer.contents, at: place)
    try next.take(row.packed.record, .wanted)
  }

  /// Goes to the next row. `read` reads bytes of the file. Returns false after the last row.
  func advance(
    _ read: (Int, Int, inout ByteBuffer) throws(PipelineError) -> Void
  ) throws(PipelineError) -> Bool {
    place += length
    length = 0
    guard place < buffer.count || filled < end else { return false }
    try fill(SortedRow.headLength, read)
    length = SortedRow.length(buffer.contents, at: place)
    try fill(length, read)
    return true
  }

  /// Has at least `count` bytes from the current place on in the buffer.
  private func fill(
    _ count: Int, _ read: (Int, Int, inout ByteBuffer) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    guard buffer.count - place < count else { return }
    let left = buffer.count - place
    memmove(buffer.start, buffer.start + place, left)
    buffer.truncate(to: left)
    place = 0
    if count > left { buffer.reserve(count - left) }
    let wanted = min(buffer.room, end - filled)
    try read(filled, wanted, &buffer)
    filled += wanted
  }
}

/// Passes on the first rows only.
struct LimitStage: RecordStage, ~Copyable {
  private var rest: Int
  private var next: FanOut

  init(_ limit: Int, into branches: [Branch]) {
    rest = limit
    next = FanOut(branches)
  }

  mutating func take(_ row: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    guard case .wanted = fate, rest > 0 else { return }
    rest -= 1
    try next.take(row, .wanted)
  }

  consuming func finish() throws(PipelineError) { try next.finish() }
}
