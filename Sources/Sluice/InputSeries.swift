import Glibc

/// Reads several inputs of one feed, one after the other, into outputs that they share.
///
///     2026-01-05.json ─▶ stages ─▶ normalizer ─┐
///     2026-01-06.zip  ─▶ stages ─▶ normalizer ─┼─▶ branches ─▶ outputs, ended after the last input
///     2026-01-07.json ─▶ stages ─▶ normalizer ─┘
///
/// Each input is judged as it would be alone: its records are counted from 1, and the limit of
/// rejected records, shares and fields after their rows are its own.
///
/// A broken input ends the run, and nothing is published. If broken inputs are to be left out, each
/// is first read to its end without the outputs, so that none has a part in them.
struct InputSeries {
  /// The pass that each input goes through. Its outputs are shared.
  private let pass: ConversionPass
  private let conversion: Conversion
  /// The counters of the run: the sum of all inputs.
  private let counters: Counters
  /// The date of the run: that of the latest input.
  private let date: ContentDate
  /// What was found beside the rows, for each part.
  private var unmatched: [(column: String, nearest: [String])?]
  private var hasMatched: [Bool]
  /// The counts of each input, as far as it was read.
  private(set) var inputs: [Statistics.Input] = []

  init(_ pass: ConversionPass) {
    self.pass = pass
    conversion = pass.conversion
    counters = pass.counters
    date = pass.date
    unmatched = pass.parts.map { _ in nil }
    hasMatched = pass.parts.map { _ in false }
  }

  /// Reads all inputs and ends the outputs. Throws the first error, with the input's name.
  mutating func run() throws(PipelineError) -> PassFindings {
    try checkFiles()
    findDate()
    var findings = PassFindings()
    var conversion = conversion
    findings.places = try places()
    for (address, place) in findings.places {
      conversion.knownPlaces[address] = KnownPlace(place.conditions)
    }
    counters.inputsInAll.set(conversion.inputs.count)
    for input in conversion.inputs {
      try read(input, conversion)
      counters.inputsDone.increase()
    }
    if let error = inputs.first?.error, inputs.allSatisfy({ $0.error != nil }) { throw error }
    for (index, part) in pass.parts.enumerated() where !hasMatched[index] {
      part.findings.unmatched = unmatched[index]
    }
    for part in pass.parts { try FanOut(part.branches).finish() }
    return findings
  }

  /// Throws if a file is not there, before the first one is read. It may still vanish later.
  private func checkFiles() throws(PipelineError) {
    guard !conversion.skipsBrokenInputs else { return }
    for case .file(let path) in conversion.inputs where access(path, F_OK) != 0 {
      throw named(PipelineError(.source(.noFile(path: path))), .file(path))
    }
  }

  /// Finds the date of the latest input, for time stamps in outputs that begin before it is read.
  private func findDate() {
    let needsDate = conversion.outputs.contains { $0.format == .ics || $0.format == .site }
    guard needsDate, conversion.stamp == nil else { return }
    for input in conversion.inputs {
      guard let seconds = conversion.date(of: input, pass.options.zones) else { continue }
      date.set(max(seconds, date.seconds ?? .min))
    }
  }

  /// Reads one input and adds its counts.
  private mutating func read(_ input: Input, _ conversion: Conversion) throws(PipelineError) {
    var counts = Statistics.Input(name: input.name)
    let facts = try conversion.facts(of: input, for: pass.parts.map(\.table))
    let content = conversion.statistics.map { _ in ContentBox() }
    let own = ConversionPass(
      conversion: conversion, parts: pass.parts.map { $0.part(of: facts) },
      selectors: pass.selectors, options: pass.options, counters: Counters(), date: ContentDate(),
      endsOutputs: false, content: content)
    counters.input.withLock { $0 = own.counters }
    defer {
      counters.input.withLock { $0 = nil }
      counts.note(own)
      counts.content = content?.fingerprint.description
      inputs.append(counts)
    }
    do throws(PipelineError) {
      if conversion.skipsBrokenInputs {
        var reading = own
        reading.content = nil
        let repeated = RepeatedInput(try conversion.source(of: input))
        do throws(PipelineError) {
          try own.check(repeated)
        } catch {
          guard error.isOfInput else { throw error }
          counts.error = named(error, input)
          return
        }
        _ = try reading.run(repeated)
      } else {
        _ = try own.run(try conversion.source(of: input), payload: nil)
      }
      if conversion.rejectLimit != .unlimited {
        for part in own.parts { try part.counters.refuseIfAllRejected() }
      }
    } catch {
      add(own)
      throw error.isOfInput ? named(error, input) : error
    }
    add(own)
  }

  /// Adds the counts of an input to those of the run.
  private mutating func add(_ own: ConversionPass) {
    for (index, part) in own.parts.enumerated() {
      pass.parts[index].counters.add(part.counters)
      if part.findings.unmatched == nil, part.counters.read.value > 0 { hasMatched[index] = true }
      unmatched[index] = part.findings.unmatched ?? unmatched[index]
      pass.parts[index].findings.add(part.findings.unread)
    }
    counters.add(flows: own.counters)
    if let seconds = own.date.seconds { date.set(max(seconds, date.seconds ?? .min)) }
  }

  /// The places of the addresses that are not known yet, sought in all inputs.
  private func places() throws(PipelineError) -> [String: ChosenPlace] {
    var (places, unknown) = conversion.knownChoices
    guard !unknown.isEmpty, let part = pass.parts.first else { return places }
    let choices = PlaceChoices(unknown, conversion.knownPlaces, in: part.table)
    var plain = conversion
    plain.address = nil
    plain.outputs = []
    for input in conversion.inputs {
      let own = ConversionPass(
        conversion: plain, parts: [ConversionPart(part.table, counters: Counters())],
        options: pass.options.observing(choices), counters: Counters(), date: ContentDate(),
        endsOutputs: false)
      do throws(PipelineError) {
        _ = try own.run(try conversion.source(of: input), payload: nil)
      } catch {
        guard error.isOfInput else { throw error }
        // It is left out, or the error comes again when the rows are read.
        guard conversion.skipsBrokenInputs else { throw named(error, input) }
      }
    }
    places.merge(try choices.chosen()) { $1 }
    return places
  }

  private func named(_ error: PipelineError, _ input: Input) -> PipelineError {
    var error = error
    error.input = input.name
    return error
  }
}

extension PipelineError {
  /// Whether an input is wrong or cannot be read, and not an output or the run itself.
  fileprivate var isOfInput: Bool {
    switch stage {
    case .sink, .sync: false
    case .source, .envelope, .base64, .unzip, .json, .csv, .normalize:
      self.class != .cancelled && self.class != .usage
    }
  }
}

extension Input {
  /// Its name in messages and counts: a path, a URL without secrets, or `-`.
  package var name: String {
    switch self {
    case .file(let path): path
    case .standardInput, .bytes: "-"
    case .url(let url): Redaction.url(url)
    case .requests: "requests"
    }
  }
}

extension ConversionPass {
  /// Reads an input to its end without any output, and counts its bytes. Throws what is wrong with it.
  fileprivate func check(_ input: RepeatedInput) throws(PipelineError) {
    var options = options
    options.tracksAllRows = false
    let parts = parts.map(\.checking)
    try push(input, over: parts, options, payload: nil, counters: counters)
    guard conversion.rejectLimit != .unlimited else { return }
    for part in parts { try part.counters.refuseIfAllRejected() }
  }
}

extension Conversion {
  /// The facts about an input that some tables use.
  func facts(of input: Input, for tables: [Table]) throws(PipelineError) -> InputFacts {
    var facts = InputFacts(path: input.name)
    guard tables.contains(where: { $0.uses(.date) }) else { return facts }
    if let inputDates {
      facts.day = inputDates.day(in: facts.path)
    } else {
      let zones = try Zones(of: feed)
      facts.day = date(of: input, zones).map { zones.local.day(at: $0) }
    }
    return facts
  }

  /// When the content of an input last changed, in seconds since 1970. Nil if that is not known
  /// before it is read.
  fileprivate func date(of input: Input, _ zones: Zones) -> Int? {
    guard case .file(let path) = input else { return nil }
    let date = ContentDate()
    var options = DecodingOptions(envelope: feed.envelope)
    options.unzip = UnzipOptions(entry: entry, zone: zones.local, date: date)
    InputStart.findDate(of: path, options, date)
    return date.seconds
  }
}

/// Reads the start of a file, as far as the date of what an archive holds.
private struct InputStart: ByteStage, ~Copyable {
  /// The header of an archive's entry, and enough of its data to know that it is no link.
  private static let size = 16 << 10

  private var stages: Sniffer

  /// Sets the date of a file's content, if it is a regular file. Anything else cannot be read twice.
  static func findDate(of path: String, _ options: DecodingOptions, _ date: ContentDate) {
    guard let source = try? DescriptorSource(file: path), source.start != nil else { return }
    var start = InputStart(
      stages: Decoding(into: NoTokens(), options: options, counters: Counters()).stages)
    // Whatever is wrong with the file is told when all of it is read.
    try? source.run(into: &start, counters: Counters(), date: date)
    try? start.finish()
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try stages.write(bytes.extracting(0..<min(Self.size, bytes.byteCount)))
    if bytes.byteCount > Self.size { throw PipelineError(.source(.cancelled)) }
  }

  consuming func finish() throws(PipelineError) { try stages.finish() }
}

/// Wants no tokens.
private struct NoTokens: TokenStage, ~Copyable {
  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int) -> TokenReply {
    .proceed
  }

  consuming func finish() {}
}

extension Statistics.Input {
  /// Takes the counts of an input that was read, or of the part of it that was.
  fileprivate mutating func note(_ pass: ConversionPass) {
    bytes = pass.counters.source.bytesIn.value
    modified = pass.date.seconds
    guard error == nil else { return }
    let all = Counters()
    for part in pass.parts { all.add(part.counters) }
    let counts = Statistics(all)
    (read, kept, rejected, rows) = (counts.read, counts.kept, counts.rejected, counts.rows)
  }
}
