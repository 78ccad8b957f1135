/// The columns of a table that an output has, in its own order.
///
///     --columns house,street      locality  street  house  …        house  street
///                                 Колпино   Наличная  15            15     Наличная
///
/// Every kind of table takes them from here: its encoder gets a narrower table and narrower rows.
struct ChosenColumns {
  let columns: [Column]
  /// Their places in a row of the table.
  fileprivate let places: [Int]

  /// Finds columns by their names. Names that the table does not have are left out: the caller has
  /// checked them.
  init(_ names: [String], of table: Table) {
    let all = table.columns
    places = names.compactMap { name in all.firstIndex { $0.name == name } }
    columns = places.map { all[$0] }
  }
}

/// Passes on rows with fewer columns, in another order. All else of a row stays as it is.
struct NarrowingStage<Next: RecordStage & ~Copyable>: RecordStage, ~Copyable {
  private var next: Next
  private let places: [Int]
  private var row: Record

  init(_ chosen: ChosenColumns, into next: consuming Next) {
    places = chosen.places
    row = Record(columns: chosen.places.count)
    self.next = next
  }

  var checksKeys: Bool { next.checksKeys }

  mutating func take(_ wide: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    // The texts stay where they are. They live as long as the call.
    for index in places.indices {
      let text = wide.text(places[index])
      row.texts[index] = Record.Text(base: text.baseAddress, count: text.count)
    }
    (row.firstDay, row.lastDay, row.hasDays) = (wide.firstDay, wide.lastDay, wide.hasDays)
    row.isEvent = wide.isEvent
    (row.keyNumber, row.keyCheck) = (wide.keyNumber, wide.keyCheck)
    try next.take(row, fate)
  }

  consuming func finish() throws(PipelineError) { try next.finish() }
}

extension NarrowingStage: SplitEncoder where Next: SplitEncoder & ~Copyable {
  mutating func handOn() throws(PipelineError) { try next.handOn() }
  mutating func beginRow(isFirst: Bool) { next.beginRow(isFirst: isFirst) }
}

extension NarrowingStage where Next: RowwiseStage & ~Copyable {
  mutating func write(rows: inout ByteBuffer) throws(PipelineError) { try next.write(rows: &rows) }
}

extension EncoderOptions {
  /// The columns that are chosen of a table, or those that it shows; nil for all.
  func chosen(of table: Table) -> ChosenColumns? {
    (columns ?? table.shownColumns).map { ChosenColumns($0, of: table) }
  }
}

extension Branch {
  /// Makes the branch of an encoder for the chosen columns of a table.
  @inline(__always)
  static func table<Encoder: RecordStage & ~Copyable>(
    _ encoder: consuming Encoder, _ chosen: ChosenColumns?
  ) -> Branch {
    guard let chosen else { return Branch(encoder) }
    return Branch(NarrowingStage(chosen, into: encoder))
  }

  /// Makes the branch of such an encoder that writes many files. Throws the errors of the files.
  static func table<Encoder: SplitEncoder & ~Copyable>(
    _ encoder: consuming Encoder, _ chosen: ChosenColumns?, into files: SplitFiles
  ) throws(PipelineError) -> Branch {
    guard let chosen else { return Branch(try Splitter(encoder, into: files)) }
    return Branch(try Splitter(NarrowingStage(chosen, into: encoder), into: files))
  }
}

extension Table {
  /// The table with these columns and those of its key, for a database; nil for those that it
  /// shows. The column of a key's number stays the last.
  func narrowed(to names: [String]?) -> Table {
    guard let names = names ?? shownColumns else { return self }
    let wanted = names + key.filter { !names.contains($0) }
    var table = self
    table.fields = wanted.compactMap { name in
      guard let field = fields.first(where: { $0.columns.contains(name) }),
        let index = field.columns.firstIndex(of: name)
      else { return nil }
      var alone = field
      alone.columns = [name]
      alone.labels = index < field.labels.count ? [field.labels[index]] : []
      return alone
    }
    if let column = keyNumber?.column, !wanted.contains(column) { table.keyNumber = nil }
    table.references.removeAll { !wanted.contains($0.column) }
    table.search?.items.removeAll { !wanted.contains($0.column) }
    if let rule = table.search, rule.items.isEmpty { table.search = nil }
    return table
  }
}

extension View {
  /// Whether a table has all columns that the view is made of.
  func isPossible(in table: Table) -> Bool {
    let columns = table.columns.map(\.name)
    return self.table == table.name
      && order.allSatisfy { columns.contains($0.column) || table.marks.contains($0.column) }
      && conditions.allSatisfy { $0.isMark || columns.contains($0.column) }
  }
}
