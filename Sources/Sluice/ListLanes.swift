import CSluice
import Glibc

/// A file whose list is read in sections.
struct ListFile: Sendable {
  /// The open file.
  let descriptor: Int32
  let path: String?
  /// Its size when it was opened.
  let size: Int
  let cuts: ListCuts

  /// How the list is written.
  var form: ListForm { cuts.form }
}

/// Reads one list of a plain file on several threads. What they make of it is written in order.
///
///     lane 0:  section 0 ─▶ JSON ─▶ normalizer ─▶ encoders, then 3 ─┐
///     lane 1:  section 1 ─▶ JSON ─▶ normalizer ─▶ encoders, then 4 ─┼─▶ bytes of 0, 1, 2, … ─▶ outputs
///     lane 2:  section 2 ─▶ JSON ─▶ normalizer ─▶ encoders, then 5 ─┘
///
/// Where a section begins is a guess: see ``ListCuts``. The lane that reads the section before
/// knows. If it arrives there between two elements, the guess was right, and all that the next lane
/// has made is what one thread would make. If not, that lane reads the rest alone, and what the
/// others have made is dropped. So nothing is guessed in the outputs.
///
/// Outputs, errors and counts are those of one thread: rows and rejected records come with the
/// counts at that moment. If a run fails, standard output may have more or fewer of the first rows,
/// and the bytes that stages have read may differ by some pieces.
final class ListLanes {
  /// The most lanes, and the most if nobody asks for a number. Each takes almost a MiB, and a
  /// fourth one saves little.
  private static let most = 6
  private static let usual = 3
  /// The size of a file that is read so if nobody asks for a number, in thresholds. A smaller one
  /// takes one thread half a second at most, and fewer cycles in all.
  private static let usualFactor = 64

  private let file: ListFile
  private let part: ConversionPart
  private let outputs: [RowwiseOutput]
  private let pass: ConversionPass
  private let lanes: [ListLane]
  /// The counts of each lane, as far as its rows were written.
  private let written: [Counters]
  private var elements: [Int?]
  private var lists: [[UnreadElements]]
  /// The counts before the first row.
  private let start: RecordCounts
  private var report: ProgressReport

  /// Starts the lanes for a source that is a plain file with a list. Returns nil if one thread
  /// does, or if something is wanted that only one thread finds out.
  init?(_ pass: ConversionPass, _ source: borrowing Source) throws(PipelineError) {
    guard let count = Self.wanted(pass), pass.parts.count == 1, let part = pass.parts.first,
      let outputs = part.rowwiseOutputs, let file = Self.file(source, pass, part.table)
    else { return nil }
    self.pass = pass
    self.part = part
    self.outputs = outputs
    self.file = file
    let laneCount = min(count, file.cuts.count)
    var lanes: [ListLane] = []
    for first in 0..<laneCount {
      lanes.append(
        try ListLane(
          file, sections: stride(from: first, to: file.cuts.count, by: laneCount), of: pass, part,
          into: outputs))
    }
    self.lanes = lanes
    written = lanes.map { _ in Counters() }
    elements = lanes.map { _ in nil }
    lists = lanes.map { _ in [] }
    start = pass.counters.records
    report = ProgressReport(pass.conversion.progress, pass.counters)
    guard lanes.allSatisfy({ $0.start() }) else {
      stop()
      return nil
    }
    source.publishStatus(to: pass.counters, pass.date)
    if file.form.areLines { pass.counters.isEndless.set(1) }
  }

  deinit { stop() }

  /// The number of lanes that are worth it; nil for none.
  private static func wanted(_ pass: ConversionPass) -> Int? {
    let (conversion, options) = (pass.conversion, pass.options)
    guard conversion.threads != 1, conversion.offload.threshold != nil,
      conversion.offload.hasProcessors
    else { return nil }
    // A place is sought in one piece, and several inputs have counts of their own.
    guard options.place.isEmpty, options.observer == nil, !options.tracksAllRows,
      pass.selectors.isEmpty, pass.content == nil, pass.runCounters == nil
    else { return nil }
    if let threads = conversion.threads { return min(threads, most) }
    return min(max(2, Int(cposix_usable_processors())), usual)
  }

  /// Returns the file, if it is large enough and has a list.
  private static func file(
    _ source: borrowing Source, _ pass: ConversionPass, _ table: Table
  ) -> ListFile? {
    guard let (descriptor, size) = source.plainFile, let least = pass.conversion.offload.threshold,
      size >= least * (pass.conversion.threads == nil ? usualFactor : 2)
    else { return nil }
    var first = ByteBuffer(capacity: min(ListForm.reach, size))
    guard case .bytes = FileDescriptor.read(descriptor, at: 0, into: &first),
      let form = ListForm(
        first.contents, rows: table.rows, hasEnvelope: pass.conversion.feed.envelope != nil)
    else { return nil }
    return ListFile(
      descriptor: descriptor, path: source.path, size: size,
      cuts: ListCuts(form, descriptor, size: size, length: pass.conversion.sectionLength))
  }

  /// Writes all rows in their order, and ends the outputs. Throws the first error.
  func run() throws(PipelineError) {
    defer { stop() }
    var section = 0
    while true {
      guard file.cuts.start(of: section) != nil else {
        section += 1
        continue
      }
      guard try receive(from: section % lanes.count) else { break }
      section += 1
      file.cuts.forget(before: section)
    }
    stop()
    try pass.counters.refuseIfTooManyRejected(pass.options.limit)
    let sum = elements.reduce(0) { $0 + ($1 ?? 0) }
    pass.counters.elements.set(elements[0] == nil ? pass.counters.read.value : sum)
    part.findings.add(lists.flatMap(\.self))
    part.findings.unread.removeAll { $0.elements == 0 }
    report.tellEnd()
    if pass.endsOutputs { try FanOut(part.branches).finish() }
  }

  /// Writes the next section of a lane. Returns whether another section follows.
  private func receive(from lane: Int) throws(PipelineError) -> Bool {
    let outlet = lanes[lane].outlet
    // The lane counts its own records.
    let before = pass.counters.read.value - written[lane].read.value
    while let parcel = outlet.receive() {
      let note = parcel.note
      show(note, of: lane)
      if let output = note.output { try outputs[output].write(&parcel.bytes) }
      for reject in note.rejects {
        var reject = reject
        reject.record += before
        try part.rejects?.receive(reject)
      }
      outlet.giveBack(parcel)
      switch note.end {
      case nil: continue
      case .atCut: return true
      case .whole: return false
      case .failed(var error):
        error.record = error.record.map { $0 + before }
        throw error
      }
    }
    // Only a lane that was stopped ends before its sections, and nobody asks it again.
    throw PipelineError(.source(.cancelled))
  }

  /// Adds up the counts of all lanes.
  private func show(_ note: SectionNote, of lane: Int) {
    written[lane].rewind(to: note.records)
    if note.end != nil { (elements[lane], lists[lane]) = (note.elements, note.lists) }
    let counters = pass.counters
    counters.rewind(to: start)
    for lane in written { counters.add(lane) }
    counters.json.bytesIn.set(written[lane].json.bytesIn.value)
    counters.rewind(to: note.upstream)
    report.tell()
  }

  /// Ends all lanes, whatever they read, and waits for them. Later calls do nothing.
  private func stop() {
    for lane in lanes { lane.stop() }
    for lane in lanes { lane.join() }
  }
}

extension ConversionPart {
  /// The outputs of its rows; nil if not all of them can be encoded in several threads, or if a
  /// table needs to be read in one piece.
  fileprivate var rowwiseOutputs: [RowwiseOutput]? {
    let outputs = branches.compactMap(\.rowwise)
    guard !outputs.isEmpty, outputs.count == branches.count, late == nil, shares == nil,
      near == nil, table.zipped.isEmpty
    else { return nil }
    return outputs
  }
}
