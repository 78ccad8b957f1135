import CSluice
import Glibc
import Synchronization

/// Reads inputs ahead on several threads. Their rows are handed on in the order of the inputs.
///
///     lane 0:  a.json ─▶ stages ─▶ normalizer, then d.json ─▶ packed rows ─┐
///     lane 1:  b.json ─▶ stages ─▶ normalizer, then e.json ─▶ packed rows ─┼─▶ rows of a, b, c, d, e
///     lane 2:  c.json ─▶ stages ─▶ normalizer, then f.json ─▶ packed rows ─┘   ─▶ branches, here
///
/// The lanes take the inputs in turn. A lane that is some MiB of rows ahead waits. So the memory
/// does not grow with the inputs.
///
/// Outputs, errors and counts are those of one thread: rows and rejected records come with the
/// counts at that moment, and what a lane has read after an error is dropped.
final class InputLanes {
  /// The most lanes. The thread that writes has no use for more rows than these bring.
  private static let most = 6

  private let lanes: [InputLane]
  private var lane: [Int: InputLane] = [:]
  private let rows: LaneRows

  /// Starts the lanes for those inputs that can be read ahead: files and bytes in memory. Returns
  /// nil if one thread does. With `always` each input's day is found.
  init?(
    _ conversion: Conversion, of series: ConversionPass, always: Bool,
    isArchive: (Input) -> Bool
  ) {
    let inputs = conversion.inputs
    guard let wanted = Self.wanted(inputs, conversion, series) else { return nil }
    let ahead = inputs.indices.filter { inputs[$0].sizeAhead != nil && !isArchive(inputs[$0]) }
    let count = min(wanted, ahead.count)
    guard count > 1 else { return nil }
    lanes = (0..<count).map { first in
      InputLane(
        stride(from: first, to: ahead.count, by: count).map { inputs[ahead[$0]] }, conversion,
        of: series, always: always)
    }
    rows = LaneRows(of: series)
    // The inputs of a lane without a thread are read when it is their turn.
    let running = lanes.map { $0.start() }
    for (place, index) in ahead.enumerated() where running[place % count] {
      lane[index] = lanes[place % count]
    }
  }

  deinit { stop() }

  /// The number of lanes that are worth it; nil for one.
  private static func wanted(
    _ inputs: [Input], _ conversion: Conversion, _ series: ConversionPass
  ) -> Int? {
    guard inputs.count > 1, conversion.threads != 1 else { return nil }
    // The nearest places are sought among all records in their order.
    guard series.options.observer == nil, series.parts.allSatisfy({ $0.near == nil }) else {
      return nil
    }
    // An output finds out that the event of a record is rejected. The record is wanted then.
    guard series.parts.allSatisfy({ $0.rejects == nil || !FanOut($0.branches).checksKeys }) else {
      return nil
    }
    if let threads = conversion.threads { return min(threads, most) }
    guard let least = conversion.offload.threshold, conversion.offload.hasProcessors else {
      return nil
    }
    var bytes = 0
    for input in inputs {
      bytes += input.sizeAhead ?? 0
      if bytes >= least { return min(Int(cposix_usable_processors()), most) }
    }
    return nil
  }

  /// Returns the lane that reads an input; nil if none does. Its inputs come in their order.
  func lane(of index: Int) -> InputLane? { lane[index] }

  /// Receives the next input of a lane. `begin` is called before its first row, and `show` with the
  /// counts so far. Returns the input, and the error that ended it.
  func receive(
    from lane: InputLane, begin: (OneInput) throws(PipelineError) -> Void,
    show: (OneInput, LaneCounts) -> Void
  ) throws(PipelineError) -> (one: OneInput, failure: PipelineError?) {
    while let parcel = lane.channel.receive() {
      let note = parcel.note
      do throws(PipelineError) {
        if note.begins { try begin(note.input) }
        show(note.input, note.counts)
        try rows.write(parcel.bytes, note.rejects)
      } catch {
        // The lane may wait until this parcel is back, too.
        lane.channel.giveBack(parcel)
        // What the lane has read since then does not count.
        stop()
        note.input.rewind(to: note.counts)
        return (note.input, error)
      }
      lane.channel.giveBack(parcel)
      guard let end = note.end else { continue }
      rows.endRecords()
      return (note.input, end.failure)
    }
    // Only a lane that was stopped ends before its inputs, and nobody asks it again.
    throw PipelineError(.source(.cancelled))
  }

  /// Ends all lanes, whatever they read, and waits for them.
  private func stop() {
    for lane in lanes { lane.stop() }
    for lane in lanes { lane.join() }
  }
}

/// The counts of an input at the moment when a lane handed on its rows.
struct LaneCounts: Sendable {
  fileprivate var upstream: UpstreamCounts
  /// Those of the pass, then those of its tables.
  fileprivate var records: [RecordCounts]
}

extension Counters {
  /// Resets the counts to those of an input's pass.
  func rewind(to counts: LaneCounts) {
    rewind(to: counts.upstream)
    if let records = counts.records.first { rewind(to: records) }
  }
}

extension OneInput {
  fileprivate var laneCounts: LaneCounts {
    LaneCounts(
      upstream: pass.counters.upstream,
      records: ([pass.counters] + pass.parts.map(\.counters)).map(\.records))
  }

  fileprivate func rewind(to counts: LaneCounts) {
    pass.counters.rewind(to: counts)
    for (part, records) in zip(pass.parts, counts.records.dropFirst()) {
      part.counters.rewind(to: records)
    }
  }
}

extension Input {
  /// Its size in bytes, if it can be read before it is its turn; nil if it cannot. Whoever writes
  /// into a pipe may wait for somebody to read another one first.
  fileprivate var sizeAhead: Int? {
    switch self {
    case .file(let path):
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return Int(status.st_size)
    case .bytes(let bytes): return bytes.count
    case .standardInput, .url, .requests: return nil
    }
  }
}

/// What a lane says with a parcel of rows.
struct LaneNote: Sendable {
  /// The end of an input, and the error that ended it.
  fileprivate struct End {
    var failure: PipelineError?
  }

  fileprivate var input: OneInput
  /// Whether these are the input's first rows.
  fileprivate var begins: Bool
  /// Its end, after these rows; nil if more of them come.
  fileprivate var end: End?
  fileprivate var counts: LaneCounts
  /// The records that were rejected since the last parcel.
  fileprivate var rejects: [LaneReject]
}

/// A rejected record, and the number of its table.
private struct LaneReject: Sendable {
  var table: Int
  var reject: Reject
}

/// Reads some of the inputs, one after the other, on a thread of its own.
///
/// That thread alone uses the rows and rejected records that wait here, and the current input. The
/// thread that made the lane starts, stops and joins it.
final class InputLane: @unchecked Sendable {
  /// The bytes of a parcel, and the number of parcels: all rows of a city's night.
  private static let size = 128 << 10
  private static let parcels = 32
  /// The time after which counts are handed on without rows, in nanoseconds.
  private static let patience = 100_000_000

  fileprivate let channel = BufferChannel<LaneNote>(limit: parcels)
  private let inputs: [Input]
  private let conversion: Conversion
  private let series: ConversionPass
  private let always: Bool
  private let cancellation: Cancellation
  private let isStopped = Atomic(false)
  /// The rows since the last parcel.
  private let batch = Box(ByteBuffer(capacity: size))
  private var rejects: [LaneReject] = []
  private var rejectedBytes = 0
  private var current: OneInput?
  /// Whether the current input has begun, and nobody knows it yet.
  private var begins = false
  /// When rows or counts were handed on last.
  private var handed = 0
  private var thread: WorkerThread?

  fileprivate init(
    _ inputs: [Input], _ conversion: Conversion, of series: ConversionPass, always: Bool
  ) {
    self.inputs = inputs
    self.series = series
    self.always = always
    cancellation = Cancellation(with: conversion.cancellation)
    self.conversion = conversion
  }

  /// Starts the thread. Returns whether it was created.
  fileprivate func start() -> Bool {
    thread = WorkerThread { [self] in run() }
    return thread != nil
  }

  /// Has the thread end soon.
  fileprivate func stop() {
    isStopped.store(true, ordering: .relaxed)
    cancellation.cancel()
  }

  /// Waits for the thread, which was told to stop or has nothing left to read.
  fileprivate func join() {
    guard let thread = thread.take() else { return }
    // It may wait for room.
    while let parcel = channel.receive() { channel.giveBack(parcel) }
    thread.join()
  }

  private func run() {
    var conversion = conversion
    conversion.cancellation = cancellation
    // The thread that writes reports the progress.
    conversion.progress = { [unowned self] _ in showCounts() }
    // A lane needs no other thread.
    conversion.offload = .never
    for input in inputs {
      if isStopped.load(ordering: .relaxed) { break }
      read(input, conversion)
      current = nil
    }
    channel.close()
  }

  private func read(_ input: Input, _ conversion: Conversion) {
    var facts = InputFacts(path: input.name)
    var failure: PipelineError?
    do throws(PipelineError) {
      facts = try conversion.facts(
        of: input, for: series.parts.map(\.table), series.options.zones, always: always)
    } catch {
      failure = error
    }
    let parts = series.parts.enumerated().map { (index, part) in
      let counters = Counters()
      return part.part(
        of: facts, counters,
        into: Branch(LaneStage(self, index, counters, FanOut(part.branches).checksKeys)),
        rejects: part.rejects.map { _ in LaneRejects(self, index) })
    }
    let one = OneInput(facts, in: series, conversion, parts)
    current = one
    failure = failure ?? one.read(input) { [self] _ in begins = true }
    hand(LaneNote.End(failure: failure))
  }

  /// Hands on the counts of an input that has had no rows for long.
  private func showCounts() {
    if MonotonicTime.now - handed > Self.patience { hand() }
  }

  /// Takes a row of the current input.
  fileprivate func take(_ row: borrowing Record, _ mark: RowMark) {
    let batch = batch.value
    mark.append(to: &batch.pointee)
    PackedRow.append(row, texts: mark.hasTexts, to: &batch.pointee)
    if batch.pointee.count >= Self.size { hand() }
  }

  /// Takes a rejected record of the current input.
  fileprivate func take(_ reject: LaneReject) {
    rejects.append(reject)
    rejectedBytes += reject.reject.raw.count + (reject.reject.value?.count ?? 0)
    if rejectedBytes >= Self.size { hand() }
  }

  /// Hands on the rows so far, and the end after them. Waits if there are many that nobody has
  /// received.
  private func hand(_ end: LaneNote.End? = nil) {
    guard let current else { return }
    let batch = batch.value
    let isLarge = batch.pointee.capacity > 2 * Self.size
    // The receiver never fails: it receives until the channel is closed.
    _ = channel.send(
      &batch.pointee,
      LaneNote(
        input: current, begins: begins, end: end, counts: current.laneCounts, rejects: rejects))
    (begins, rejects, rejectedBytes) = (false, [], 0)
    handed = MonotonicTime.now
    // Rows of many MiB do not wait side by side.
    if isLarge { _ = channel.drain() }
    if batch.pointee.capacity > 2 * Self.size { batch.pointee = ByteBuffer(capacity: Self.size) }
  }
}

/// What stands before a packed row.
private struct RowMark: BitwiseCopyable {
  /// The number of the row's table.
  let table: Int
  let fate: RowFate
  /// Whether it is the first row of its record.
  let isFirst: Bool

  /// Whether the row's texts are known.
  var hasTexts: Bool {
    if case .rejected = fate { false } else { true }
  }

  func append(to buffer: inout ByteBuffer) {
    withUnsafeBytes(of: self) { buffer.append($0) }
  }
}

/// Packs the rows of one table of a lane's input.
private struct LaneStage: RecordStage, ~Copyable {
  private let lane: InputLane
  private let table: Int
  private let counters: Counters
  let checksKeys: Bool
  /// The number of the record whose row came last.
  private var record = 0

  init(_ lane: InputLane, _ table: Int, _ counters: Counters, _ checksKeys: Bool) {
    self.lane = lane
    self.table = table
    self.counters = counters
    self.checksKeys = checksKeys
  }

  mutating func take(_ row: borrowing Record, _ fate: RowFate) {
    let number = counters.read.value
    lane.take(row, RowMark(table: table, fate: fate, isFirst: number != record))
    record = number
  }

  mutating func take(_ series: borrowing RowSeries, of record: inout Record) {
    // Each row is a record of its own.
    for row in 0..<series.count {
      series.set(row, in: &record)
      lane.take(record, RowMark(table: table, fate: .wanted, isFirst: true))
    }
  }

  consuming func finish() {}
}

/// Takes the rejected records of one table of a lane's input.
private final class LaneRejects: RejectReceiver {
  private unowned let lane: InputLane
  private let table: Int

  init(_ lane: InputLane, _ table: Int) {
    self.lane = lane
    self.table = table
  }

  func receive(_ reject: Reject) { lane.take(LaneReject(table: table, reject: reject)) }
}

/// Hands on the rows of all lanes to the branches of the run.
private final class LaneRows {
  private let parts: [ConversionPart]
  private let tables: [Box<FanOut>]
  /// Whether an output looks for the same number of two addresses.
  private let checksKeys: Bool
  private let row = Box(PackedRow())

  init(of series: ConversionPass) {
    parts = series.parts
    tables = parts.map { Box(FanOut($0.branches, endsThem: false)) }
    checksKeys = parts.contains { FanOut($0.branches).checksKeys }
  }

  /// Hands on rows and rejected records. Throws the error of an output.
  func write(
    _ bytes: borrowing ByteBuffer, _ rejects: [LaneReject]
  ) throws(PipelineError) {
    let bytes = bytes.contents
    let row = row.value
    var place = 0
    while place < bytes.count {
      let mark = bytes.loadUnaligned(fromByteOffset: place, as: RowMark.self)
      place = row.pointee.read(bytes, at: place + MemoryLayout<RowMark>.size)
      if mark.isFirst, checksKeys { endRecord(of: parts[mark.table]) }
      try tables[mark.table].value.pointee.take(row.pointee.record, mark.fate)
    }
    for reject in rejects { try parts[reject.table].rejects?.receive(reject.reject) }
  }

  /// Counts the last record of each table, if its event was left out.
  func endRecords() {
    for part in parts { endRecord(of: part) }
  }

  /// Counts a record whose event was left out, because its address has the number of another one.
  private func endRecord(of part: ConversionPart) {
    guard part.eventCounters.sameNumberRows.value > 0 else { return }
    part.eventCounters.sameNumberRows.set(0)
    part.eventCounters.sameNumber.increase()
  }
}
