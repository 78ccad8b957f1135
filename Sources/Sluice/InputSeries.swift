import Glibc

/// Reads several inputs of one feed into outputs that they share, in their order.
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
///
/// Several threads may read ahead: see ``InputLanes``. What comes out is the same.
///
/// With a pattern of entries, each entry of an archive is an input: see ``InputArchive``.
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
  /// The counters that hold those of the input that is being read.
  private var holder: Counters
  /// The bytes that came out of archives so far.
  private var unpacked = 0
  /// Standard input, if it must be read more than once.
  private var kept: RepeatedInput?
  /// The entries that are inputs; nil if each input is one.
  let pattern: EntryPattern?

  init(_ pass: ConversionPass, telling observer: (any InputObserver)? = nil) {
    self.pass = pass
    pattern = pass.conversion.entryPattern
    holder = pass.counters
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
    let lanes = InputLanes(conversion, of: pass, always: observer != nil, isArchive: isArchive)
    for (index, input) in conversion.inputs.enumerated() {
      if let lanes, let lane = lanes.lane(of: index) {
        try receive(from: lane, of: lanes)
      } else if isArchive(input) {
        try readEntries(of: input)
      } else {
        try read(input)
      }
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
      if case .file = input, isArchive(input) {
        let archive = InputArchive(input.name, of: self)
        // Whatever is wrong with it is told when its rows are read.
        try? archive.read(try conversion.source(of: input), for: .dates, counters: Counters())
        if let latest = archive.latest { date.raise(to: latest) }
      } else {
        let (file, entry) = conversion.dates(of: input, pass.options.zones)
        if let seconds = entry ?? file { date.raise(to: seconds) }
      }
    }
  }

  /// Reads one input and adds its counts.
  private func read(_ input: Input) throws(PipelineError) {
    let facts = try conversion.facts(
      of: input, for: pass.parts.map(\.table), pass.options.zones, always: observer != nil)
    let one = OneInput(facts, in: pass, conversion, unpacked: unpacked)
    try end(one, one.read(input) { (one) throws(PipelineError) in try begin(one) })
  }

  /// Hands on the rows of the next input of a lane, and adds its counts.
  private func receive(from lane: InputLane, of lanes: InputLanes) throws(PipelineError) {
    let shown = Counters()
    var report = ProgressReport(conversion.progress, counters)
    let input = try lanes.receive(from: lane) { (one) throws(PipelineError) in
      try begin(one)
      holder.input.withLock { $0 = shown }
      pass.beginSelections(conversion.knownChoices.places)
    } show: { (one, counts) in
      if let seconds = one.pass.date.seconds { date.raise(to: seconds) }
      shown.rewind(to: counts)
      report.tell()
    }
    if let seconds = input.one.pass.date.seconds { date.raise(to: seconds) }
    try end(input.one, input.failure)
    report.tellEnd()
  }

  /// Begins to read the rows of an input.
  func begin(_ one: OneInput) throws(PipelineError) {
    holder.input.withLock { $0 = one.pass.counters }
    try observer?.begin(one.facts)
  }

  /// Ends an input, whether it was read to its end or not. Throws the error that ended it.
  func end(_ one: OneInput, _ failure: PipelineError?) throws(PipelineError) {
    if one.error == nil { add(one.pass) }
    holder.input.withLock { $0 = nil }
    unpacked += one.unpacked
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
  }

  /// The places of the addresses that are not known yet, sought in all inputs.
  private func places() throws(PipelineError) -> [String: ChosenPlace] {
    var (places, unknown) = conversion.knownChoices
    guard !unknown.isEmpty, let part = pass.parts.first else { return places }
    let choices = PlaceChoices(unknown, conversion.knownPlaces, in: part.table)
    for input in conversion.inputs {
      do throws(PipelineError) {
        if isArchive(input) {
          let archive = InputArchive(input.name, of: self)
          try read(archive, of: input, for: .places(choices), Counters())
        } else {
          _ = try placesPass(choices).run(try conversion.source(of: input), payload: nil)
        }
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

extension InputSeries {
  /// Whether the entries of an input are inputs. A pipe or a server may have an archive too.
  private func isArchive(_ input: Input) -> Bool {
    guard pattern != nil else { return false }
    guard case .file(let path) = input else { return true }
    return InputStart.form(of: path) != .other
  }

  /// Reads the entries of an archive and adds their counts.
  private func readEntries(of input: Input) throws(PipelineError) {
    let archive = InputArchive(input.name, of: self)
    let own = Counters()
    counters.input.withLock { $0 = own }
    holder = own
    defer {
      counters.add(flows: own)
      counters.input.withLock { $0 = nil }
      holder = counters
    }
    do throws(PipelineError) {
      if skipsBroken {
        let repeated = try keep(input)
        do throws(PipelineError) {
          try archive.read(repeated, for: .check, counters: own)
        } catch {
          guard error.isOfInput else { throw error }
          let one = OneInput(
            InputFacts(path: input.name), in: pass, conversion, unpacked: unpacked)
          one.error = error.named(input.name)
          return try end(one, nil)
        }
        try archive.read(repeated, for: .rows, counters: own)
      } else {
        try read(archive, of: input, for: .rows, own)
      }
    } catch {
      throw error.isOfInput && error.input == nil ? error.named(input.name) : error
    }
  }

  /// Reads an archive once. What comes from standard input is kept if it is needed again.
  private func read(
    _ archive: InputArchive, of input: Input, for purpose: InputArchive.Purpose, _ own: Counters
  ) throws(PipelineError) {
    if input == .standardInput, !conversion.knownChoices.unknown.isEmpty || kept != nil {
      try archive.read(try keep(input), for: purpose, counters: own)
    } else {
      try archive.read(try conversion.source(of: input), for: purpose, counters: own)
    }
  }

  private func keep(_ input: Input) throws(PipelineError) -> RepeatedInput {
    if let kept, input == .standardInput { return kept }
    let repeated = RepeatedInput(try conversion.source(of: input))
    if input == .standardInput { kept = repeated }
    return repeated
  }

  /// Whether broken inputs are left out.
  var skipsBroken: Bool { conversion.skipsBrokenInputs }
  var cancellation: Cancellation? { conversion.cancellation }

  /// How archives are read.
  var unzipOptions: UnzipOptions {
    UnzipOptions(maxSize: conversion.maxSize, zone: pass.options.zones.local)
  }

  /// The pass that looks for places in one input.
  func placesPass(_ choices: PlaceChoices) -> ConversionPass {
    var plain = conversion
    plain.address = nil
    plain.outputs = []
    return ConversionPass(
      conversion: plain,
      parts: pass.parts.prefix(1).map { ConversionPart($0.table, counters: Counters()) },
      options: pass.options.observing(choices), counters: Counters(), date: ContentDate(),
      endsOutputs: false)
  }

  /// Makes an input of an archive's entry. It has an error if its name should have a day, and has
  /// none. `modified` and `archive` are the times of the entry and of the archive, if they are
  /// known.
  func open(_ path: String, modified: Int?, archive: Int?) -> OneInput {
    var facts = InputFacts(path: path)
    var error: PipelineError?
    facts.entryDay = modified.map { pass.options.zones.local.day(at: $0) }
    facts.day = facts.entryDay ?? archive.map { pass.options.zones.local.day(at: $0) }
    if let dates = conversion.inputDates { facts.day = dates.day(in: path) }
    if conversion.needsDay(facts) { error = .noDay(in: facts) }
    let one = OneInput(facts, in: pass, conversion, unpacked: unpacked, isEntry: true)
    one.error = error
    if let seconds = modified ?? archive { one.pass.date.set(seconds) }
    return one
  }
}

/// Is told where the rows of one of several inputs begin and end. The calls are serial, and no row
/// comes during one.
package protocol InputObserver: AnyObject {
  /// Called before the first row of an input that is read.
  func begin(_ input: InputFacts) throws(PipelineError)
  /// Called after the last row of an input, with its counts. An input that was left out has an
  /// error, and did not begin.
  func end(_ counts: Statistics.Input) throws(PipelineError)
}

extension Conversion {
  /// Reads all inputs, one after the other, into one branch of the first selected table. The branch
  /// ends after the last one. Returns the counts, those of each input too. Blocks until the end.
  /// Throws the first error, with the name of its input. Another thread may read `counters`.
  package func readInputs(
    into branch: (Counters) throws(PipelineError) -> Branch, telling observer: any InputObserver,
    counters: Counters = Counters()
  ) throws(PipelineError) -> Statistics {
    try read(
      telling: observer, counters: counters, from: source,
      into: { (part, _) throws(PipelineError) in
        try branch(part.counters)
      })
  }
}

extension PipelineError {
  static func noDay(in facts: InputFacts) -> PipelineError {
    PipelineError(.source(.noDayInName(path: facts.path))).named(facts.path)
  }

  /// The error, with the name of the input that it is about.
  func named(_ input: String) -> PipelineError {
    var error = self
    error.input = input
    return error
  }

  /// Whether an input is wrong or cannot be read, and not an output or the run itself.
  var isOfInput: Bool {
    switch (stage, fault) {
    case (.sink, _), (.sync, _), (_, .source(.spool)): false
    case (.source, _), (.envelope, _), (.base64, _), (.unzip, _), (.json, _), (.csv, _),
      (.normalize, _):
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
