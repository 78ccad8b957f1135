/// Receives the wanted entries of an archive, one after the other. Each is an input of its own.
protocol EntryReceiver: AnyObject {
  /// Returns the stages that read an entry, or nil if its data is only checked. It may inflate to
  /// `left` bytes. `modified` is its time in seconds since 1970, nil if it has none. The stages are
  /// finished when its data is complete and right.
  func begin(_ entry: EntryName, modified: Int?, left: Int) throws(PipelineError) -> ByteSink?
  /// The bytes that the stages of the entries so far unpacked themselves: those of archives in it.
  var unpacked: Int { get }
  /// Is told of the entries that turned out to be symbolic links, after all data. `offset` is the
  /// end of the archive.
  func judge(links: [EntryName], at offset: Int) throws(PipelineError)
}

/// Unpacks the entries of a ZIP archive that fit a pattern, in their order, reading forward only,
/// and checks the whole archive to its last byte, as ``Unzipper`` does.
///
///     2026-01-05.json ─▶ stages ─▶ finish
///     2026-01-06.json ─▶ stages ─▶ finish
///     readme.txt        only checked
///     central directory: all entries listed, none of them a link ─▶ finish
///
/// An entry's error about its content is kept until the archive has been read to its end: if the
/// archive is damaged, that is the better error. The entries after it are only checked. Throws
/// ``ZIPFault`` with the offset in the archive.
struct EntryReader: ByteStage, ~Copyable {
  private let pattern: EntryPattern
  private let receiver: any EntryReceiver
  private let options: UnzipOptions
  private let counters: Counters
  private var structure: ZIPStructure
  private var body = EntryBody()
  private var isInEntry = false
  /// The stages of the current entry; nil if it is only checked.
  private var stages: ByteSink?
  /// The wanted entries that are short enough for a link.
  private var short: [Int] = []
  private var matches = 0
  /// The bytes of the wanted entries so far, and those that were passed on.
  private var sum = 0
  private var bytesOut = 0
  /// The first error of an entry's content.
  private var objection: PipelineError?

  init(
    _ pattern: EntryPattern, into receiver: any EntryReceiver, options: UnzipOptions,
    counters: Counters
  ) {
    self.pattern = pattern
    self.receiver = receiver
    self.counters = counters
    var options = options
    options.maxEntries = ZIPLimits.chosenEntries
    self.options = options
    structure = ZIPStructure(options: options)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    defer { publish() }
    var at = 0
    while true {
      try structure.read(bytes, from: &at)
      if !structure.isAtData { return }
      if !isInEntry { try begin() }
      if try !takeData(bytes, from: &at) { return }
      try end()
    }
  }

  consuming func finish() throws(PipelineError) {
    try structure.end()
    let table = structure.table
    if matches == 0 {
      let names = table.entries.filter { $0.kind == .data }.map(\.name)
      throw PipelineError(
        .unzip(.noSuchEntry(wanted: pattern.text, names: names)), at: structure.offset)
    }
    let links = short.map { table.entries[$0] }.filter { $0.kind == .link }.map(\.name)
    try receiver.judge(links: links, at: structure.offset)
    if let objection { throw objection }
  }

  private mutating func begin() throws(PipelineError) {
    let entry = structure.table.current
    isInEntry = true
    let isWanted = entry.kind == .data && pattern.matches(entry.name)
    let left = max(0, options.maxSize - sum - receiver.unpacked)
    body.begin(
      entry.header, at: structure.offset, limit: isWanted ? left : options.maxSize,
      of: isWanted ? options.maxSize : nil)
    guard isWanted else { return }
    matches += 1
    guard objection == nil else { return }
    stages = try receiver.begin(
      entry.name, modified: entry.header.modified.seconds(in: options.zone), left: left)
  }

  /// Reads the current entry's data. Returns whether it has ended.
  private mutating func takeData(
    _ bytes: RawSpan, from at: inout Int
  ) throws(PipelineError) -> Bool {
    while true {
      let before = at
      let progress = body.take(bytes, from: &at)
      structure.passData(at - before)
      switch progress {
      case .hungry: return false
      case .full: try passOn()
      case .ended: return true
      case .failed(let fault, let offset): throw PipelineError(.unzip(fault), at: offset)
      }
    }
  }

  private mutating func end() throws(PipelineError) {
    try passOn()
    isInEntry = false
    let entry = structure.table.current
    if entry.kind == .data, pattern.matches(entry.name) {
      sum += body.produced
      if body.produced <= ZIPLimits.link { short.append(structure.table.entries.count - 1) }
    }
    try structure.endData(body.facts)
    guard let stages = stages.take() else { return }
    do throws(PipelineError) {
      try stages.finish()
    } catch {
      try keep(error)
    }
  }

  private mutating func passOn() throws(PipelineError) {
    if stages != nil, body.window.count > 0 {
      bytesOut += body.window.count
      publish()
      do throws(PipelineError) {
        try stages?.take(&body.window)
      } catch {
        stages = nil
        try keep(error)
      }
    }
    body.window.removeAll()
  }

  private mutating func keep(_ error: PipelineError) throws(PipelineError) {
    guard error.isOfInput else { throw error }
    objection = error
  }

  private func publish() {
    counters.unzip.bytesIn.set(structure.offset)
    counters.unzip.bytesOut.set(bytesOut)
  }
}

/// A pattern for the names of an archive's entries: `*` is any text, `?` any character.
package struct EntryPattern: Sendable, Equatable {
  /// The pattern as it was given.
  package let text: String
  private let scalars: [Unicode.Scalar]

  /// Reads a pattern. Returns nil for a text that has neither `*` nor `?`, which is a name.
  package init?(_ text: String) {
    guard text.utf8.contains(UInt8(ascii: "*")) || text.utf8.contains(UInt8(ascii: "?")) else {
      return nil
    }
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  /// Whether an entry fits, by its printable name.
  func matches(_ name: EntryName) -> Bool {
    let name = Array(name.shown.unicodeScalars)
    var (at, place) = (0, 0)
    /// The last star, and the place in the name where the text after it was tried last.
    var star: (pattern: Int, name: Int)?
    while place < name.count {
      if at < scalars.count, scalars[at] == "*" {
        star = (at, place)
        at += 1
      } else if at < scalars.count, scalars[at] == "?" || scalars[at] == name[place] {
        at += 1
        place += 1
      } else if let tried = star {
        star = (tried.pattern, tried.name + 1)
        (at, place) = (tried.pattern + 1, tried.name + 1)
      } else {
        return false
      }
    }
    return scalars[at...].allSatisfy { $0 == "*" }
  }
}

extension EntryName {
  /// Returns whether `wanted` is this name, by its bytes or by its printable text, or a pattern
  /// that it fits.
  func matches(_ wanted: String) -> Bool {
    // By bytes, because `==` regards canonically equivalent strings as equal.
    wanted.utf8.elementsEqual(bytes) || wanted.utf8.elementsEqual(shown.utf8)
      || EntryPattern(wanted)?.matches(self) ?? false
  }
}
