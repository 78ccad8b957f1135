/// Rows of parallel lists, which a ``Zipper`` holds.
///
///     time   held:  2026-01-01  2026-01-02
///     rain   read:  0.4         1            a run of plain values: a series of two rows
extension Normalizer where Next: ~Copyable {
  /// Reads a token of lists that rows are made of, and makes the rows that are complete.
  @inline(never)
  mutating func zip(_ kind: TokenKind, _ text: RawSpan, _ place: Int, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    switch try zipper.read(kind, text, place, at: offset) {
    case .nothing: return .proceed
    case .capture: return .capture
    case .list: return .values
    case .row: try makeRow(at: offset)
    case .end: while zipper.hasMore { try makeRow(at: offset) }
    case .mismatch(let place, let start):
      paths.beginRows()
      row.begin(Flaw(mismatch: kind, text, key: zipper.key(of: place)), at: start)
      try judge(kind, text)
    }
    return .proceed
  }

  /// Reads plain values of such a list. Rows of them come as a series while they need no closer
  /// look.
  @inline(never)
  mutating func zip(_ run: borrowing ValueRun) throws(PipelineError) {
    guard zipper.isAtLast else { return try zipper.keep(run, 0..<run.count) }
    var index = 0
    while index < run.count {
      if row.plainRows.areReady {
        index = row.takePlain(run, from: index, &zipper)
        try rows.handOnSeries(&row)
      }
      if index < run.count {
        try zipper.keep(run, index..<index + 1)
        try makeRow(at: run.offset(of: index))
        index += 1
      }
    }
  }

  /// Ends an element with lists. Those that have not come are missing.
  mutating func endZip(_ level: Int) throws(PipelineError) {
    guard zipper.level == level else { return }
    while zipper.hasMore { try makeRow(at: row.offset) }
  }

  /// Makes a row of the next element of each list. A list that has no more elements than its rows
  /// makes the row wrong.
  @inline(never)
  private mutating func makeRow(at offset: Int) throws(PipelineError) {
    paths.beginRows()
    var (start, short) = (offset, nil as Int?)
    if zipper.havePlainValues, zipper.readValues(&start, &short) {
      row.begin(zipper.row(at: start))
      if keepsRaw { zipper.writeText() }
    } else {
      short = try storeElements(at: offset)
    }
    if let short { row.note(Flaw(reason: .wrongFieldCount, key: zipper.name(short))) }
    let isKept: Bool
    if zipper.raw.isEmpty {
      isKept = try judge(UnsafeRawBufferPointer(start: nil, count: 0))
    } else {
      let raw = zipper.raw
      isKept = try raw.span.bytes.withUnsafeBytes { (raw) throws(PipelineError) in try judge(raw) }
    }
    zipper.endRow()
    if isKept { beginPlainRows() }
  }

  /// Stores the next element of each list, of any kind. Returns the first list that has none.
  private mutating func storeElements(at offset: Int) throws(PipelineError) -> Int? {
    var start = offset
    if var first = zipper.reader(0).reader { start = first.word() }
    row.begin(at: start)
    zipper.isMakingRow = true
    var short: Int?
    for list in 0..<zipper.listCount {
      let (reader, isShort) = zipper.reader(list)
      if isShort { short = short ?? list }
      guard var reader else { continue }
      if list == 0 { _ = reader.word() }
      zipper.beginText(list)
      try storeElement(&reader, list, at: start)
      zipper.endReading(list, at: reader.place)
    }
    zipper.isMakingRow = false
    zipper.endText()
    return short
  }

  /// Stores the values of an element in the row that begins at `start`, and appends its text.
  private mutating func storeElement(
    _ reader: inout Zipper.Reader, _ list: Int, at start: Int
  ) throws(PipelineError) {
    let kind = reader.head().kind
    guard kind == .beginObject || kind == .beginArray else {
      let text = reader.text()
      zipper.raw.append(contentsOf: JSONText.scalar(kind, text))
      return try storePart(kind, text, zipper.elementPlace(list), at: start)
    }
    let place = start + zipper.raw.count
    while let kind = TokenKind(rawValue: reader.byte()) {
      let (part, offset) = (reader.word(), reader.word())
      let text = reader.text()
      try storePart(kind, text, part, at: place + offset)
    }
    zipper.raw.append(contentsOf: reader.text())
  }

  private mutating func storePart(
    _ kind: TokenKind, _ text: UnsafeRawBufferPointer, _ place: Int, at offset: Int
  ) throws(PipelineError) {
    let text = RawSpan(_unsafeBytes: text)
    switch zipper.target(place) {
    case .field(let index): _ = row.store(kind, text, index, at: offset)
    case .list(let index):
      if kind != .null, kind != .beginArray, kind != .endArray {
        _ = row.refuse(kind, text, index, at: offset)
      }
    case .pick(let pick): try self.pick(kind, text, pick, at: offset)
    case nil: break
    }
  }
}

extension RowBuilder {
  /// Adds rows to the ``series``, which must be empty: the values of the last list from `first` on,
  /// each with the next elements of the others, up to a row that needs a closer look. Returns the
  /// number of its value, or that of all if there is none.
  fileprivate mutating func takePlain(
    _ run: borrowing ValueRun, from first: Int, _ zipper: inout Zipper
  ) -> Int {
    let last = zipper.openList
    for index in first..<run.count {
      beginSeriesRow()
      for list in 0..<zipper.listCount {
        if list == last, put(run[index], list) { continue }
        guard list != last, zipper.hasMore(list), let value = zipper.readPlain(list),
          put(value, list)
        else {
          dropSeriesRow()
          return index
        }
      }
      endSeriesRow()
      offset = last == 0 ? run.offset(of: index) : zipper.nextOffset
      zipper.endReading()
    }
    return run.count
  }
}
