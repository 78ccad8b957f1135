/// Writes `data.js`: what a page shows, as one assignment of JSON to `window.sluice.data`.
///
/// From `file://` a page can read nothing but scripts. No text can end the script: `<` is escaped,
/// as are U+2028 and U+2029, which end a line in old browsers. Texts stand once, and the rest
/// refers to them by their numbers. Equal rows make equal bytes.
struct SiteData<Output: ByteStage & ~Copyable>: ~Copyable {
  /// A file that the page offers.
  struct File {
    var path: String
    var format: OutputFormat
    var size: Int
  }

  private let site: SiteRows
  private var out: OutputBuffer<Output>
  /// The places in their order, and the place in that order of each.
  private let order: [Int]
  private var ranks: [Int]
  /// The new numbers of the texts, in the order of their use, and the texts by them.
  private var numbers: [Int32]
  private var used: [Int] = []
  /// The columns that are neither of a place's name nor of days or numbers.
  private let details: [Int]

  /// Makes a writer for the rows of a site.
  init(_ site: SiteRows, into output: consuming Output) {
    self.site = site
    out = OutputBuffer(into: output)
    order = site.order()
    ranks = [Int](repeating: 0, count: order.count)
    numbers = [Int32](repeating: -1, count: site.texts.count)
    let table = site.table
    let days = [table.dayFields?.first, table.dayFields?.last].compactMap { $0 }
      .filter { table.fields[$0].kind != .instant }
      .flatMap { table.fields[$0].columns }
    let shown = table.shownColumns
    details = table.columns.indices.filter { index in
      let column = table.columns[index]
      return column.kind != .keyNumber && shown?.contains(column.name) != false
        && !days.contains(column.name)
        && !site.nameColumns.contains(index)
    }
    for (rank, place) in order.enumerated() { ranks[place] = rank }
  }

  /// Writes the whole script and finishes the output. Throws if the output fails.
  consuming func write(
    _ feed: Feed, _ options: CalendarOptions, files: [File], streets: [StreetFile]
  ) throws(PipelineError) {
    let rows = shownRows()
    number(rows)
    out.bytes.append(string: PageResource.scriptStart("data"))
    out.bytes.append("{\"format\":1")
    writeFeed(feed, options)
    writeColumns()
    open("texts")
    for (index, text) in used.enumerated() {
      separate(index)
      try append(site.texts.text(text))
    }
    open("places", after: "]")
    try writePlaces()
    open("events", after: "]")
    try write(rows)
    open("history", after: "]")
    try writePast()
    open("files", after: "]")
    for (index, file) in files.enumerated() {
      separate(index)
      out.bytes.append("{\"path\":")
      append(file.path)
      out.bytes.append(
        string: ",\"format\":\"\(file.format.rawValue)\",\"size\":\(file.size)}")
    }
    out.bytes.append("],\"streets\":{")
    try write(streets)
    out.bytes.append("}};\n")
    try out.finish()
  }

  /// The rows that the page lists, in the order of their places. Rows that differ only in the
  /// spelling of their place are one.
  private func shownRows() -> [Int] {
    var seen = TextTable()
    var key = ByteBuffer(capacity: 64)
    let distinct = site.rows.indices.filter { number in
      let row = site.rows[number]
      guard row.isShown else { return false }
      key.removeAll()
      for part in [row.place, Int(row.first.number), Int(row.last.number), row.hasDays ? 1 : 0] {
        key.append(wordOf: part)
      }
      for column in details { key.append(wordOf: site.cell(number, column)) }
      let known = seen.count
      return seen.number(of: key.contents) == known
    }
    return distinct.sorted { a, b in
      let (x, y) = (ranks[site.rows[a].place], ranks[site.rows[b].place])
      return x != y ? x < y : a < b
    }
  }

  /// Numbers the texts in the order in which they are written.
  private mutating func number(_ rows: [Int]) {
    for place in order {
      for index in site.nameColumns.indices { use(site.cell(ofPlace: place, index)) }
    }
    for row in rows { for column in details { use(site.cell(row, column)) } }
  }

  private mutating func use(_ text: Int) {
    guard numbers[text] < 0 else { return }
    numbers[text] = Int32(used.count)
    used.append(text)
  }

  // MARK: Parts

  private mutating func writeFeed(_ feed: Feed, _ options: CalendarOptions) {
    member("feed", feed.name)
    let event = site.table.event
    let title = event?.calendarName ?? feed.summary
    // Several events have no words in common.
    let hasSeveral = site.table.events.count > 1
    localized("title") { options.name ?? title[$0] }
    localized("summary") { language in
      if hasSeveral { return nil }
      if let own = event?.ownSummary?[language], own.clauses.isEmpty { return own.prefix }
      // The words before the first column: what happens, without where.
      let prefix = event?.summary[language].prefix ?? ""
      let end = prefix.lastIndex { !": —-,".contains($0) }
      return end.map { String(prefix[...$0]) }
    }
    member("language", feed.language.rawValue)
    switch feed.clock {
    case .written: out.bytes.append(",\"clock\":0")
    case .offset(let seconds): out.bytes.append(string: ",\"clock\":\(seconds)")
    case .zone(let name): member("clock", name)
    }
    let made = options.stamp ?? options.date.seconds
    out.bytes.append(string: ",\"made\":\(made.map(String.init) ?? "null")")
    out.bytes.append(",\"sources\":[")
    if let url = feed.publicURL, url.hasPrefix("https://") || url.hasPrefix("http://") {
      append(url)
    }
    out.bytes.append("]")
  }

  private mutating func writeColumns() {
    open("name")
    for (index, item) in site.table.searchRule.items.enumerated() {
      separate(index)
      out.bytes.append("{\"column\":")
      append(item.column)
      out.bytes.append(",\"part\":")
      if let part = item.part { append(part.rawValue) } else { out.bytes.append("null") }
      out.bytes.append("}")
    }
    open("details", after: "]")
    for (index, column) in details.enumerated() {
      separate(index)
      out.bytes.append("{\"column\":")
      append(site.table.columns[column].name)
      out.bytes.append(string: ",\"kind\":\"\(site.table.columns[column].kind)\",\"label\":{}}")
    }
    out.bytes.append("]")
  }

  private mutating func writePlaces() throws(PipelineError) {
    for (index, place) in order.enumerated() {
      separate(index)
      if let key = site.keys[place] {
        out.bytes.append("[\"")
        out.bytes.append(hexadecimal: key)
        out.bytes.append("\"")
      } else {
        out.bytes.append("[null")
      }
      for index in site.nameColumns.indices { append(text: site.cell(ofPlace: place, index)) }
      out.bytes.append("]")
      try out.flushIfFull()
    }
  }

  private mutating func write(_ rows: [Int]) throws(PipelineError) {
    for (index, number) in rows.enumerated() {
      separate(index)
      let row = site.rows[number]
      out.bytes.append("[")
      out.bytes.append(decimal: ranks[row.place])
      append(days: row.hasDays ? row.first...max(row.first, row.last) : nil)
      for column in details { append(text: site.cell(number, column)) }
      out.bytes.append("]")
      try out.flushIfFull()
    }
  }

  private mutating func writePast() throws(PipelineError) {
    let past = site.past.indices.sorted { a, b in
      let (x, y) = (ranks[site.past[a].place], ranks[site.past[b].place])
      return x != y ? x < y : a < b
    }
    for (index, number) in past.enumerated() {
      separate(index)
      let past = site.past[number]
      out.bytes.append("[")
      out.bytes.append(decimal: ranks[past.place])
      out.bytes.append(string: ",\"\(past.kind.rawValue)\"")
      append(days: past.days)
      append(days: past.oldDays)
      out.bytes.append("]")
      try out.flushIfFull()
    }
  }

  private mutating func write(_ streets: [StreetFile]) throws(PipelineError) {
    var seen: Set<[Int32]> = []
    for street in streets {
      let name = [street.locality.map { numbers[$0] } ?? -1, numbers[street.street]]
      guard seen.insert(name).inserted else { continue }
      separate(seen.count - 1)
      out.bytes.append(string: "\"\(max(name[0], 0))/\(name[1])\":\"\(street.path)\"")
      try out.flushIfFull()
    }
  }

  // MARK: JSON

  private mutating func separate(_ index: Int) {
    if index > 0 { out.bytes.append(",") }
  }

  private mutating func open(_ name: String, after end: StaticString = "") {
    out.bytes.append(end)
    out.bytes.append(string: ",\"\(name)\":[")
  }

  private mutating func member(_ name: String, _ text: String) {
    out.bytes.append(string: ",\"\(name)\":")
    append(text)
  }

  private mutating func localized(_ name: String, _ text: (Language) -> String?) {
    out.bytes.append(string: ",\"\(name)\":{")
    var isFirst = true
    for language in Language.allCases {
      guard let text = text(language) else { continue }
      out.bytes.append(string: "\(isFirst ? "" : ",")\"\(language.rawValue)\":")
      append(text)
      isFirst = false
    }
    out.bytes.append("}")
  }

  private mutating func append(days: ClosedRange<Day>?) {
    guard let days else { return out.bytes.append(",null,null") }
    for day in [days.lowerBound.number, days.upperBound.number] {
      out.bytes.append(day < 0 ? ",-" : ",")
      out.bytes.append(decimal: Int(day.magnitude))
    }
  }

  private mutating func append(text: Int) {
    out.bytes.append(",")
    out.bytes.append(decimal: Int(numbers[text]))
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { ScriptText.append(UnsafeRawBufferPointer($0), to: &out.bytes) }
  }

  private mutating func append(_ text: UnsafeRawBufferPointer) throws(PipelineError) {
    ScriptText.append(text, to: &out.bytes)
    try out.flushIfFull()
  }
}

/// Writes texts into a script of a page.
enum ScriptText {
  /// Appends a JSON string. It cannot end the script: `<` is escaped, as are the breaks of a line.
  static func append(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: "\""))
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "<") {
        buffer.append("\\u003c")
        index += 1
      } else {
        index += JSONText.appendEscaped(text, at: index, to: &buffer)
      }
    }
    buffer.append(UInt8(ascii: "\""))
  }
}
