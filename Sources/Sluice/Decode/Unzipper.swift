/// Unpacks the one entry of a ZIP archive that is wanted, reading forward only, and checks the
/// whole archive to its last byte.
///
/// The stage before drives; the archive may be cut anywhere. The entry's bytes are passed on while
/// they are inflated; what was inflated before an error is passed on before the error is thrown.
/// Throws ``ZIPFault`` with the offset in the archive.
///
/// Whether an entry is a symbolic link stands in the central directory, behind all data. So an
/// entry that is short enough for one is held until ``finish()``; the first longer one is passed
/// on at once. That it was the wrong one, because there are several, turns out at the end: the
/// entries' names are read and their data is checked either way. For their sake what the next
/// stages say of the data itself is kept until the archive has been read: the one place where a
/// stage catches an error of another.
struct Unzipper<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  /// What happens with the bytes of the current entry.
  private enum Role {
    /// They are only checked.
    case checked
    /// They wait in the window: this may be a link.
    case held
    /// They are passed on.
    case delivered
  }

  private var next: Next
  private let options: UnzipOptions
  private let tally: Tally
  private var structure: ZIPStructure
  private var body: EntryBody
  private var isInEntry = false
  private var role = Role.checked
  /// The entry that was passed on at once.
  private var delivered: Int?
  /// The entries that wait, one behind the other, and which entry begins where.
  private var held = ByteBuffer(capacity: ZIPLimits.link)
  private var holdings: [(entry: Int, range: Range<Int>)] = []
  private var bytesOut = 0
  /// What the next stages found wrong with the entry that was passed on at once.
  private var objection: PipelineError?

  init(into next: consuming Next, options: UnzipOptions, tally: Tally) {
    self.next = next
    self.options = options
    self.tally = tally
    structure = ZIPStructure(options: options)
    body = EntryBody(maxSize: options.maxSize)
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
    body.begin(entry.header, at: structure.offset)
    let isWanted = options.entry.map { entry.name.matches($0) } ?? true
    role = entry.kind == .data && isWanted ? .held : .checked
    if role == .held, let size = entry.header.size, size > ZIPLimits.link { release() }
  }

  /// Takes the current entry's data; says whether it has ended.
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

  /// Stops holding the current entry: it is too long for a link.
  private mutating func release() {
    if delivered != nil {
      // The second one: all that is left to do is to find the other names.
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
        // A long text file before the data is no feed: that there are several entries, and which,
        // is what its user has to hear, and stands behind it.
        guard error.isOfContent else { throw error }
        objection = error
        role = .checked
      }
    }
    body.window.removeAll()
  }

  private func dateContent(_ entry: ZIPEntry) {
    if let seconds = entry.header.modified.seconds(eastBy: options.clockOffset) {
      tally.modified.set(seconds)
    }
  }

  private func publish() {
    tally.unzip.bytesIn.set(structure.offset)
    tally.unzip.bytesOut.set(bytesOut)
  }
}
