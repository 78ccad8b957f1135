import Glibc

@testable import Sluice

/// A document of a seed, and the input that it reads.
struct Shape {
  var name: String
  var document: [UInt8]
  var input: [UInt8]

  /// The seeds in the order of their names. The folder is beside this package's sources.
  static let all: [Shape] = {
    let package = String("\(#filePath)".dropLast("Sources/Fuzz/Shapes.swift".count))
    let folder = package + "Seeds/shapes/"
    var names: [String] = []
    guard let entries = opendir(folder) else { fatalError("no folder \(folder)") }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".yaml") { names.append(String(name.dropLast(5))) }
    }
    closedir(entries)
    return names.sorted().map { name in
      Shape(
        name: name, document: content("\(folder)\(name).yaml"),
        input: content("\(folder)\(name).json"))
    }
  }()

  private static func content(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { fatalError("cannot read \(path)") }
    return Array(bytes[..<count])
  }
}

/// A run of any document: all its tables, all readings of its input, to CSV, JSON and a calendar.
struct DocumentRun {
  let feed: Feed
  /// Whether only some days are wanted, so that events that come again are written one by one.
  let isOfSomeDays: Bool
  /// Whether all comes as tokens. Otherwise whole records, plain values and gaps of a single table
  /// come as wholes.
  var asksForTokensAlone = false
  /// What is read before the input, in one piece.
  var before: [UInt8] = []

  /// Reads an input in pieces. Returns what was written, output by output.
  func read(
    _ input: [UInt8], inPiecesOf length: Int, rejects: Output, _ counters: Counters
  ) throws(PipelineError) -> [UInt8] {
    let refused = RejectEncoder(into: Writer(to: rejects))
    var options = NormalizerOptions(limit: .unlimited, rejects: refused)
    options.zones = try Zones(of: feed)
    if isOfSomeDays { (options.from, options.to) = (Day(number: 20_450), Day(number: 20_600)) }
    var outputs: [Output] = []
    var parts: [ConversionPart] = []
    for table in feed.tables {
      var part = ConversionPart(table, counters: counters, rejects: refused)
      part.branches = try branches(of: table, into: &outputs, counters)
      parts.append(part)
    }
    func push(_ parts: [ConversionPart], _ options: NormalizerOptions) throws(PipelineError) {
      var rows: [Box<Normalizer<FanOut>>] = []
      for part in parts {
        var options = options
        (options.shares, options.findings, options.late) = (part.shares, part.findings, part.late)
        if options.isAgain { options.rejects = nil }
        rows.append(
          Box(
            Normalizer(
              part.table, of: feed, options: options, into: FanOut(part.branches),
              counters: part.counters)))
      }
      if rows.count == 1, !asksForTokensAlone {
        try push(rows[0].take())
      } else {
        try push(TokenFanOut(rows))
      }
    }
    func push<Rows: TokenStage & ~Copyable>(_ rows: consuming Rows) throws(PipelineError) {
      let decoding = Decoding(
        into: rows,
        options: DecodingOptions(envelope: feed.envelope, unzip: UnzipOptions(maxSize: 1 << 20)),
        counters: Counters())
      try Subject.feed(input, length, after: before, to: decoding.stages)
    }
    func readAll(_ parts: [ConversionPart], _ options: NormalizerOptions) throws(PipelineError) {
      try push(parts, options)
      let again = parts.filter { $0.late?.isWanted ?? false }
      guard !again.isEmpty else { return }
      try push(again, options)
      for part in again { part.late?.isDone = true }
    }
    if parts.contains(where: { $0.shares != nil }) {
      try readAll(parts.map(\.silent), options)
      try readAll(parts.map(\.uncounted), options.again)
    } else {
      try readAll(parts, options)
    }
    try refused.finish()
    return outputs.flatMap(\.bytes)
  }

  /// Makes the encoders of a table, each with an output of its own: how much one holds back depends
  /// on how its rows come.
  private func branches(
    of table: Table, into outputs: inout [Output], _ counters: Counters
  ) throws(PipelineError) -> [Branch] {
    let options = EncoderOptions(
      columns: nil, dialect: .plain, readerLanguage: .ru, hasLabels: true,
      calendar: CalendarOptions(language: .en, stamp: 1_600_000_000))
    var formats: [OutputFormat] = [.csv, .ndjson]
    if table.event != nil, table.keyNumber != nil { formats.append(.ics) }
    var branches: [Branch] = []
    for format in formats {
      let output = Output()
      outputs.append(output)
      branches.append(
        try .encoder(
          format, of: table, in: feed, options: options, into: Writer(to: output),
          counters: counters))
    }
    return branches
  }
}

/// Files of time zones whose bytes are not those of a database.
enum DamagedZone {
  private static let folder = "/dev/shm/sluice-fuzz-zones-\(getpid())"

  /// A feed on the clocks of such a zone: local times and instants, days, local times in a
  /// calendar, and events that come again.
  private static let feeds: [Feed] = ["utc", "local"].map { times in
    let document = """
      feed: zone
      clock: Damaged
      gap: later
      rows: "[]"
      columns: {at: {kind: instant}, day: {from: at, kind: day, read: instant}, time: {kind: time}}
      key: [at]
      event: {summary: "{at}", \(
        times == "utc" ? "start: at" : "start: {day: day, time: time}, for: 1h"), times: local\(
        times == "utc" ? "" : ", repeat: {every: year, until: 2100-01-01}")}
      """
    guard let feed = try? Feed(yaml: document) else { fatalError("no feed of a zone") }
    return feed
  }

  private static let input = Array(
    #"""
    [{"at":"2026-03-29 01:30","time":"02:30"},{"at":"2026-07-01T12:00:00Z","time":"00:00"},
    {"at":"2037-10-25 02:30","time":"24:00"},{"at":"1900-01-01 00:00","time":"12:00"},
    {"at":"9999-12-31 23:59"},{"at":"0001-01-01 00:00"},{"at":"2500-06-01T00:00:00+02:00","time":"03:00"}]
    """#.utf8)

  /// Reads the file of a zone, and times on its clocks. Returns what was written.
  static func read(_ bytes: [UInt8], inPiecesOf length: Int) throws(PipelineError) -> [UInt8] {
    if let zone = Zone(tzif: bytes) { check(zone) }
    store(bytes)
    setenv("TZDIR", folder, 1)
    defer { unsetenv("TZDIR") }
    var written: [UInt8] = []
    for feed in feeds {
      written += try DocumentRun(feed: feed, isOfSomeDays: false)
        .read(input, inPiecesOf: length, rejects: Output(), Counters())
    }
    return written
  }

  /// What a local time means must be an instant that the clocks show so.
  private static func check(_ zone: Zone) {
    for step in 0..<400 {
      let local = (step - 100) * 7_777_777 + step * 1800
      switch zone.reading(of: local) {
      case .once(let offset): precondition(zone.offset(at: local - offset) == offset)
      case .twice(let earlier, let later):
        precondition(zone.offset(at: local - earlier) == earlier)
        precondition(zone.offset(at: local - later) == later)
        precondition(earlier > later)
      case .never(let before, let after): precondition(before < after)
      }
    }
  }

  private static func store(_ bytes: [UInt8]) {
    _ = mkdir(folder, 0o700)
    let path = folder + "/Damaged"
    atexitOnce
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count else { fatalError("cannot write \(path)") }
  }

  private static let atexitOnce: Void = { atexit { DamagedZone.clear() } }()

  private static func clear() {
    unlink(folder + "/Damaged")
    rmdir(folder)
  }
}
