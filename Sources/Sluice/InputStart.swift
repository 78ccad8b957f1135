extension Conversion {
  /// The facts about an input that some tables use. The day is found only if a table has it, or
  /// `always`.
  func facts(
    of input: Input, for tables: [Table], _ zones: Zones? = nil, always: Bool = false
  ) throws(PipelineError) -> InputFacts {
    var facts = InputFacts(path: input.name)
    guard always || tables.contains(where: { $0.uses(.date) }) else { return facts }
    let zones = if let zones { zones } else { try Zones(of: feed) }
    if always || inputDates == nil {
      let (file, entry) = dates(of: input, zones)
      facts.entryDay = entry.map { zones.local.day(at: $0) }
      facts.day = facts.entryDay ?? file.map { zones.local.day(at: $0) }
    }
    if let inputDates { facts.day = inputDates.day(in: facts.path) }
    return facts
  }

  /// When a file last changed, and when the entry of the archive in it did, in seconds since 1970.
  /// Nil if that is not known before it is read.
  func dates(of input: Input, _ zones: Zones) -> (file: Int?, entry: Int?) {
    guard case .file(let path) = input else { return (nil, nil) }
    let (file, entry) = (ContentDate(), ContentDate())
    var options = DecodingOptions(envelope: feed.envelope)
    options.unzip = UnzipOptions(entry: self.entry, zone: zones.local, date: entry)
    InputStart.findDate(of: path, options, file)
    return (file.seconds, entry.seconds)
  }
}

/// Reads the start of a file, as far as the date of what an archive holds.
struct InputStart: ByteStage, ~Copyable {
  /// The header of an archive's entry, and enough of its data to know that it is no link.
  private static let size = 16 << 10

  /// What a file is, as far as it matters.
  enum Form {
    case zip, other
    /// It cannot be read twice.
    case pipe
  }

  private var stages: Sniffer

  /// Sets the date of a regular file, and that of the archive's entry in the options. Anything else
  /// cannot be read twice.
  static func findDate(of path: String, _ options: DecodingOptions, _ date: ContentDate) {
    guard let source = try? DescriptorSource(file: path), source.start != nil else { return }
    var start = InputStart(
      stages: Decoding(into: NoTokens(), options: options, counters: Counters()).stages)
    // Whatever is wrong with the file is told when all of it is read.
    try? source.run(into: &start, counters: Counters(), date: date)
    try? start.finish()
  }

  /// Returns whether a file is an archive, by its first bytes. Opens it, and reads only these.
  static func form(of path: String) -> Form {
    guard let source = try? DescriptorSource(file: path) else { return .other }
    guard source.start != nil else { return .pipe }
    let box = Box(Form.other)
    var start = InputStart(
      stages: Sniffer { form throws(PipelineError) in
        if form == .zip { box.value.pointee = .zip }
        throw PipelineError(.source(.cancelled))
      })
    // Whatever is wrong with the file is told when all of it is read.
    try? source.run(into: &start, counters: Counters(), date: ContentDate())
    return box.value.pointee
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
