/// Rows that need no closer look: they are plain values, elements of parallel lists, or whole
/// records of usual forms.
///
///     "rates":{"2026-11-24":{"EUR":1.08,"SEK":11.2,"NOK":11.9}}
///              └ the day     └ made     └ only the key and the value are set anew
///
/// The first row of a container is made as any other. In those after it the columns of the fields
/// around them stay as they are, and they are handed on as a ``RowSeries``. A row that needs a
/// closer look is made as any other too.
///
///     expectPlainRows     once: the columns and their sources
///     beginPlainRows      after a row that was made as any other, and kept: those after it may be plain
///     takePlain           values, members or elements of lists: rows up to one that needs a closer look
///     addSimple, or beginPlain, makePlain, addPlain     a whole record (PlainRecords)
///     endSeries           the rows were handed on
///     leavePlainRows      something else has come
struct PlainRows: ~Copyable {
  /// What the rows are made of.
  enum Source: Equatable {
    /// Values, or members of an object with their keys.
    case values, members
    /// The elements of parallel lists.
    case lists
    /// Whole records.
    case records
  }

  /// A column that each row sets.
  struct Column: BitwiseCopyable {
    let field: Int
    let index: Int
    /// Its place in the ``RowSeries``, which is that in a narrow or in a wide one.
    var place: Int
    let places: (narrow: Int, wide: Int)
    let kind: FieldKind
    /// The values that are right without a closer look, and their least length.
    let right: RightValues
    let leastCount: Int
    /// The number of its value in a whole record; -1 if it is picked.
    let value: Int
  }

  /// What the columns of a row are made of, in their order.
  struct Parts {
    /// The fields of its values, and the numbers of these in a whole record.
    var fields: [Int]
    var values: [Int]
    /// The fields that are picked.
    var picks: [Int] = []
    /// The texts that are made.
    var made: [PlainText] = []
    /// The field of a record's key, if there is one; nil if records come without their keys.
    var keys: [Int]?
    /// The values of a whole record that must be null, because they are in the place of a list.
    var listPlaces: [Int] = []
    /// How many of the first columns say whether a row is wanted, and whether anything does.
    var choosing = 0
    var areChosen = false

    init(_ fields: [Int], values: [Int]? = nil) {
      self.fields = fields
      self.values = values ?? Array(fields.indices)
    }
  }

  let source: Source
  /// The columns of a row, in the order of its values. The key of a plain value is before it, that
  /// of a record is the last. Empty if rows of this plan are not made so.
  let columns: FixedArray<Column>
  /// The indices of all columns of a series. A period has two.
  fileprivate let indices: [Int]
  /// The number of those that are neither picked nor made, and of those that are not made.
  let unpicked: Int
  let unmade: Int
  /// How the texts of the last columns are made.
  let made: FixedArray<PlainText>
  /// The number of the first of them, whose texts say whether a row is wanted.
  let choosing: Int
  /// Whether the days of a row are those of one of them.
  let giveDays: Bool
  /// Whether whole records may come with their keys, and whether the key is a column.
  let takesKeys: Bool
  let showKeys: Bool
  /// The values of a whole record that must be null, because they are in the place of a list.
  let listPlaces: FixedArray<Int>
  /// Whether all that a row needs is that the values of a whole record are put into its columns.
  let areSimple: Bool
  /// The number of the key, if it is made.
  var key = Key()
  /// Whether a series may go on from one container to the next, and the columns of the fields
  /// around the rows that differ then.
  let mayGoOn: Bool
  let around: FixedArray<Around>
  /// What is known of the container.
  var container = Container()
  /// The days of the record while a series is handed on.
  var days = (first: Day(number: 0), last: Day(number: 0), areKnown: false)
  /// Whether rows may be made so.
  var arePossible: Bool {
    @inline(__always) get { columns.count > 0 }
  }
  /// The end of what the columns of the fields around need of the record's bytes, after the row
  /// that was made as any other.
  var madeEnd = 0
  /// The end of the record's bytes before the row of a whole record was made.
  var rowStart = 0
  /// The number of short series in a row, and of rows that are made as any other because of them.
  private var shortSeries = 0
  private var pause = 0
  /// The number of rows that were not wanted since a series ended.
  var dropped = 0
  /// Whether the period of the row says to skip it, so that no row could be made. Read at once if
  /// it is a whole record.
  var isSkipped = false
  /// Whether a row was made as any other, and only such values have come since.
  var areReady = false

  /// Makes no rows.
  init() {
    source = .values
    (unpicked, unmade) = (0, 0)
    made = FixedArray([])
    choosing = 0
    (takesKeys, showKeys) = (false, false)
    listPlaces = FixedArray([])
    areSimple = false
    columns = FixedArray([])
    indices = []
    around = FixedArray([])
    mayGoOn = false
    giveDays = false
  }

  /// Makes rows of these parts; nil if they cannot be made so.
  fileprivate init?(
    _ plan: borrowing RowPlan, _ clocks: borrowing RowClocks, _ parts: Parts, from source: Source,
    checksKeys: Bool
  ) {
    let ofTexts = parts.made.map { plan.made[$0.index].field }
    let fields = parts.fields + parts.picks + ofTexts + (parts.keys ?? [])
    let sources = parts.made.flatMap { plan.made[$0.index].sources }
    let keyColumn = plan.showsKeyNumber || checksKeys ? plan.keyNumberColumn : nil
    let found =
      fields.flatMap { plan.readings[$0].column..<plan.readings[$0].columnsEnd }
      + (keyColumn.map { [$0] } ?? [])
    guard found.count <= RowSeries.mostColumns,
      parts.made.count + plan.madeAround.count == plan.made.count,
      Self.isPossible(plan, clocks, fields, sources),
      Self.keyIsPossible(plan, source, checksKeys: checksKeys)
    else { return nil }
    self.source = source
    takesKeys = parts.keys != nil
    showKeys = parts.keys?.isEmpty == false
    unpicked = parts.fields.count
    unmade = unpicked + parts.picks.count
    made = FixedArray(parts.made)
    listPlaces = FixedArray(parts.listPlaces)
    choosing = parts.choosing
    let columnsAround =
      source == .lists ? nil : Self.columnsAround(plan, rowColumns: found.count)
    mayGoOn = columnsAround != nil
    let outer = columnsAround ?? []
    func places(of index: Int) -> (narrow: Int, wide: Int) {
      let place = found.count { $0 < index }
      return (place, place + outer.count { $0 < index })
    }
    indices = found
    columns = FixedArray(
      fields.indices.map { number in
        let reading = plan.readings[fields[number]]
        let places = places(of: reading.column)
        return Column(
          field: fields[number], index: reading.column, place: places.narrow, places: places,
          kind: reading.kind, right: RightValues(for: reading.kind),
          leastCount: reading.isRequired ? 1 : 0,
          value: number < parts.values.count ? parts.values[number] : -1)
      })
    around = FixedArray(outer.map { Around(index: $0, place: places(of: $0).wide) })
    if let keyColumn {
      let (own, all) = (Set(found), Set(found + outer))
      key = Key(
        places: places(of: keyColumn), isChecked: checksKeys,
        narrow: plan.keyParts.map { own.contains($0) ? places(of: $0).narrow : ~$0 },
        wide: plan.keyParts.map { all.contains($0) ? places(of: $0).wide : ~$0 })
    }
    giveDays = fields.contains(plan.firstDayField)
    areSimple =
      source == .records && !plan.shape.isArray && fields.count == parts.fields.count
      && parts.listPlaces.isEmpty && !parts.areChosen && plan.periodField == nil && keyColumn == nil
  }

  /// Whether all that differs from row to row are these fields, each by itself, and the sources of
  /// some.
  private static func isPossible(
    _ plan: borrowing RowPlan, _ clocks: borrowing RowClocks, _ fields: [Int], _ sources: [Int]
  ) -> Bool {
    // Periods around the rows would make several of each.
    guard !plan.makesEvents, plan.periodField.map(fields.contains) ?? true else { return false }
    let others = sources + plan.madeAround.map { plan.made[$0].field }
    let own = plan.readings.indices.filter { plan.readings[$0].isOwn && !others.contains($0) }
    guard own.count == fields.count, own.allSatisfy(fields.contains) else { return false }
    // The zone of a field around the rows may be in each of them.
    let all = fields + sources
    guard plan.readings.indices.allSatisfy({ !all.contains(clocks.zoneField(of: $0) ?? -1) }) else {
      return false
    }
    let days = [plan.firstDayField, plan.lastDayField]
    guard days[0] == days[1] || !days.contains(where: fields.contains) else { return false }
    return fields.allSatisfy { isReadAlone($0, plan, clocks) }
  }

  /// Whether the column of a field depends on its own text only.
  private static func isReadAlone(
    _ field: Int, _ plan: borrowing RowPlan, _ clocks: borrowing RowClocks
  ) -> Bool {
    switch plan.readings[field].kind {
    case .text, .integer, .decimal, .flag, .verbatim, .period: return true
    case .day, .instant, .time:
      return plan.entries[field].parts.isEmpty && clocks.zoneField(of: field) == nil
    case .share, .hidden, .occurrence: return false
    }
  }

  /// Notes how many whole records a series had, beside those that were dropped. Where lists have a
  /// few records only, or many need a closer look, a series is not worth its while: after eight
  /// that were short none is made for some rows.
  mutating func note(_ count: Int) {
    guard source == .records else { return }
    shortSeries = count + dropped < 4 ? shortSeries + 1 : 0
    dropped = 0
    if shortSeries == 8 { (shortSeries, pause) = (0, 256) }
  }

  /// Returns whether a series may begin after the next row.
  fileprivate mutating func mayBegin() -> Bool {
    guard pause > 0 else { return arePossible }
    pause -= 1
    return false
  }
}

extension RowBuilder {
  /// Prepares for rows that are plain values, which may be all members of an object.
  mutating func expectPlainRows(asMembers: Bool) {
    let keys = plan.shape.keyFields.isEmpty ? [] : plan.shape.keyFields[plan.rowArrays]
    guard keys.count <= 1, keys.isEmpty || asMembers else { return }
    expectPlainRows(
      PlainRows.Parts(keys + [plan.shape.value]), from: asMembers ? .members : .values)
  }

  /// Prepares for rows of the elements of parallel lists, which are these fields.
  mutating func expectPlainRows(ofLists fields: [Int]) {
    expectPlainRows(PlainRows.Parts(fields), from: .lists)
  }

  /// Prepares for rows of whole records, whose values are used so. The values of the fields in
  /// `picks` are picked, and the texts of the `choosing` columns say whether a row is wanted: at
  /// once, or if they `needAll`, when all are made. The records may be all members of an object.
  mutating func expectPlainRows(
    ofRecords uses: [RecordUse], picks: [Int], choosing: (columns: [Int], needAll: Bool),
    asMembers: Bool
  ) {
    // Rows that may be plain values are not in whole records.
    let keys = plan.shape.keyFields.last ?? []
    guard plan.shape.value < 0, keys.count <= 1, keys.isEmpty || asMembers
    else { return }
    // The number of a key is made after all other columns.
    if let column = plan.keyNumberColumn, choosing.columns.contains(column) { return }
    var own: [(field: Int, value: Int)] = []
    var parts = PlainRows.Parts([])
    var hidden: [Int: Int] = [:]
    for (place, use) in uses.enumerated() {
      switch use {
      case .field(let field) where plan.readings[field].kind == .hidden: hidden[field] = place
      case .field(let field): own.append((field, place))
      case .list: parts.listPlaces.append(place)
      case .unread: break
      }
    }
    // Whether a record may be an empty list is seen from a value.
    guard !own.isEmpty else { return }
    func chooses(_ field: Int) -> Bool { choosing.columns.contains(plan.readings[field].column) }
    let first = own.filter { chooses($0.field) }
    own = first + own.filter { !chooses($0.field) }
    // A period that says to skip the record does so whatever else is wrong with it.
    if let place = own.firstIndex(where: { $0.field == plan.periodField }) {
      own.insert(own.remove(at: place), at: 0)
    }
    (parts.fields, parts.values) = (own.map(\.field), own.map(\.value))
    (parts.picks, parts.made) = (picks, plan.plainTexts(ofValues: hidden))
    if asMembers { parts.keys = keys }
    let others = picks + parts.made.map { plan.made[$0.index].field } + keys
    parts.areChosen = choosing.needAll || !choosing.columns.isEmpty
    parts.choosing =
      choosing.needAll || others.contains(where: chooses) ? own.count + others.count : first.count
    expectPlainRows(parts, from: .records)
  }

  private mutating func expectPlainRows(_ parts: PlainRows.Parts, from source: PlainRows.Source) {
    plainRows =
      PlainRows(plan, clocks, parts, from: source, checksKeys: checkedAddress != nil) ?? PlainRows()
    series = RowSeries(
      columns: plainRows.indices, haveDays: plainRows.giveDays,
      haveKeyNumbers: plainRows.key.isMade,
      haveChecks: plainRows.key.isChecked,
      around: plainRows.around.indices.map { plainRows.around[$0].index },
      haveDaysAround: plan.firstDayField >= 0)
  }

  /// Makes the ``series`` wide or narrow. It must be empty.
  mutating func setSeriesWide(_ isWide: Bool) {
    series.setWide(isWide)
    for number in plainRows.columns.indices {
      let places = plainRows.columns[number].places
      plainRows.columns.address[number].place = isWide ? places.wide : places.narrow
    }
    plainRows.key.setWide(isWide)
  }

  /// Notes that a row was made as any other, and kept: those after it need only what differs.
  mutating func beginPlainRows() {
    guard plainRows.mayBegin() else { return }
    plainRows.areReady = true
    plainRows.container.begin(at: series.count)
    // What is around the row is not kept for a wide one.
    if series.isWide { setSeriesWide(false) }
    plainRows.madeEnd = 0
    for column in record.texts.indices where record.texts[column].base == nil {
      let text = record.texts[column]
      plainRows.madeEnd = max(plainRows.madeEnd, text.start + text.count)
    }
  }

  /// Notes that something else has come.
  @inline(__always)
  mutating func leavePlainRows() {
    plainRows.areReady = false
    plainRows.container.hasEnded = false
  }

  /// Adds rows to the ``series``: the values from `first` on, up to one that needs a closer look,
  /// or until it is full. Returns the index of the first that was not added, or the number of all.
  mutating func takePlain(_ run: borrowing ValueRun, from first: Int) -> Int {
    takePlain(run, from: first, withKeys: false)
  }

  /// The same with members and their keys.
  mutating func takePlain(membersOf run: borrowing ValueRun, from first: Int) -> Int {
    // Their keys need not be a column.
    plainRows.columns.count > 1
      ? takePlain(run, from: first, withKeys: true) : takePlain(run, from: first, withKeys: false)
  }

  @inline(__always)
  private mutating func takePlain(
    _ run: borrowing ValueRun, from first: Int, withKeys: Bool
  ) -> Int {
    var index = first
    while index < run.count, series.count < RowSeries.most {
      beginSeriesRow()
      guard !withKeys || put(run.key(index), 0), put(run[index], withKeys ? 1 : 0) else { break }
      endSeriesRow()
      index &+= 1
    }
    noteRows(first..<index, of: run)
    return index
  }

  /// Notes where the last of the rows of these values begins.
  private mutating func noteRows(_ taken: Range<Int>, of run: borrowing ValueRun) {
    if let last = taken.last { offset = run.offset(of: last) }
    dropSeriesRow()
  }

  /// Drops the rows of the ``series``, which were handed on.
  @inline(__always)
  mutating func endSeries() {
    plainRows.note(series.count)
    plainRows.container.handOn(series.count)
    series.removeAll()
    if plainRows.areReady { end() }
  }

  // MARK: Rows

  /// Begins a row that is added to the ``series``.
  @inline(__always)
  mutating func beginSeriesRow() {
    if plainRows.giveDays { record.hasDays = false }
  }

  /// Adds the row to the series.
  @inline(__always)
  mutating func endSeriesRow() {
    putAround()
    if plainRows.key.isMade { putKeyNumber() }
    series.append(markedAs: record)
  }

  /// Sets the columns of the fields around the row if they differ in a series.
  @inline(__always)
  mutating func putAround() {
    guard series.isWide else { return }
    for number in 0..<plainRows.around.count {
      let column = plainRows.around.address[number]
      series.nextTexts[column.place] = record.texts.address[column.index]
    }
  }

  /// Drops a row that needs a closer look.
  @inline(__always)
  mutating func dropSeriesRow() {
    if series.count == 0 { end() }
  }
}
