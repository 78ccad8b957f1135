/// Makes the texts of fields that are made of values.
///
///     {"name": "", "nick": "Ivan"}     first: [name, nick]
///
///     field   kind     as the value comes    derive()
///     (name)  hidden   raw text
///     (nick)  hidden   raw text Ivan
///     person  text                           column Ivan; by its rules, if it has some
///
/// A column of days or numbers gets a raw text, as if it had come so. A value around the record is
/// there for all records inside, and each makes its texts anew: they go with the record.
extension RowBuilder {
  /// Makes all such texts, before the record is judged.
  @inline(never)
  mutating func derive() {
    for index in plan.made.indices { make(index) }
  }

  /// Makes those that are the same for all rows of a container.
  @inline(__always)
  mutating func deriveAround() {
    for place in plan.madeAround.indices { make(plan.madeAround[place]) }
  }

  private mutating func make(_ index: Int) {
    let field = plan.made[index].field
    slots[field] = Slot()
    var text = Record.Text()
    if plan.made[index].sources.isEmpty {
      let start = record.bytes.count
      plan.made[index].constant.withUnsafeBytes { record.bytes.append($0) }
      text = Record.Text(start: start, count: record.bytes.count - start)
    } else {
      text = source(of: index)
    }
    if makers.isEmpty { return setMade(field, text) }
    if let maker = makers[index] { text = make(text, by: maker, for: field) }
    setMade(field, text)
  }

  /// Returns what the rules of a field make of a text. If nothing, the flaw is noted.
  private mutating func make(
    _ text: Record.Text, by maker: TextMaker, for field: Int
  ) -> Record.Text {
    work.removeAll()
    do {
      _ = try maker.append(record.text(text), isTidy: false, to: &work)
    } catch {
      let value = Array(UTF8Encoding.prefix(record.text(text), Limits.captured))
      let reason: RejectReason =
        switch error {
        case .notInMap: .notInMap
        case .notANumber: plan.readings[field].kind == .integer ? .notAnInteger : .notADecimal
        }
      note(Flaw(reason: reason, field: field, key: plan.entries[field].name, value: value))
      return Record.Text()
    }
    let made = Record.Text(start: record.bytes.count, count: work.count)
    record.bytes.append(work.contents)
    return made
  }

  /// Returns the first value that is not empty.
  private mutating func source(of index: Int) -> Record.Text {
    let field = plan.made[index].field
    var text: Record.Text?
    for source in plan.made[index].sources {
      let slot = slots[source]
      if slot.isSet { slots[field].isSet = true }
      if slot.isDuplicate { slots[field].isDuplicate = true }
      if slot.isUnreadable { slots[field].isUnreadable = true }
      if text == nil, !WhiteSpace.isAll(record.text(slot.raw)) { text = slot.raw }
    }
    // White space alone is a text as it came.
    return text ?? slots[plan.made[index].sources[0]].raw
  }

  /// Sets what a field would have got from the document.
  private mutating func setMade(_ field: Int, _ text: Record.Text) {
    let reading = plan.readings[field]
    switch reading.kind {
    case .text where WhiteSpace.isTidy(record.text(text)),
      .integer where WhiteSpace.isTidy(record.text(text)):
      record.texts[reading.column] = text
    case .text, .integer, .flag:
      // The text is read while the bytes grow: they must not move.
      record.bytes.reserve(text.count)
      let start = record.bytes.count
      WhiteSpace.appendCollapsed(record.text(text), to: &record.bytes)
      if reading.kind == .flag { FlagText.tidy(&record.bytes, from: start) }
      record.setText(reading.column, from: start)
    case .verbatim:
      record.texts[reading.column] = text
    case .decimal, .day, .instant, .time, .period, .share, .hidden, .occurrence:
      slots[field].raw = text
      for column in reading.column..<reading.columnsEnd { record.texts[column] = Record.Text() }
    }
  }
}

extension RowPlan {
  /// A field whose text is made of values.
  struct Made {
    var field: Int
    /// The hidden fields of the values; empty for a constant.
    var sources: ContiguousArray<Int>
    var constant: ContiguousArray<UInt8>
    var rules: TextRules
  }

  /// The rules of the fields whose texts are made; empty if none has any.
  var makers: ContiguousArray<TextMaker?> {
    guard made.contains(where: { !$0.rules.isEmpty }) else { return [] }
    return ContiguousArray(
      made.map { made in
        made.rules.isEmpty
          ? nil : TextMaker(made.rules, isVerbatim: entries[made.field].kind == .verbatim)
      })
  }

  /// Returns the fields of a table whose texts are made.
  static func made(_ table: Table) -> ContiguousArray<Made> {
    var made: ContiguousArray<Made> = []
    for (index, field) in table.fields.enumerated() {
      guard let text = field.made else { continue }
      let sources = text.paths.compactMap { path in
        table.fields.firstIndex { $0.kind == .hidden && $0.path == path }
      }
      made.append(
        Made(
          field: index, sources: ContiguousArray(sources),
          constant: ContiguousArray((text.constant ?? "").utf8), rules: text.rules))
    }
    return made
  }
}
