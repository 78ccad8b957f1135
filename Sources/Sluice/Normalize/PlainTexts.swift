/// A column of a ``PlainRows`` whose text is made of values of the record.
///
///     {"name": null, "nick": "Ivan", "t": 1}     first: [name, nick]         Ivan, as it stands
///                                                map: {1: paper, 2: glass}   paper, in the record's bytes
struct PlainText: BitwiseCopyable {
  /// Its place in ``RowPlan/made``.
  let index: Int
  /// The numbers of its values in a whole record. A column that is made of more is none.
  fileprivate var values = InlineArray<4, Int>(repeating: -1)
  fileprivate var count = 0
  /// Whether rules apply to it.
  fileprivate let hasRules: Bool
}

extension RowPlan {
  /// Returns the columns whose texts are made of values of a whole record, which have these numbers
  /// by their fields. Those that are made of anything else are missing.
  func plainTexts(ofValues numbers: [Int: Int]) -> [PlainText] {
    made.indices.compactMap { index in
      let made = made[index]
      let values = made.sources.compactMap { numbers[$0] }
      let kind = entries[made.field].kind
      // A value by itself is read by its kind.
      let isByItself = made.rules.isEmpty && !values.isEmpty
      var text = PlainText(index: index, hasRules: !made.rules.isEmpty)
      guard values.count == made.sources.count, values.count <= text.values.count,
        isByItself || Self.mayBeMade.contains(kind)
      else { return nil }
      for value in values {
        text.values[text.count] = value
        text.count += 1
      }
      return text
    }
  }

  /// The kinds whose texts are seen to be right when they have been made.
  static let mayBeMade: Set<FieldKind> = [.text, .verbatim, .integer, .decimal, .flag]

  /// The hidden fields whose texts become columns as they are.
  var shownSources: [Int] {
    made.filter { $0.rules.isEmpty && entries[$0.field].kind == .text }.flatMap(\.sources)
  }
}

extension RowBuilder {
  /// Sets the columns whose texts are made in the next row of the series. They are those from
  /// `first` on. Returns false if the row needs a closer look.
  @inline(never)
  mutating func putMadeTexts(_ whole: WholeRecord, from first: Int) -> Bool {
    for number in plainRows.made.indices where !putMadeText(whole, number, first + number) {
      return false
    }
    return true
  }

  private mutating func putMadeText(_ whole: WholeRecord, _ number: Int, _ column: Int) -> Bool {
    let text = plainRows.made[number]
    guard text.count > 0 else {
      let start = beginText()
      plan.made[text.index].constant.withUnsafeBytes { record.bytes.append($0) }
      return putText(column, from: start)
    }
    var chosen = -1
    for place in 0..<text.count {
      let number = text.values[place]
      let value = whole.values[number]
      if value.isFlag { return false }
      guard value.count > 0 else { continue }
      // White space alone is a text as it came, if nothing else did.
      if !value.isTidy, WhiteSpace.isAll(value.text) { return false }
      if chosen < 0 { chosen = number }
    }
    let value = chosen < 0 ? ObjectValue() : whole.values[chosen]
    guard text.hasRules, let maker = makers[text.index] else { return put(value, column) }
    let start = beginText()
    do {
      let made = try maker.append(value.text, isTidy: value.isTidy, to: &record.bytes)
      return putText(column, from: start, known: made)
    } catch {
      return false
    }
  }
}
