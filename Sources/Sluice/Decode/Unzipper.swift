import CLibraries

/// Unpacks the one wanted entry of a ZIP archive, reading forward only, and checks the whole
/// archive to its last byte.
///
/// The previous stage drives. The archive may be cut anywhere. The entry's bytes are passed on
/// while they are inflated. Bytes inflated before an error are passed on before the error is
/// thrown. Throws ``ZIPFault`` with the offset in the archive.
///
/// Only the central directory, after all data, says whether an entry is a symbolic link. So an
/// entry that is short enough for a link is held until ``finish()``, and the first longer one is
/// passed on at once. If there are several entries, it may be the wrong one, which is known only at
/// the end. The names of all entries are read and their data is checked in any case. To report
/// these names, an error of the next stages about the content is kept until the archive has been
/// read. This is the only place where a stage catches an error of another.
struct Unzipper<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  /// How the bytes of the current entry are used.
  private enum Role {
    /// They are only checked.
    case checked
    /// They wait in the window, because this may be a link.
    case held
    /// They are passed on.
    case delivered
  }

  private var next: Next
  private let options: UnzipOptions
  private let counters: Counters
  private var structure: ZIPStructure
  private var body: EntryBody
  private var isInEntry = false
  private var role = Role.checked
  /// The index of the entry that was passed on at once.
  private var delivered: Int?
  /// The entries that wait, one after the other, and the range of each.
  private var held = ByteBuffer(capacity: ZIPLimits.link)
  private var holdings: [(entry: Int, range: Range<Int>)] = []
  private var bytesOut = 0
  /// The error of the next stages about the entry that was passed on at once.
  private var objection: PipelineError?

  init(into next: consuming Next, options: UnzipOptions, counters: Counters) {
    self.next = next
    self.options = options
    self.counters = counters
    structure = ZIPStructure(options: options)
    body = EntryBody()
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    defer { publish() }
    var at = 0
    while true {
      try structure.read(bytes, from: &at)
      if !structure.isAtData { return }
      if !isInEntry { begin() }
      if try !takeData(bytes, from: &at) { return }
      try end()
    }
  }

  consuming func finish() throws(PipelineError) {
    try structure.end()
    let chosen: Int
    do {
      chosen = try structure.table.choose(options.entry)
    } catch {
      throw PipelineError(.unzip(error), at: structure.offset)
    }
    if let objection { throw objection }
    if let holding = holdings.first(where: { $0.entry == chosen }) {
      dateContent(structure.table.entries[chosen])
      bytesOut += holding.range.count
      publish()
      try next.write(
        RawSpan(
          _unsafeStart: held.start + holding.range.lowerBound, byteCount: holding.range.count))
    }
    try next.finish()
  }

  private mutating func begin() {
    let entry = structure.table.current
    isInEntry = true
    body.begin(entry.header, at: structure.offset, limit: options.maxSize)
    let isWanted = options.entry.map { entry.name.matches($0) } ?? true
    role = entry.kind == .data && isWanted ? .held : .checked
    if role == .held, let size = entry.header.size, size > ZIPLimits.link { release() }
  }

  /// Reads the current entry's data. Returns whether it has ended.
  private mutating func takeData(
    _ bytes: RawSpan, from at: inout Int
  ) throws(PipelineError) -> Bool {
    while true {
      let before = at
      let progress = body.take(bytes, from: &at)
      structure.passData(at - before)
      // Too long for a link.
      if role == .held && body.produced > ZIPLimits.link { release() }
      if role != .held { try passOn() }
      switch progress {
      case .hungry: return false
      case .full: continue
      case .ended: return true
      case .failed(let fault, let offset): throw PipelineError(.unzip(fault), at: offset)
      }
    }
  }

  private mutating func end() throws(PipelineError) {
    isInEntry = false
    if role == .held {
      let start = held.count
      held.append(body.window.contents)
      holdings.append((structure.table.entries.count - 1, start..<held.count))
      body.window.removeAll()
    }
    try structure.endData(body.facts)
  }

  /// Stops holding the current entry, because it is too long for a link.
  private mutating func release() {
    if delivered != nil {
      // The second one: only the names of the other entries are still of interest.
      role = .checked
      return
    }
    role = .delivered
    delivered = structure.table.entries.count - 1
    dateContent(structure.table.current)
  }

  private mutating func passOn() throws(PipelineError) {
    if role == .delivered && body.window.count > 0 {
      bytesOut += body.window.count
      publish()
      do {
        try next.take(&body.window)
      } catch {
        // A long text file before the data is not a feed. The user must learn that there are
        // several entries, and which. This is known only further on.
        guard error.isOfContent else { throw error }
        objection = error
        role = .checked
      }
    }
    body.window.removeAll()
  }

  private func dateContent(_ entry: ZIPEntry) {
    if let seconds = entry.header.modified.seconds(in: options.zone) {
      options.date.set(seconds)
    }
  }

  private func publish() {
    counters.unzip.bytesIn.set(structure.offset)
    counters.unzip.bytesOut.set(bytesOut)
  }
}

/// The options for reading an archive.
struct UnzipOptions: Sendable {
  /// The entry to deliver, by its bytes or as it is shown, or a pattern that it alone fits. Nil
  /// means the only data entry.
  var entry: String?
  /// The most entries that an archive may have.
  var maxEntries = ZIPLimits.entries
  /// The maximum number of bytes that an entry may inflate to.
  var maxSize = Self.standardMaxSize
  /// 2 GiB.
  static let standardMaxSize = 2 << 30
  /// The zone of the archive's local times.
  var zone = Zone.utc
  /// Set to the time of the delivered entry, if that has one.
  var date = ContentDate()
  /// The listing of the archive's entries to fill, or nil if none is wanted.
  var listing: ZIPListing?
}
