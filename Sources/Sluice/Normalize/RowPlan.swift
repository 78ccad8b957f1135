/// The columns of a feed in the form in which records are judged: fields and columns by index.
struct RowPlan: ~Copyable {
  /// A field with the indices of its columns.
  struct Entry {
    var kind: FieldKind
    var columns: Range<Int>
    var column: Int { columns.lowerBound }
    var isRequired: Bool
    /// The unit of its instants; nil if they are texts.
    var unix: UnixTime?
    /// How its text is read, if not in the usual forms of its kind.
    var rule: TimeRule?
    /// The fields of its parts, in the order of ``TimeParts/Name``; empty if it is one value.
    var parts: [Int?]
    /// Number of lists between the document and the field. It is that of a row if the field is the
    /// row's own.
    var arrays: Int
    /// The feed's own name of the field.
    var name: String
    /// Whether a hidden value may be true or false.
    var takesFlags = false
  }

  /// The part of an entry that every record needs.
  struct Reading: BitwiseCopyable {
    var kind: FieldKind
    var column: Int
    /// The column after its last one.
    var columnsEnd: Int
    var isRequired: Bool
    /// The level of the element that it is in, and whether it is the row's own.
    var level: Int
    var isOwn: Bool
    /// Whether its column is the text of the value, tidied.
    var isText: Bool
    /// Whether its column is made as soon as the value comes.
    var isReadAtOnce: Bool
    /// Whether its text is read by a rule of the document.
    var hasRule: Bool
    /// Whether the column of a day, an instant or a time depends on its text only, so that it is
    /// kept.
    var keepsTime: Bool
    /// Whether a day is that of an instant on its clock.
    var readsInstant: Bool
    /// The short way to read what is mostly written there.
    var shortWay: ShortWay
    /// The bit of its place in ``RowPlan/judged``; 0 if it has none, or is not among the first 64.
    var judged: UInt64
  }

  /// How the text of a day, an instant or a time is read if it is written as usual, without a
  /// closer look.
  enum ShortWay: BitwiseCopyable {
    /// There is no such way.
    case none
    /// A day is that of the date as it is written.
    case date
    /// An instant is shown as it is written: it is a text, and is put on no clock.
    case asWritten
    /// It is a text that is put on a clock of the document.
    case onClock
    /// It is a count.
    case count(UnixTime)
    /// The text is mostly in the field's format of ``RowPlan/formats``.
    case format
    /// A day is that of an instant on its clock.
    case dayOfInstant
    /// A time of day is read in its usual forms.
    case time
  }

  let entries: ContiguousArray<Entry>
  /// The same fields, in the same order.
  let readings: FixedArray<Reading>
  /// The first formats of those that are days, instants or times.
  let formats: FixedArray<FirstFormat>
  /// The names in these formats.
  let names: ContiguousArray<TimeNames>
  /// The fields that are required, and the fields whose texts must have a form.
  let required: FixedArray<Int>
  let judged: FixedArray<Int>
  /// The bits of those in ``Reading/judged``.
  let judgedPlaces: UInt64
  /// The bits of those that are around the record.
  let judgedAround: UInt64
  /// The fields whose texts are made of values.
  let made: ContiguousArray<Made>
  /// Whether each record has to make texts before it is judged.
  let makesTexts: Bool
  /// The places in ``made`` of those that are made of fields around the rows only, and whose texts
  /// are seen to be right when they have been made.
  let madeAround: [Int]
  /// Number of lists on the path to a row.
  let rowArrays: Int
  /// The field with periods, and its folded skip text; nil if there is none.
  let periodField: Int?
  let skip: ContiguousArray<UInt8>?
  /// The fields with the row's first and last day; -1 if there are none.
  let firstDayField: Int
  let lastDayField: Int
  /// The bit of ``Reading/judged`` of a field around the rows whose day or instant, as it is
  /// written, gives them their only day; 0 if there is none.
  let aroundDay: UInt64
  /// Whether the times of events are made of columns.
  let makesEvents: Bool
  /// The column of the address; nil if the feed has none.
  let keyNumberColumn: Int?
  /// Whether that is a column of the tables. Otherwise only events have it.
  let showsKeyNumber: Bool
  /// The columns and the fields of an address.
  let keyParts: [Int]
  let keyFields: [Int]
  /// What is special about the rows; nothing in most tables.
  let shape: RowShape

  /// Returns the short way for a field with this first format.
  private static func shortWay(
    _ entry: Entry, _ index: Int, _ format: FirstFormat, _ clocks: RowClocks
  ) -> ShortWay {
    let hasZone = clocks.zoneField(of: index) != nil
    if entry.kind == .instant, let unix = entry.unix { return hasZone ? .none : .count(unix) }
    switch (entry.kind, entry.rule?.source ?? .own) {
    case (.instant, .own) where clocks.areNone(of: index): return .asWritten
    case (.instant, .own): return hasZone ? .none : .onClock
    case (.day, .own) where entry.rule?.readsInstant == true:
      return hasZone || entry.unix != nil ? .none : .dayOfInstant
    case (.day, .own): return .date
    case (.time, .own): return .time
    case (.day, .formats), (.instant, .formats), (.time, .formats):
      return hasZone || format.count == 0 ? .none : .format
    default: return .none
    }
  }

  init(_ table: Table, _ clocks: RowClocks) {
    rowArrays = table.rows.arrays
    shape = RowShape(table)
    var entries: ContiguousArray<Entry> = []
    var column = 0
    for field in table.fields {
      entries.append(
        Entry(
          kind: field.kind, columns: column..<column + field.columns.count,
          isRequired: field.isRequired, unix: field.unix,
          rule: field.rule, parts: table.parts(of: field),
          arrays: !field.isMade && !field.isOfParts ? field.path.arrays : rowArrays,
          name: field.path.steps.isEmpty ? field.columns.first ?? "" : field.path.lastKey))
      column += field.columns.count
    }
    made = Self.made(table)
    makesTexts = !made.isEmpty
    for made in made where entries[made.field].kind == .flag || made.rules.map != nil {
      for source in made.sources { entries[source].takesFlags = true }
    }
    self.entries = entries
    let judgedFields = entries.indices.filter { entries[$0].kind.isJudged }
    let judgedBits = Dictionary(
      uniqueKeysWithValues: judgedFields.prefix(64).enumerated().map { ($1, 1 &<< UInt64($0)) })
    judgedPlaces = judgedBits.values.reduce(0, |)
    let formats = entries.map { FirstFormat($0.rule) }
    self.formats = FixedArray(formats)
    names = ContiguousArray(entries.map { $0.rule?.names ?? .none })
    readings = FixedArray(count: entries.count) { [rowArrays] index in
      let entry = entries[index]
      return Reading(
        kind: entry.kind, column: entry.column, columnsEnd: entry.columns.upperBound,
        isRequired: entry.isRequired, level: entry.arrays, isOwn: entry.arrays == rowArrays,
        isText: entry.kind == .text || entry.kind == .integer,
        isReadAtOnce: entry.kind.isReadAtOnce, hasRule: entry.rule != nil,
        keepsTime: entry.parts.isEmpty && !(table.fields[index].zone?.isRead ?? false),
        readsInstant: entry.rule?.readsInstant ?? false,
        shortWay: Self.shortWay(entry, index, formats[index], clocks),
        judged: judgedBits[index] ?? 0)
    }
    madeAround = made.indices.filter { [made, rowArrays] in
      !made[$0].sources.isEmpty && made[$0].sources.allSatisfy { entries[$0].arrays != rowArrays }
        && Self.mayBeMade.contains(entries[made[$0].field].kind)
    }
    var judgedAround: UInt64 = 0
    for (index, bit) in judgedBits where entries[index].arrays != rowArrays { judgedAround |= bit }
    self.judgedAround = judgedAround
    // Whether all parts are missing is seen when they are put together.
    required = FixedArray(
      entries.indices.filter { entries[$0].isRequired && entries[$0].parts.isEmpty })
    judged = FixedArray(judgedFields)
    periodField = entries.firstIndex { $0.kind == .period }
    skip = table.fields.first { $0.kind == .period }?.skip.map(Fold.key)
    firstDayField = table.dayFields?.first ?? -1
    lastDayField = table.dayFields?.last ?? -1
    makesEvents =
      table.events.count > 1 || table.event?.timing != nil || table.eventTexts != nil
    var aroundDay: UInt64 = 0
    if firstDayField >= 0, firstDayField == lastDayField, !makesEvents, periodField == nil {
      let reading = readings[firstDayField]
      switch reading.shortWay {
      case .date, .asWritten: aroundDay = reading.isOwn ? 0 : reading.judged
      case .none, .onClock, .count, .format, .dayOfInstant, .time: break
      }
    }
    self.aroundDay = aroundDay
    keyNumberColumn = table.keyNumberIndex
    showsKeyNumber = table.keyNumber?.column != nil
    let names = table.columns.map(\.name)
    let parts = table.keyNumber?.parts ?? []
    keyParts = parts.compactMap { names.firstIndex(of: $0) }
    keyFields = table.fields.indices.filter {
      table.fields[$0].columns.contains(where: parts.contains)
    }
  }
}

/// What a record keeps of each field until it is judged.
extension RowBuilder {
  /// The value read for a field.
  struct Slot: BitwiseCopyable {
    /// Whether there was a value.
    var isSet = false
    /// Whether there was a second value.
    var isDuplicate = false
    /// Whether a value has a kind that the field cannot have, or came twice.
    var isUnreadable = false
    /// Whether the text is known to have the form of its kind: a decimal is a number of JSON, an
    /// integer one without fraction and exponent.
    var isInForm = false
    /// The raw text, if the column is made from it later.
    var raw = Record.Text()
  }
}
