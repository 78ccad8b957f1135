/// What becomes of the values of whole objects: their texts stay where they were read.
///
///     {"town":"Пушкин","hot":true,"n":12,"off":"1.8.2020"}
///             └ text         └ flag   └ integer └ raw
///
/// A text is the column, tidied. The flag and the number are too, and are seen to be right. The
/// period is kept until the record is judged.
struct WholeFields: ~Copyable {
  /// A value of whole objects.
  struct Member: BitwiseCopyable {
    /// What becomes of the value.
    enum Use {
      /// Its text is that of a column, tidied.
      case text
      /// The same, and it must be a whole number.
      case integer
      /// Its text is kept until the record is judged; if it is a number, it is that of the column.
      case decimal
      /// Its name is the text of the column.
      case flag
      /// Its text is kept until the record is judged.
      case raw
      /// It is stored as if it had come as a token, if it has a field.
      case token
    }

    /// The index of the field; -1 if it has none.
    var field = -1
    /// The index of its first column, and of the one after its last.
    var column = 0
    var columnsEnd = 0
    var use = Use.token
    /// The bit of ``RowPlan/Reading/judged`` of the field.
    var judged: UInt64 = 0
  }

  /// The memory where the values of whole objects go.
  struct Targets {
    let members: UnsafeMutablePointer<Member>
    let texts: UnsafeMutablePointer<Record.Text>
    let slots: UnsafeMutablePointer<RowBuilder.Slot>
  }

  fileprivate var members = FixedArray<Member>([])
  /// The bits of all of them.
  fileprivate var judged: UInt64 = 0
  /// The fields that are picked of the lists in whole objects.
  fileprivate(set) var pickedFields: ContiguousArray<Int> = []
  /// The values in the place of a list, with a field that is read from the list.
  fileprivate var listPlaces: ContiguousArray<(place: Int, field: Int)> = []
  /// Where the flaw of a whole object was noted.
  fileprivate var flawOffset = 0
  /// Whether the record before was a whole object.
  var cameLast = false
  /// The values that it had, if objects have several words of them.
  fileprivate var lastValues = ValueSet(count: 0)
}

extension RowBuilder {
  /// Prepares for whole objects, whose values are used so, and of whose tokens these fields are
  /// made.
  mutating func expect(_ uses: [RecordUse], picks: [Int]) {
    wholes.members = FixedArray(
      uses.map { use in
        var member = WholeFields.Member()
        guard case .field(let field) = use else { return member }
        let reading = plan.readings[field]
        member.field = field
        (member.column, member.columnsEnd) = (reading.column, reading.columnsEnd)
        member.judged = reading.judged
        switch reading.kind {
        case .integer: member.use = .integer
        case .decimal: member.use = .decimal
        case .flag: member.use = .flag
        default: member.use = reading.isText ? .text : reading.isReadAtOnce ? .token : .raw
        }
        return member
      })
    wholes.lastValues = ValueSet(count: wholes.members.count)
    wholes.judged = wholes.members.indices.reduce(0) { $0 | wholes.members[$1].judged }
    for (place, use) in uses.enumerated() {
      if case .list(let field) = use { wholes.listPlaces.append((place, field)) }
    }
    wholes.pickedFields = ContiguousArray(picks.filter { plan.readings[$0].isOwn })
  }

  /// The values of whole objects whose texts do not become columns, tidied.
  var untidiedValues: Set<Int> {
    let shown = plan.shownSources
    return Set(
      wholes.members.indices.filter { place in
        wholes.members[place].use != .text && wholes.members[place].use != .integer
          && !shown.contains(wholes.members[place].field)
      })
  }

  /// Begins a record with all its values. The texts stay in place, unless they must be tidied.
  @inline(__always)
  mutating func begin(_ whole: WholeRecord) {
    open(at: whole.offset)
    if !wholes.cameLast {
      clear()
      wholes.cameLast = true
      wholes.lastValues.insertAll()
    }
    resetPicks()
    guard whole.values.count <= wholes.members.count else {
      preconditionFailure("values that were not asked for")
    }
    // Rows of a series set columns too.
    if wholes.lastValues.words.count > 1, !plainRows.arePossible, let met = whole.met,
      whole.values.count == wholes.members.count
    {
      takeChanged(whole, met)
    } else {
      var sure: UInt64 = 0
      let targets = targets
      for place in whole.values.indices { take(place, of: whole, to: targets, &sure) }
      unsure = (unsure | wholes.judged) & ~sure
    }
    for index in wholes.listPlaces.indices
    where whole.values[wholes.listPlaces[index].place].kind != .null {
      refuse(
        whole.values[wholes.listPlaces[index].place], of: wholes.listPlaces[index].field, whole)
    }
  }

  /// Keeps the values that a record of many values has, and forgets those that only the one before
  /// it had. The others are missing, as they were.
  ///
  /// In two loops: no processor could predict which of them are missing now.
  @inline(never)
  private mutating func takeChanged(_ whole: WholeRecord, _ met: UnsafePointer<UInt64>) {
    var sure: UInt64 = 0
    let targets = targets
    for word in wholes.lastValues.words.indices {
      var missing = wholes.lastValues.exchange(word, for: met[word]) & ~met[word]
      while missing != 0 { sure |= forget(ValueSet.next(word, &missing)) }
      var present = met[word]
      while present != 0 {
        let place = ValueSet.next(word, &present)
        assert(whole.values[place].times > 0)
        unsure |= targets.members[place].judged
        take(place, of: whole, to: targets, &sure)
      }
    }
    unsure &= ~sure
  }

  /// Forgets a value of the record before. Returns the bit of its field, which is surely right.
  @inline(__always)
  private mutating func forget(_ place: Int) -> UInt64 {
    let member = wholes.members.address + place
    guard member.pointee.field >= 0 else { return 0 }
    reset(member.pointee.field)
    return member.pointee.judged
  }

  /// Where the values of whole objects go, by the places of these. Read once for a record: the
  /// compiler cannot know that what is written there does not change it.
  @inline(__always)
  private var targets: WholeFields.Targets {
    WholeFields.Targets(
      members: wholes.members.address, texts: record.texts.address, slots: slots.address)
  }

  /// Keeps a value of a whole object. Sets the bit of its field, ``RowPlan/Reading/judged``, if it
  /// is surely right.
  @inline(__always)
  private mutating func take(
    _ place: Int, of whole: WholeRecord, to targets: WholeFields.Targets, _ sure: inout UInt64
  ) {
    // There are as many members as values, or more.
    let (member, texts, slots) = (targets.members + place, targets.texts, targets.slots)
    let value = whole.values[place]
    switch member.pointee.use {
    case .text where value.isTidy:
      texts[member.pointee.column] = Record.Text(base: value.start, count: value.count)
    case .integer where value.isTidy:
      texts[member.pointee.column] = Record.Text(base: value.start, count: value.count)
      let isInForm = value.traits.contains(.whole) || value.kind == .null
      slots[member.pointee.field].isInForm = isInForm
      if isInForm { sure |= member.pointee.judged }
    case .decimal where !value.isFlag:
      let text = Record.Text(base: value.start, count: value.count)
      let isInForm = value.kind != .string || DecimalText.isSurelyNumber(ofRow: value.text)
      slots[member.pointee.field].raw = text
      slots[member.pointee.field].isInForm = isInForm
      texts[member.pointee.column] = isInForm ? text : Record.Text()
      if isInForm { sure |= member.pointee.judged }
    case .flag where value.isFlag || value.kind == .null:
      texts[member.pointee.column] = Record.Text(base: value.start, count: value.count)
      sure |= member.pointee.judged
    case .raw where !value.isFlag:
      slots[member.pointee.field].raw = Record.Text(base: value.start, count: value.count)
      for column in member.pointee.column..<member.pointee.columnsEnd {
        texts[column] = Record.Text()
      }
    default: take(value, for: member.pointee, whole)
    }
  }

  /// Keeps a value that needs more than to note where it is.
  @inline(never)
  private mutating func take(
    _ value: ObjectValue, for member: WholeFields.Member, _ whole: WholeRecord
  ) {
    guard member.field >= 0 else { return }
    if member.use == .text || member.use == .integer, !value.isFlag {
      let start = record.bytes.count
      WhiteSpace.appendCollapsed(value.text, to: &record.bytes)
      slots[member.field].isInForm = false
      return record.setText(member.column, from: start)
    }
    reset(member.field)
    guard value.times > 0 else { return }
    storeToken(
      value.kind, RawSpan(_unsafeBytes: value.text), member.field, at: offset,
      noted: whole.offset(of: value))
  }

  /// Notes that a value is in the place of a list from which a field is read.
  @inline(never)
  private mutating func refuse(_ value: ObjectValue, of field: Int, _ whole: WholeRecord) {
    storeToken(
      value.kind, RawSpan(_unsafeBytes: value.text), field, at: offset,
      noted: whole.offset(of: value), isNoList: true)
  }

  /// Stores a token of a whole object. Its flaw is the record's if no other was noted at an earlier
  /// offset: values do not come in the order in which they are written.
  mutating func storeToken(
    _ kind: TokenKind, _ text: RawSpan, _ field: Int, at offset: Int, noted: Int,
    isNoList: Bool = false
  ) {
    let first = flaws.ownFlaw
    if first != nil, kind == .endObject || kind == .endArray {
      _ = store(kind, text, field, at: offset)
      return
    }
    flaws.begin()
    if isNoList {
      _ = refuse(kind, text, field, at: offset)
    } else {
      _ = store(kind, text, field, at: offset)
    }
    if flaws.ownFlaw == nil || first != nil && wholes.flawOffset <= noted {
      flaws.begin(first)
    } else {
      wholes.flawOffset = noted
      // The next object begins without a flaw.
      wholes.cameLast = false
    }
  }

  /// Forgets the value of a field.
  mutating func reset(_ field: Int) {
    slots[field] = Slot()
    let reading = plan.readings[field]
    for column in reading.column..<reading.columnsEnd { record.texts[column] = Record.Text() }
  }
}
