/// Remembers from run to run which files the outputs with columns in their names have.
package protocol FileManifest: AnyObject {
  /// Returns the names of the files that earlier runs may have made, below the folder of the
  /// output. `pattern` is the path of the output, with the table's name in it.
  func names(of pattern: String) throws(PipelineError) -> [String]
  /// Notes these names instead: before the files are published all that may stand then, and
  /// afterwards all that stand.
  func note(_ names: [String], of pattern: String) throws(PipelineError)
}

/// The outputs of a run that have columns in their names.
///
/// Their files are known when all rows are. A few of them are published together with the other
/// outputs, by the same set. More of them are published after it, by a journal.
final class SplitOutputs {
  /// The most files that are published together with the other outputs: each is open until then.
  static let few = 64

  private struct Split {
    let batch: FileBatch
    let output: Conversion.Output
    var format: OutputFormat { output.format }
    /// Whether its rows come from the ledger.
    let isOfLedger: Bool
    /// The files that earlier runs have made.
    var known: [String] = []
    /// Whether those stay that this run has not made.
    var keepsKnown = false

    var files: SplitFiles { batch.files }
  }

  private let conversion: Conversion
  private let counters: Counters
  private let measure: OutputMeasure
  private let allowance: SplitFiles.Allowance
  private var splits: [Split] = []
  private(set) var manifest: (any FileManifest)?
  /// Whether the set of the other outputs publishes the files too.
  private var areFew = false
  /// The paths of calendars that somebody else has written.
  private var foreign: Set<String> = []

  init(_ conversion: Conversion, counters: Counters, measure: OutputMeasure) {
    self.conversion = conversion
    self.counters = counters
    self.measure = measure
    allowance = SplitFiles.Allowance(conversion.maxFiles)
  }

  /// Whether there is none.
  var isEmpty: Bool { splits.isEmpty }

  // MARK: Before the pass

  /// Opens an output for the rows of a table, and returns the branch that takes them.
  ///
  /// Throws if a word in braces is no column, and if no file can be made.
  func open(
    _ output: Conversion.Output, of part: ConversionPart, options: EncoderOptions
  ) throws(PipelineError) -> Branch {
    let files = try add(output, of: part.table, isOfLedger: false)
    return try .splitter(
      output.format, of: part.table, in: conversion.feed, options: options,
      counters: part.counters, into: files)
  }

  /// Opens a calendar that the ledger writes.
  func openForLedger(
    _ output: Conversion.Output, of table: Table
  ) throws(PipelineError) {
    _ = try add(output, of: table, isOfLedger: true)
  }

  private func add(
    _ output: Conversion.Output, of table: Table, isOfLedger: Bool
  ) throws(PipelineError) -> SplitFiles {
    let path = output.destination.path ?? "-"
    guard output.format != .sqlite,
      let pattern = try NamePattern(path, of: output.format.named(table))
    else { throw PipelineError(sink: .notAFile(path: path)) }
    let count = conversion.outputs.count(where: \.destination.namesColumns)
    let files = SplitFiles(
      pattern, allowance: allowance, measure: measure,
      memory: conversion.splitMemory / max(1, count), spoolingTo: pattern.folder)
    let batch = try FileBatch(files)
    splits.append(Split(batch: batch, output: output, isOfLedger: isOfLedger))
    return files
  }

  /// Reads the names of the files that earlier runs have made. Throws the errors of the manifest.
  func read(_ manifest: (any FileManifest)?) throws(PipelineError) {
    self.manifest = manifest
    for index in splits.indices {
      splits[index].known = try manifest?.names(of: splits[index].files.pattern.path) ?? []
    }
  }

  // MARK: After the pass

  /// Has the ledger check the calendars that stand, before it changes. Throws its errors.
  func examine(with ledger: any EventLedger) throws(PipelineError) {
    for index in splits.indices where splits[index].isOfLedger {
      let batch = splits[index].batch
      let names = Set(splits[index].known).union(batch.standingNames())
      foreign.formUnion(
        try ledger.examine(candidates: names.sorted().map { batch.path(of: $0) }))
    }
  }

  /// The files of the calendars that the ledger writes, with their outputs.
  var ledgerFiles: [(files: SplitFiles, output: Conversion.Output)] {
    splits.filter(\.isOfLedger).map { ($0.files, $0.output) }
  }

  /// Writes all files, into `set` if they are few. Throws ``SinkFault/writtenTwice(path:)`` if two
  /// outputs have a file of one name, and other ``PipelineError``s if one cannot be made.
  func write(to set: OutputSet) throws(PipelineError) {
    guard !splits.isEmpty else { return }
    for split in splits {
      split.batch.choose()
      if split.format == .ics {
        let largest = split.files.largest
        counters.noteCalendar(events: largest.rows, bytes: largest.bytes)
      }
    }
    try checkPaths()
    areFew = splits.reduce(0) { $0 + $1.batch.names.count } <= Self.few
    for split in splits where split.isOfLedger {
      for name in split.batch.names where foreign.contains(split.batch.path(of: name)) {
        throw PipelineError(
          sync: .otherCalendar(path: split.batch.path(of: name), feed: conversion.feed.name))
      }
    }
    for split in splits {
      if areFew {
        try split.batch.write(to: set)
      } else {
        try split.batch.stage()
      }
    }
  }

  private func checkPaths() throws(PipelineError) {
    guard splits.count > 1 || conversion.outputs.count > 1 else { return }
    var paths: Set<String> = []
    for output in conversion.outputs where !output.destination.namesColumns {
      for table in conversion.feed.tables {
        if let path = output.destination.named(by: table).path { paths.insert(path.withoutCase) }
      }
    }
    for split in splits {
      for name in split.batch.names {
        let path = split.batch.path(of: name)
        guard paths.insert(path.withoutCase).inserted else {
          throw PipelineError(sink: .writtenTwice(path: path))
        }
      }
    }
  }

  /// Writes the list of all files with their values, sorted by their paths, and finishes it.
  func writeIndex(into output: consuming OutputWriter) throws(PipelineError) {
    var lines: [(path: String, split: Int, file: Int)] = []
    for (index, split) in splits.enumerated() {
      for (file, name) in split.batch.names.enumerated() {
        lines.append((split.batch.path(of: name), index, file))
      }
    }
    lines.sort { $0.path < $1.path }
    var text = ByteBuffer(capacity: 64 << 10)
    for line in lines {
      let files = splits[line.split].files
      text.append("{\"file\":")
      line.path.utf8Span.span.bytes.withUnsafeBytes { JSONText.appendString($0, to: &text) }
      text.append(",\"values\":{")
      files.withValues(of: line.file) { values in
        for (column, value) in zip(files.pattern.names, values) {
          if text.contents.last != UInt8(ascii: "{") { text.append(",") }
          column.utf8Span.span.bytes.withUnsafeBytes { JSONText.appendString($0, to: &text) }
          text.append(":")
          if value.isEmpty { text.append("null") } else { JSONText.appendString(value, to: &text) }
        }
      }
      text.append("}}\n")
      if text.count >= 60 << 10 { try output.take(&text) }
    }
    try output.write(text)
    try output.finish()
  }

  /// Brings all files to the disk.
  func prepare() throws(PipelineError) {
    for split in splits { try split.batch.prepare() }
  }

  /// The bytes of each output.
  var written: [Statistics.Written] {
    splits.map {
      Statistics.Written(
        path: $0.files.pattern.path, bytes: $0.files.size, files: $0.batch.names.count)
    }
  }

  /// What shows that the run has published, of the calendars of the ledger alone or of all outputs.
  func evidence(
    ofLedger: Bool, among prepared: [(path: String, content: Fingerprint)]
  ) -> [(path: String, content: Fingerprint)] {
    let shown = splits.filter { $0.isOfLedger || !ofLedger }
    guard areFew else { return shown.flatMap(\.batch.evidence) }
    let paths = Set(shown.flatMap { split in split.batch.names.map { split.batch.path(of: $0) } })
    return prepared.filter { paths.contains($0.path) }
  }

  // MARK: Publishing

  /// Leaves the files that exist as they are. Returns the paths of those that would have changed.
  func keepFiles() throws(PipelineError) -> [String] {
    var kept: [String] = []
    for split in splits where !areFew { kept += try split.batch.keepFiles() }
    return kept
  }

  /// Leaves the files that earlier runs have made of these outputs. Returns the paths of the
  /// outputs that have some.
  func keepFiles(of outputs: [Conversion.Output]) -> [String] {
    var kept: [String] = []
    for index in splits.indices where outputs.contains(splits[index].output) {
      splits[index].keepsKnown = true
      if !splits[index].known.isEmpty { kept.append(splits[index].files.pattern.path) }
    }
    return kept
  }

  /// Decides that all files are published: if not by this run, then by the next one. After a throw
  /// none is.
  func commit() throws(PipelineError) {
    if let manifest {
      for split in splits {
        try manifest.note(
          Array(Set(split.known).union(split.batch.names)), of: split.files.pattern.path)
      }
    }
    for (index, split) in splits.enumerated() {
      do throws(PipelineError) {
        try split.batch.commit()
      } catch {
        for before in splits[..<index] { before.batch.revoke() }
        throw error
      }
    }
  }

  /// Takes ``commit()`` back.
  func revoke() { for split in splits { split.batch.revoke() } }

  /// Renames all files into their places. With a manifest, removes those that earlier runs have
  /// made and this one has not.
  func publish() throws(PipelineError) {
    guard !splits.isEmpty else { return }
    try Signals.deferring { () throws(PipelineError) in
      for split in splits { try split.batch.publishNow() }
    }
    guard let manifest else { return }
    let current = Set(
      splits.flatMap { split in split.batch.names.map { split.batch.path(of: $0) } })
    for split in splits where !split.keepsKnown {
      let gone = split.known.filter { !current.contains(split.batch.path(of: $0)) }
      _ = split.batch.remove(gone)
      try manifest.note(split.batch.names, of: split.files.pattern.path)
    }
  }

  /// Leaves all files as they are.
  func abandon() { for split in splits { split.batch.abandon() } }
}
