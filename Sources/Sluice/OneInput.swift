/// One input of a series, with counts of its own.
///
/// One thread uses it at a time: that which reads it, and then that which writes the outputs.
final class OneInput: @unchecked Sendable {
  /// A second thread is worth its start for an input of so many bytes out of an archive, if those
  /// before it had many.
  private static let leastOffload = 256 << 10

  let facts: InputFacts
  let pass: ConversionPass
  /// Why it is left out; nil if it is not.
  var error: PipelineError?
  private let content: ContentBox?
  /// The size of an entry as far as it was read; nil if it is no entry.
  private var size: Int?

  /// Makes an input that was not read. `unpacked` bytes have come out of the archives before it.
  convenience init(
    _ facts: InputFacts, in series: ConversionPass, _ conversion: Conversion, unpacked: Int,
    isEntry: Bool = false
  ) {
    // Many small inputs are as much work as a large one.
    var conversion = conversion
    conversion.offload.threshold = conversion.offload.threshold.map {
      min($0, max(Self.leastOffload, $0 - unpacked))
    }
    self.init(
      facts, in: series, conversion, series.parts.map { $0.part(of: facts) },
      selectors: series.selectors, date: ContentDate(raising: series.date), isEntry: isEntry)
  }

  /// Makes an input that was not read, with its own tables and date. Nobody else knows of it yet.
  init(
    _ facts: InputFacts, in series: ConversionPass, _ conversion: Conversion,
    _ parts: [ConversionPart], selectors: [RowSelector] = [], date: ContentDate = ContentDate(),
    isEntry: Bool = false
  ) {
    self.facts = facts
    size = isEntry ? 0 : nil
    content = conversion.statistics.map { _ in ContentBox() }
    pass = ConversionPass(
      conversion: conversion, parts: parts, selectors: selectors, options: series.options,
      counters: parts.count == 1 ? parts[0].counters : Counters(), date: date,
      endsOutputs: false, content: content, runCounters: series.counters)
  }

  /// Reads the input. `begin` is called before its first row, unless it is left out. Returns the
  /// error that ends the run, with the input's name if it is about the input.
  func read(
    _ input: Input, begin: (OneInput) throws(PipelineError) -> Void
  ) -> PipelineError? {
    let conversion = pass.conversion
    if conversion.needsDay(facts) { error = .noDay(in: facts) }
    if let error { return conversion.skipsBrokenInputs ? nil : error }
    do throws(PipelineError) {
      if conversion.skipsBrokenInputs {
        guard let repeated = try check(input) else { return nil }
        try begin(self)
        try pass.readAgain(repeated)
      } else {
        try begin(self)
        _ = try pass.run(try conversion.source(of: input), payload: nil)
      }
      try pass.refuseIfAllRejected()
      return nil
    } catch {
      return error.isOfInput ? error.named(input.name) : error
    }
  }

  /// Reads an input without its outputs. Returns nil, and notes the error, if it is broken.
  private func check(_ input: Input) throws(PipelineError) -> RepeatedInput? {
    do throws(PipelineError) {
      let repeated = RepeatedInput(try pass.conversion.source(of: input))
      try pass.check(repeated)
      return repeated
    } catch {
      guard error.isOfInput else { throw error }
      self.error = error.named(input.name)
      return nil
    }
  }

  /// Notes that bytes of an entry were read.
  func add(_ bytes: Int) { size = (size ?? 0) + bytes }

  /// The bytes that came out of the archive that it is, or that it is an entry of.
  var unpacked: Int { size ?? pass.counters.unzip.bytesOut.value }

  /// Its counts, as far as it was read.
  var counts: Statistics.Input {
    var counts = Statistics.Input(name: facts.path)
    counts.bytes = size ?? pass.counters.source.bytesIn.value
    counts.modified = pass.date.seconds
    counts.error = error
    guard error == nil else { return counts }
    counts.content = content?.sum.description
    let all = Counters()
    for part in pass.parts { all.add(part.counters) }
    let sum = Statistics(all)
    (counts.read, counts.kept, counts.rejected, counts.rows) =
      (sum.read, sum.kept, sum.rejected, sum.rows)
    return counts
  }
}

extension Conversion {
  /// Whether the name of an input should have a day, and has none.
  func needsDay(_ facts: InputFacts) -> Bool {
    inputDates != nil && inputDates?.day(in: facts.path) == nil
  }
}

extension ConversionPass {
  /// The same pass without any output.
  var checking: ConversionPass {
    var options = options
    options.tracksAllRows = false
    return ConversionPass(
      conversion: conversion, parts: parts.map(\.checking), options: options, counters: counters,
      date: date, endsOutputs: false, content: content, runCounters: runCounters)
  }

  /// Reads an input to its end without any output, and counts its bytes. Throws what is wrong with
  /// it.
  fileprivate func check(_ input: RepeatedInput) throws(PipelineError) {
    let checking = checking
    try checking.push(
      input, over: checking.parts, checking.options, payload: nil, counters: counters)
    try checking.refuseIfAllRejected()
  }

  /// Reads the rows of an input that was checked.
  fileprivate func readAgain(_ input: RepeatedInput) throws(PipelineError) {
    var reading = self
    reading.content = nil
    _ = try reading.run(input)
  }

  /// Throws if all records of a table were rejected.
  func refuseIfAllRejected() throws(PipelineError) {
    guard conversion.rejectLimit != .unlimited else { return }
    for part in parts { try part.counters.refuseIfAllRejected() }
  }
}
