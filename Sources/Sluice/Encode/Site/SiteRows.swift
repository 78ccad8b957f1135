/// The rows of a site, by their places: all that its files are made of after the pass.
///
/// Texts are kept once, and rows as the numbers of their texts. A row that comes a second time is
/// kept once. With the most rows of a site, that is some megabytes and the distinct texts.
final class SiteRows {
  /// The most rows of a site: those of a town. A browser reads them all.
  static let limit = 50_000

  /// A row.
  struct Row {
    var place: Int
    var first: Day
    var last: Day
    var hasDays: Bool
    /// Whether the page lists it. Cancelled events are in calendars only.
    var isShown: Bool
  }

  /// An event of the calendars.
  struct Event {
    var row: Int
    /// The number of its address.
    var key: UInt64
    var identity: EventIdentity
    /// Nil for that of the content.
    var revision: EventRevision?
    /// Which one it is if a row has several.
    var index = 0
  }

  /// What the ledger knows about a place.
  struct Past {
    var place: Int
    var kind: EventHistory.Kind
    var days: ClosedRange<Day>?
    var oldDays: ClosedRange<Day>?
  }

  let table: Table
  /// The columns of a place's name, by their indexes in a row.
  let nameColumns: [Int]
  /// The number of texts in a row.
  let width: Int
  private(set) var texts = TextTable()
  /// The texts of all rows, `width` numbers each.
  private var cells: [Int32] = []
  private(set) var rows: [Row] = []
  private(set) var events: [Event] = []
  private(set) var past: [Past] = []
  /// The texts of each place's name as they first came, a number for each column.
  private var placeCells: [Int32] = []
  /// The address that the calendar of each place has; nil if it has none.
  private(set) var keys: [UInt64?] = []
  /// The number of the folded text of each text.
  private var foldedNumbers: [Int32] = []
  private var folded = TextTable()
  private var placeNumbers = TextTable()
  private var rowNumbers = TextTable()
  private var bytes = ByteBuffer(capacity: 256)

  init(_ table: Table) {
    self.table = table
    let names = table.columns.map(\.name)
    nameColumns = table.searchRule.items.compactMap { item in names.firstIndex(of: item.column) }
    width = table.width
  }

  // MARK: Collecting

  /// Adds a row. Returns its number. Throws `siteTooLarge` if there are too many.
  @discardableResult
  func add(_ record: borrowing Record, isShown: Bool) throws(PipelineError) -> Int {
    bytes.removeAll()
    for column in 0..<width { append(texts.number(of: record.text(column))) }
    let days =
      record.hasDays ? [record.firstDay.number, record.lastDay.number, 1] : [0, 0, 0]
    for number in days { append(number) }
    let row = Int(rowNumbers.number(of: bytes.contents))
    if row < rows.count {
      if isShown { rows[row].isShown = true }
      return row
    }
    if isShown, rows.count >= Self.limit {
      throw PipelineError(sink: .siteTooLarge(limit: Self.limit))
    }
    let start = cells.count
    bytes.contents.prefix(width * 4).withMemoryRebound(to: Int32.self) { cells += $0 }
    rows.append(
      Row(
        place: place(at: start), first: record.firstDay, last: record.lastDay,
        hasDays: record.hasDays, isShown: isShown))
    return row
  }

  /// Adds an event of a row.
  func add(_ event: Event) {
    events.append(event)
    let place = rows[event.row].place
    if keys[place] == nil { keys[place] = event.key }
  }

  /// Adds what the ledger knows about a row's place.
  func add(_ history: EventHistory, of row: Int) {
    past.append(
      Past(
        place: rows[row].place, kind: history.kind, days: history.days, oldDays: history.oldDays))
  }

  private func append(_ number: Int32) {
    withUnsafeBytes(of: number) { bytes.append($0) }
  }

  /// The place of the row whose texts begin at `start`.
  private func place(at start: Int) -> Int {
    bytes.removeAll()
    for column in nameColumns { append(foldedNumber(Int(cells[start + column]))) }
    let place = Int(placeNumbers.number(of: bytes.contents))
    if place == keys.count {
      keys.append(nil)
      for column in nameColumns { placeCells.append(cells[start + column]) }
    }
    return place
  }

  /// The number that all spellings of a text share: those that ``Fold`` makes equal.
  private func foldedNumber(_ text: Int) -> Int32 {
    while foldedNumbers.count < texts.count {
      var bytes = ByteBuffer(capacity: 64)
      Fold.forEachByte(of: texts.text(foldedNumbers.count)) { bytes.append($0) }
      foldedNumbers.append(folded.number(of: bytes.contents))
    }
    return foldedNumbers[text]
  }

  // MARK: Reading

  /// The number of a row's text.
  func cell(_ row: Int, _ column: Int) -> Int { Int(cells[row * width + column]) }

  /// The number of the text in a place's name. `index` is that of ``nameColumns``.
  func cell(ofPlace place: Int, _ index: Int) -> Int {
    Int(placeCells[place * nameColumns.count + index])
  }

  /// The number that all spellings of a text in a place's name share.
  func foldedCell(ofPlace place: Int, _ index: Int) -> Int {
    Int(foldedNumbers[cell(ofPlace: place, index)])
  }

  /// Makes a record of a row, whose texts are valid until another row is added.
  func read(_ row: Int, into record: inout Record) {
    for column in 0..<width {
      let text = texts.text(cell(row, column))
      record.texts[column] = Record.Text(base: text.baseAddress, count: text.count)
    }
    record.firstDay = rows[row].first
    record.lastDay = rows[row].last
    record.hasDays = rows[row].hasDays
  }

  /// The places in the order of people: house 2 before house 10, a missing part first.
  func order() -> [Int] {
    let ranks = ranks()
    let count = nameColumns.count
    return keys.indices.sorted { a, b in
      for index in 0..<count {
        let (x, y) = (
          ranks[Int(placeCells[a * count + index])], ranks[Int(placeCells[b * count + index])]
        )
        if x != y { return x < y }
      }
      return false
    }
  }

  /// The place of each text in the order of people; 0 for those of no name.
  private func ranks() -> [Int32] {
    var ranks = [Int32](repeating: 0, count: texts.count)
    var names: [(text: Int, order: [UInt32])] = []
    for cell in placeCells where ranks[Int(cell)] == 0 {
      ranks[Int(cell)] = 1
      var order: [UInt32] = []
      Finder.addOrder(of: String(decoding: texts.text(Int(cell)), as: UTF8.self), to: &order)
      names.append((Int(cell), order))
    }
    names.sort { a, b in
      if a.order != b.order { return a.order.lexicographicallyPrecedes(b.order) }
      return texts.text(a.text).lexicographicallyPrecedes(texts.text(b.text))
    }
    for (rank, name) in names.enumerated() { ranks[name.text] = Int32(rank) }
    return ranks
  }
}

/// Distinct texts, each with a number from 0.
struct TextTable: ~Copyable {
  private var bytes = ByteBuffer(capacity: 16 << 10)
  private var ends: [Int] = [0]
  private var hashes: [Int] = []
  /// The numbers of the texts, by their hashes: open addressing. -1 is free.
  private var slots = [Int32](repeating: -1, count: 1 << 10)

  /// The number of texts.
  var count: Int { hashes.count }

  /// Returns a text, valid until the next one is added. Vectors may be read past its end.
  func text(_ number: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: bytes.start + ends[number], count: ends[number + 1] - ends[number])
  }

  /// Returns the number of a text, which is added if it is new.
  mutating func number(of text: UnsafeRawBufferPointer) -> Int32 {
    // Seeded, so that nobody can make texts that lie side by side.
    var hasher = Hasher()
    hasher.combine(bytes: text)
    let hash = hasher.finalize()
    var slot = hash & (slots.count - 1)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if hashes[number] == hash, self.text(number).elementsEqual(text) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(count)
    bytes.append(text)
    ends.append(bytes.count)
    hashes.append(hash)
    if count * 2 > slots.count { grow() }
    return Int32(count - 1)
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 4)
    for (number, hash) in hashes.enumerated() {
      var slot = hash & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number)
    }
  }
}
