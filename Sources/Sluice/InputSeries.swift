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
final class InputSeries {
  /// The pass that each input goes through. Its outputs are shared.
  private let pass: ConversionPass
  private var conversion: Conversion
  private let observer: (any InputObserver)?
  /// The counters of the run: the sum of all inputs.
  private let counters: Counters
  /// The date of the run: that of the latest input.
  private let date: ContentDate
  /// What was found beside the rows, for each part.
  private var unmatched: [(column: String, nearest: [String])?]
  private var hasMatched: [Bool]
  /// The counts of each input, as far as it was read.
  private(set) var inputs: [Statistics.Input] = []

  init(_ pass: ConversionPass, telling observer: (any InputObserver)? = nil) {
    self.pass = pass
    self.observer = observer
    conversion = pass.conversion
    counters = pass.counters
    date = pass.date
    unmatched = pass.parts.map { _ in nil }
    hasMatched = pass.parts.map { _ in false }
  }

  /// Reads all inputs and ends the outputs. Throws the first error, with the input's name.
  func run() throws(PipelineError) -> PassFindings {
    try checkFiles()
    findDate()
    var findings = PassFindings()
    findings.places = try places()
    for (address, place) in findings.places {
      conversion.knownPlaces[address] = KnownPlace(place.conditions)
    }
    counters.inputsInAll.set(conversion.inputs.count)
    for input in conversion.inputs {
      try read(input)
      counters.inputsDone.increase()
    }
    if let error = inputs.first?.error, inputs.allSatisfy({ $0.error != nil }) { throw error }
    for (index, part) in pass.parts.enumerated() where !hasMatched[index] {
      part.findings.unmatched = unmatched[index]
    }
    for part in pass.parts { try FanOut(part.branches).finish() }
    return findings
  }

  /// Throws if a file is not there, before the first one is read. It may still vanish later. Finds
  /// how many bytes there are to read, if all inputs are files.
  private func checkFiles() throws(PipelineError) {
    var bytes: Int? = 0
    for input in conversion.inputs {
      var status = stat()
      guard case .file(let path) = input, stat(path, &status) == 0 else {
        if case .file(let path) = input, !conversion.skipsBrokenInputs {
          throw PipelineError(.source(.noFile(path: path))).named(input.name)
        }
        bytes = nil
        continue
      }
      bytes = bytes.map { $0 + Int(status.st_size) }
    }
    // With shares, places or a check, every byte is read more than once.
    if let bytes { counters.expectedBytes.set(bytes) }
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
  private func read(_ input: Input) throws(PipelineError) {
    let one = OneInput(
      try conversion.facts(of: input, for: pass.parts.map(\.table), always: observer != nil),
      in: pass, conversion)
    counters.input.withLock { $0 = one.pass.counters }
    var failure: PipelineError?
    do throws(PipelineError) {
      if conversion.skipsBrokenInputs {
        if let repeated = try check(input, one) {
          try observer?.begin(one.facts)
          try one.pass.readAgain(repeated)
        }
      } else {
        try observer?.begin(one.facts)
        _ = try one.pass.run(try conversion.source(of: input), payload: nil)
      }
      if one.error == nil { try one.pass.refuseIfAllRejected() }
    } catch {
      failure = error.isOfInput ? error.named(input.name) : error
    }
    try end(one, failure)
  }

  /// Reads an input without its outputs. Returns nil, and notes the error, if it is broken.
  private func check(_ input: Input, _ one: OneInput) throws(PipelineError) -> RepeatedInput? {
    do throws(PipelineError) {
      let repeated = RepeatedInput(try conversion.source(of: input))
      try one.pass.check(repeated)
      return repeated
    } catch {
      guard error.isOfInput else { throw error }
      one.error = error.named(input.name)
      return nil
    }
  }

  /// Ends an input, whether it was read to its end or not. Throws the error that ended it.
  private func end(_ one: OneInput, _ failure: PipelineError?) throws(PipelineError) {
    if one.error == nil { add(one.pass) }
    counters.input.withLock { $0 = nil }
    var counts = one.counts
    counts.error = counts.error ?? failure.flatMap { $0.input == nil ? nil : $0 }
    inputs.append(counts)
    if let failure { throw failure }
    try observer?.end(counts)
  }

  /// Adds the counts of an input to those of the run.
  private func add(_ own: ConversionPass) {
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
        guard conversion.skipsBrokenInputs else { throw error.named(input.name) }
      }
    }
    places.merge(try choices.chosen()) { $1 }
    return places
  }
}

/// One input of a series, with counts of its own.
private final class OneInput {
  let facts: InputFacts
  let pass: ConversionPass
  /// Why it is left out; nil if it is not.
  var error: PipelineError?
  private let content: ContentBox?

  init(_ facts: InputFacts, in series: ConversionPass, _ conversion: Conversion) {
    self.facts = facts
    content = conversion.statistics.map { _ in ContentBox() }
    let parts = series.parts.map { $0.part(of: facts) }
    pass = ConversionPass(
      conversion: conversion, parts: parts, selectors: series.selectors, options: series.options,
      counters: parts.count == 1 ? parts[0].counters : Counters(), date: ContentDate(),
      endsOutputs: false, content: content, runCounters: series.counters)
  }

  /// Its counts, as far as it was read.
  var counts: Statistics.Input {
    var counts = Statistics.Input(name: facts.path)
    counts.content = content?.fingerprint.description
    counts.bytes = pass.counters.source.bytesIn.value
    counts.modified = pass.date.seconds
    counts.error = error
    guard error == nil else { return counts }
    let all = Counters()
    for part in pass.parts { all.add(part.counters) }
    let sum = Statistics(all)
    (counts.read, counts.kept, counts.rejected, counts.rows) =
      (sum.read, sum.kept, sum.rejected, sum.rows)
    return counts
  }
}

/// Is told where the rows of one of several inputs begin and end. The calls are serial, and no row
/// comes during one.
package protocol InputObserver: AnyObject {
  /// Called before the first row of an input that is read.
  func begin(_ input: InputFacts) throws(PipelineError)
  /// Called after the last row of an input, with its counts. An input that was left out has an error,
  /// and did not begin.
  func end(_ counts: Statistics.Input) throws(PipelineError)
}

extension Conversion {
  /// Reads all inputs, one after the other, into one branch of the first selected table. The branch
  /// ends after the last one. Returns the counts, those of each input too. Blocks until the end.
  /// Throws the first error, with the name of its input.
  package func readInputs(
    into branch: (Counters) throws(PipelineError) -> Branch, telling observer: any InputObserver
  ) throws(PipelineError) -> Statistics {
    try read(
      telling: observer, from: source,
      into: { (part, _) throws(PipelineError) in
        try branch(part.counters)
      })
  }
}

extension PipelineError {
  /// The error, with the name of the input that it is about.
  fileprivate func named(_ input: String) -> PipelineError {
    var error = self
    error.input = input
    return error
  }

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
    try Self.refuse(parts, conversion)
  }

  /// Reads the rows of an input that was checked.
  fileprivate func readAgain(_ input: RepeatedInput) throws(PipelineError) {
    var reading = self
    reading.content = nil
    _ = try reading.run(input)
  }

  /// Throws if all records of a table were rejected.
  fileprivate func refuseIfAllRejected() throws(PipelineError) {
    try Self.refuse(parts, conversion)
  }

  private static func refuse(
    _ parts: [ConversionPart], _ conversion: Conversion
  ) throws(PipelineError) {
    guard conversion.rejectLimit != .unlimited else { return }
    for part in parts { try part.counters.refuseIfAllRejected() }
  }
}

extension Conversion {
  /// The facts about an input that some tables use. The day is found only if a table has it, or
  /// `always`.
  func facts(
    of input: Input, for tables: [Table], always: Bool = false
  ) throws(PipelineError) -> InputFacts {
    var facts = InputFacts(path: input.name)
    guard always || tables.contains(where: { $0.uses(.date) }) else { return facts }
    if let inputDates {
      facts.day = inputDates.day(in: facts.path)
    } else {
      let zones = try Zones(of: feed)
      facts.day = date(of: input, zones).map { zones.local.day(at: $0) }
    }
    return facts
  }

  /// The day of the archive's entry in an input; nil if there is none, or if it is not known before the
  /// input is read.
  func entryDay(of input: Input) -> Day? {
    guard case .file(let path) = input, let zones = try? Zones(of: feed) else { return nil }
    let date = ContentDate()
    var options = DecodingOptions(envelope: feed.envelope)
    options.unzip = UnzipOptions(entry: entry, zone: zones.local, date: date)
    InputStart.findDate(of: path, options, ofFile: ContentDate())
    return date.seconds.map { zones.local.day(at: $0) }
  }

  /// When the content of an input last changed, in seconds since 1970. Nil if that is not known
  /// before it is read.
  fileprivate func date(of input: Input, _ zones: Zones) -> Int? {
    guard case .file(let path) = input else { return nil }
    let date = ContentDate()
    var options = DecodingOptions(envelope: feed.envelope)
    options.unzip = UnzipOptions(entry: entry, zone: zones.local, date: date)
    InputStart.findDate(of: path, options, ofFile: date)
    return date.seconds
  }
}

/// Reads the start of a file, as far as the date of what an archive holds.
private struct InputStart: ByteStage, ~Copyable {
  /// The header of an archive's entry, and enough of its data to know that it is no link.
  private static let size = 16 << 10

  private var stages: Sniffer

  /// Sets the date of a file's content, if it is a regular file. Anything else cannot be read twice.
  static func findDate(
    of path: String, _ options: DecodingOptions, ofFile date: ContentDate
  ) {
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
