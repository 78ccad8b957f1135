import CSluice

/// Reads some sections of a list, one after the other, on a thread of its own.
///
///     lane 0   section 0 │ section 3 │ section 6 …
///     lane 1   head │ section 1 │ section 4 …
///     lane 2   head │ section 2 │ section 5 …
///
/// The state of the stages is the same between any two elements of a list. So a lane goes on with
/// its next section as if nothing were between the two. Before its first one it reads the head, all
/// that comes before the elements.
///
/// That thread alone uses the stages. The thread that made the lane starts, stops and joins it.
final class ListLane: @unchecked Sendable {
  private let file: ListFile
  private let sections: StrideTo<Int>
  private let cancellation: Cancellation
  let outlet: SectionOutlet
  private let json: Box<Tokenizer<Normalizer<FanOut>>>
  private let encoders: [RowwiseEncoder]
  private let chunk = Box(ByteBuffer(capacity: DescriptorSource.pieceSize))
  /// Whether the head has been read.
  private var hasBegun = false
  /// The elements of the outermost list so far, if they are not the records; and those of inner
  /// lists that were left out.
  private var elements: Int?
  private var lists: [UnreadElements] = []
  private var thread: WorkerThread?

  /// Makes a lane for these sections of a table with these outputs.
  init(
    _ file: ListFile, sections: StrideTo<Int>, of pass: ConversionPass, _ part: ConversionPart,
    into outputs: [RowwiseOutput]
  ) throws(PipelineError) {
    self.file = file
    self.sections = sections
    cancellation = Cancellation(with: pass.conversion.cancellation)
    let outlet = SectionOutlet()
    var encoders: [RowwiseEncoder] = []
    for (index, output) in outputs.enumerated() {
      encoders.append(
        try output.encoder(ByteSink(SectionSink(outlet, index)), outlet.counters))
    }
    self.outlet = outlet
    self.encoders = encoders
    var own = ConversionPart(part.table, counters: outlet.counters)
    own.branches = encoders.map(\.branch)
    own.rejects = part.rejects.map { _ in outlet }
    json = Box(Tokenizer(into: pass.rows(ofSections: own), counters: outlet.counters))
  }

  /// Starts the thread. Returns whether it was created.
  func start() -> Bool {
    thread = WorkerThread { [self] in run() }
    return thread != nil
  }

  /// Has the thread end soon.
  func stop() { cancellation.cancel() }

  /// Waits for the thread, which was told to stop or has nothing left to read.
  func join() {
    guard let thread = thread.take() else { return }
    outlet.drop()
    thread.join()
  }

  private func run() {
    for section in sections {
      guard let start = file.cuts.start(of: section) else { continue }
      do throws(PipelineError) {
        guard try read(section, from: start) else { break }
      } catch {
        outlet.hand(.failed(error))
        break
      }
    }
    outlet.close()
  }

  /// Reads a section, and all that follows if it turns out that the next one does not begin at its
  /// cut. Returns whether the next one does.
  private func read(_ section: Int, from start: Int) throws(PipelineError) -> Bool {
    try begin(section, at: start)
    let end = file.cuts.end(of: section)
    var place = try read(from: start, upTo: end)
    if let end, place == end {
      try json.value.pointee.endPart(before: file.form.separatorByte)
      // Once the path has matched and keys are known, that stays so. The first section tells.
      if isAtCut, section > 0 || json.value.pointee.next.paths.isSettled {
        noteElements()
        try handOn(.atCut)
        return true
      }
      place = try read(from: end, upTo: nil)
    }
    // Whoever has read all of the document knows whether it is the feed's.
    if section == 0 { json.value.pointee.next.isSection = false }
    try json.value.pointee.endText(areLines: file.form.areLines)
    outlet.counters.json.bytesIn.set(place)
    noteElements()
    try json.take().finish()
    try handOn(.whole)
    return false
  }

  /// Whether the last byte was the end of an element.
  private var isAtCut: Bool {
    json.value.pointee.isBetweenElements(areLines: file.form.areLines)
  }

  /// Goes to the begin of a section.
  private func begin(_ section: Int, at start: Int) throws(PipelineError) {
    defer { hasBegun = true }
    if !hasBegun {
      if file.form.areLines { try json.value.pointee.beginLines() }
      if section == 0 { return }
      if !file.form.areLines { _ = try read(from: 0, upTo: file.form.head) }
    }
    json.value.pointee.goTo(start, areLines: file.form.areLines)
  }

  /// Reads bytes up to an offset, or to the end of the file. Returns where it stopped.
  private func read(from start: Int, upTo end: Int?) throws(PipelineError) -> Int {
    let (chunk, counters) = (chunk.value, outlet.counters)
    var place = start
    while place < end ?? .max {
      if cancellation.isCancelled { throw PipelineError(.source(.cancelled)) }
      chunk.pointee.removeAll()
      let limit = end.map { $0 - place } ?? .max
      switch FileDescriptor.read(file.descriptor, at: place, atMost: limit, into: &chunk.pointee) {
      case .bytes(let count):
        place += count
        counters.source.bytesIn.set(place)
        try json.value.pointee.write(chunk.pointee)
        counters.source.bytesOut.set(place)
      case .end: return place
      case .failed(let error):
        throw PipelineError(.source(.read(path: file.path, errno: error)), at: place)
      }
    }
    return place
  }

  /// Hands on all rows of a section, and how it ended.
  private func handOn(_ end: SectionNote.End) throws(PipelineError) {
    for encoder in encoders { try encoder.handOn() }
    outlet.hand(end, elements: elements, lists: lists)
  }

  private func noteElements() {
    elements = json.value.pointee.next.paths.elements
    lists = json.value.pointee.next.paths.elementLists
  }
}

/// Where a lane hands on what it has made of its sections.
///
/// The lane's thread alone uses the rejected records that wait here.
final class SectionOutlet: RejectReceiver, @unchecked Sendable {
  /// The number of parcels of encoded rows that wait at most.
  private static let parcels = 4
  /// The bytes of rejected records that wait at most.
  private static let maxRejected = 128 << 10

  let counters = Counters()
  private let channel = BufferChannel<SectionNote>(limit: parcels)
  private var rejects: [Reject] = []
  private var rejectedBytes = 0
  /// What is handed on without rows. It is as large as the buffers of rows, because all are
  /// exchanged.
  private let nothing = Box(ByteBuffer(capacity: OutputBuffer<ByteSink>.capacity))

  /// Hands on encoded rows of an output, and leaves the buffer empty.
  fileprivate func hand(_ rows: inout ByteBuffer, of output: Int) {
    send(&rows, SectionNote(output: output, self))
  }

  /// Hands on the end of a section.
  fileprivate func hand(
    _ end: SectionNote.End, elements: Int? = nil, lists: [UnreadElements] = []
  ) {
    var note = SectionNote(output: nil, self)
    (note.end, note.elements, note.lists) = (end, elements, lists)
    send(&nothing.value.pointee, note)
  }

  func receive(_ reject: Reject) {
    rejects.append(reject)
    rejectedBytes += reject.raw.count + (reject.value?.count ?? 0)
    if rejectedBytes >= Self.maxRejected {
      send(&nothing.value.pointee, SectionNote(output: nil, self))
    }
  }

  /// Waits if there are many parcels that nobody has received.
  private func send(_ rows: inout ByteBuffer, _ note: SectionNote) {
    var note = note
    note.rejects = rejects
    (rejects, rejectedBytes) = ([], 0)
    // The receiver never fails: it receives until the channel is closed.
    _ = channel.send(&rows, note)
  }

  fileprivate func close() { channel.close() }

  /// Waits for what comes next; nil after the end.
  func receive() -> Parcel<SectionNote>? { channel.receive() }

  /// Returns a parcel that was received.
  func giveBack(_ parcel: Parcel<SectionNote>) { channel.giveBack(parcel) }

  /// Receives all that comes, for nobody.
  fileprivate func drop() {
    while let parcel = channel.receive() { channel.giveBack(parcel) }
  }
}

/// What a lane says with encoded rows.
struct SectionNote: Sendable {
  /// How a section ended.
  enum End {
    /// The next one begins where it ends.
    case atCut
    /// The document has ended, too.
    case whole
    case failed(PipelineError)
  }

  /// The number of the output that the rows are for; nil if there are none.
  let output: Int?
  /// The counts of the lane, all its sections together.
  let upstream: UpstreamCounts
  let records: RecordCounts
  /// The records that were rejected since the last note.
  fileprivate(set) var rejects: [Reject] = []
  /// The end of the section; nil if more of it comes.
  fileprivate(set) var end: End?
  /// The elements of the outermost list so far, if they are not the records; and those of inner
  /// lists that were left out.
  fileprivate(set) var elements: Int?
  fileprivate(set) var lists: [UnreadElements] = []

  fileprivate init(output: Int?, _ outlet: SectionOutlet) {
    self.output = output
    upstream = outlet.counters.upstream
    records = outlet.counters.records
  }
}

/// Takes the rows that a lane has encoded for one output.
private struct SectionSink: ByteStage, ~Copyable {
  private let outlet: SectionOutlet
  private let output: Int

  init(_ outlet: SectionOutlet, _ output: Int) {
    self.outlet = outlet
    self.output = output
  }

  mutating func write(_ bytes: RawSpan) {
    var rows = ByteBuffer(capacity: max(1, bytes.byteCount))
    rows.append(bytes)
    take(&rows)
  }

  mutating func take(_ buffer: inout ByteBuffer) {
    if buffer.count > 0 { outlet.hand(&buffer, of: output) }
  }

  consuming func finish() {}
}

extension Tokenizer where Next: ~Copyable {
  /// Ends the text, all but the stages after it.
  fileprivate mutating func endText(areLines: Bool) throws(PipelineError) {
    if cut.count > 0 { _ = try takeCut(UnsafeRawBufferPointer(start: nil, count: 0)) }
    if areLines { try endLines() }
  }

  /// Goes on at the separator before another element. The last byte was the end of one, or the list
  /// has just begun.
  fileprivate mutating func goTo(_ offset: Int, areLines: Bool) {
    inside = .none
    place = areLines ? .end : .separator
    chunkOffset = offset
  }
}

extension Tokenizer<Normalizer<FanOut>> {
  /// Whether the last byte was the end of an element of the outermost list on the path to the rows.
  fileprivate func isBetweenElements(areLines: Bool) -> Bool {
    guard inside == .none, next.paths.isAtList else { return false }
    return areLines ? place == .end && nesting.depth == 0 : place == .separator && !nesting.inObject
  }
}
