/// Reads the entries of an archive as inputs of a series.
///
///     city.zip ─▶ check: every entry alone, without outputs     (if broken ones are left out)
///              ─▶ rows:  2026-01-05.json ─▶ stages ─▶ normalizer ─┐
///                        2026-01-06.json ─▶ stages ─▶ normalizer ─┴▶ branches
///
/// The archive drives. An input that is no archive, and comes from a pipe or a server, goes the
/// same way as if it were the only entry.
final class InputArchive: EntryReceiver {
  /// What is done with the entries.
  enum Purpose {
    /// Their rows go into the outputs.
    case rows
    /// They are read to their ends, without outputs.
    case check
    /// The places of addresses are sought in them.
    case places(PlaceChoices)
    /// Only their dates are wanted.
    case dates
  }

  /// The input's name.
  private let name: String
  private let series: InputSeries
  private var purpose = Purpose.rows
  /// The time of the archive itself.
  private let date = ContentDate()
  /// The broken entries, by their paths, if they are left out.
  private var broken: [String: OneInput] = [:]
  /// The counters of the last entry that was begun.
  private var last: Counters?
  private(set) var unpackedBefore = 0
  /// The latest time of an entry.
  private(set) var latest: Int?

  init(_ name: String, of series: InputSeries) {
    self.name = name
    self.series = series
  }

  var unpacked: Int { unpackedBefore + (last?.unzip.bytesOut.value ?? 0) }

  /// Reads the input once. `counters` count its own bytes.
  func read<Input: ByteSource & ~Copyable>(
    _ input: consuming Input, for purpose: Purpose, counters: Counters
  ) throws(PipelineError) {
    self.purpose = purpose
    (unpackedBefore, last) = (0, nil)
    guard let pattern = series.pattern else { return }
    let options = series.unzipOptions
    let stages = Sniffer { [self] form throws(PipelineError) in
      guard form == .zip else {
        let stages = try begin(name, modified: nil, left: options.maxSize)
        return stages ?? ByteSink(NoBytes())
      }
      return ByteSink(EntryReader(pattern, into: self, options: options, counters: counters))
    }
    let watch = Watch(cancellation: series.cancellation)
    try input.push(
      into: WatchedStage(into: stages, watch, counters: counters), counters: counters, date: date)
  }

  func begin(
    _ entry: EntryName, modified: Int?, left: Int
  ) throws(PipelineError) -> ByteSink? {
    try begin("\(name)/\(entry.shown)", modified: modified, left: left)
  }

  private func begin(
    _ path: String, modified: Int?, left: Int
  ) throws(PipelineError) -> ByteSink? {
    unpackedBefore = unpacked
    last = nil
    switch purpose {
    case .dates:
      latest = [latest, modified ?? date.seconds].compactMap(\.self).max()
      return nil
    case .places(let choices):
      let pass = series.placesPass(choices)
      last = pass.counters
      return ByteSink(
        EntryStage(pass, left: left) { (error) throws(PipelineError) in
          if let error, !error.isOfInput || !self.series.skipsBroken {
            throw error.isOfInput ? error.named(path) : error
          }
        })
    case .check:
      let one = series.open(path, modified: modified, archive: date.seconds)
      guard one.error == nil else {
        broken[path] = one
        return nil
      }
      last = one.pass.counters
      return ByteSink(
        EntryStage(one.pass.checking, left: left, counting: one, readsOnce: true) {
          (error) throws(PipelineError) in
          guard let error else { return }
          guard error.isOfInput else { throw error }
          one.error = error.named(path)
          self.broken[path] = one
        })
    case .rows:
      if let one = broken[path] {
        try series.end(one, nil)
        return nil
      }
      let one = series.open(path, modified: modified, archive: date.seconds)
      if let error = one.error { throw error }
      last = one.pass.counters
      try series.begin(one)
      return ByteSink(
        EntryStage(one.pass, left: left, counting: one) {
          (error) throws(PipelineError) in
          try self.series.end(one, error.map { $0.isOfInput ? $0.named(path) : $0 })
        })
    }
  }

  func judge(links: [EntryName], at offset: Int) throws(PipelineError) {
    for link in links {
      let error = PipelineError(.unzip(.linkChosen(entry: link)), at: offset)
      let path = "\(name)/\(link.shown)"
      switch purpose {
      case .rows where broken[path] == nil: throw error.named(name)
      case .check where broken[path] == nil:
        let one = series.open(path, modified: nil, archive: nil)
        one.error = error.named(name)
        broken[path] = one
      case .check: broken[path]?.error = error.named(name)
      case .rows, .places, .dates: break
      }
    }
  }
}

/// Reads one entry with the stages of a pass, and reports its end or its error.
///
/// If the pass must read it more than once, it is kept in a temporary file until all of it has
/// come.
private struct EntryStage: ByteStage, ~Copyable {
  private var stages: ByteSink?
  private let pass: ConversionPass
  private let offloading: Offloading?
  private let one: OneInput?
  private let end: (PipelineError?) throws(PipelineError) -> Void

  init(
    _ pass: ConversionPass, left: Int, counting one: OneInput? = nil, readsOnce: Bool = false,
    _ end: @escaping (PipelineError?) throws(PipelineError) -> Void
  ) {
    self.pass = pass
    self.one = one
    self.end = end
    guard readsOnce || !pass.isRepeated else {
      offloading = nil
      stages = ByteSink(KeepingStage(pass))
      return
    }
    let offloading = Offloading(pass.conversion.offload, counters: pass.counters)
    self.offloading = offloading
    stages = pass.stages(offloading, left: left)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    one?.add(bytes.byteCount)
    do throws(PipelineError) {
      try stages?.write(bytes)
    } catch {
      try fail(error)
    }
  }

  mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    one?.add(buffer.count)
    do throws(PipelineError) {
      try stages?.take(&buffer)
    } catch {
      try fail(error)
    }
  }

  consuming func finish() throws(PipelineError) {
    // It has failed, and that was no error of the archive.
    guard let stages = stages.take() else { return }
    do throws(PipelineError) {
      try stages.finish()
      if one != nil { try pass.refuseIfAllRejected() }
    } catch {
      return try end(offloading?.settle(error) ?? error)
    }
    try end(nil)
  }

  private mutating func fail(_ error: PipelineError) throws(PipelineError) {
    // The stages must have ended before the error is settled.
    stages = nil
    try end(offloading?.settle(error) ?? error)
  }
}

/// Keeps the bytes of an entry until all have come, and has a pass read them then.
private struct KeepingStage: ByteStage, ~Copyable {
  private static let limit = 256 << 20
  private let pass: ConversionPass
  private var spool: Spool?

  init(_ pass: ConversionPass) { self.pass = pass }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    if spool == nil { spool = try Self.makeSpool() }
    guard (spool?.count ?? 0) + bytes.byteCount <= Self.limit else {
      throw PipelineError(.source(.tooLargeToKeep(limit: Self.limit)), at: Self.limit)
    }
    try spool?.write(bytes)
  }

  consuming func finish() throws(PipelineError) {
    let spool = if let spool = spool.take() { spool } else { try Self.makeSpool() }
    _ = try pass.run(RepeatedInput(replaying: spool))
  }

  private static func makeSpool() throws(PipelineError) -> Spool {
    try Spool { .source(.spool(errno: $0)) }
  }
}

/// Takes bytes that nobody wants.
private struct NoBytes: ByteStage, ~Copyable {
  mutating func write(_ bytes: RawSpan) {}
  consuming func finish() {}
}
