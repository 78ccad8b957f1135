/// Chooses the rows of a sample, their columns, and the columns that make them events.
struct DraftRows {
  /// The rows that are lists at a place, and what is known of them.
  struct ListRows {
    let place: Int
    /// The places of their values.
    let columns: [Int]
    let headings: RowHeadings.Found?
  }

  private(set) var places: [SamplePlace]
  /// Whether a document can have each place's path.
  let isWritable: [Bool]
  /// All rows that may be lists.
  private let listRows: [ListRows]

  init(_ tree: SampleTree) {
    var places = tree.places
    isWritable = places.map(\.path.isWritable)
    let headings = RowHeadings(places)
    listRows = places.indices.compactMap { index in
      guard let columns = RowHeadings.columns(of: index, in: tree.places) else { return nil }
      let found = headings.headings(of: index, columns: columns)
      // Without headings, lists of lists may be anything.
      guard found != nil || RowHeadings.arePlain(index, in: tree.places) else { return nil }
      return ListRows(place: index, columns: columns, headings: found)
    }
    for rows in listRows {
      for (position, column) in rows.columns.enumerated() {
        places[column].heading = rows.headings?.names[position]
        if case .firstRow? = rows.headings?.origin { continue }
        places[column].seeHeld()
      }
    }
    self.places = places
  }

  /// The paths of objects whose keys are data. Read again with them, the sample tells more.
  var dataKeys: Set<Path> {
    let headings = Set(listRows.flatMap { $0.headings?.names ?? [] })
    return DataKeys(places).paths(rows: objectRows, headings: headings)
  }

  func draft() throws(DraftFault) -> FeedDraft {
    let objects = objectRows
    let lists = bestListRows
    let zipped = parallelLists()
    if let lists, isBetter(lists, than: objects, or: zipped) {
      return try draft(of: lists.place, as: .lists, headings: lists.headings)
    }
    if let objects, hasDays(around: objects) { return try draft(of: objects, as: .objects) }
    if objects == nil, let zipped { return zipped }
    if let values = valueRows { return try draft(of: values, as: .values) }
    if let objects { return try draft(of: objects, as: .objects) }
    throw noRows(at: 0)
  }

  private func noRows(at place: Int) -> DraftFault {
    .noRows(
      keys: places[place].childOrder.compactMap { child in
        if case .key(let key) = places[child].path.steps.last { key } else { nil }
      })
  }

  private func draft(
    of rows: Int, as form: FeedDraft.RowForm, headings: RowHeadings.Found? = nil
  ) throws(DraftFault) -> FeedDraft {
    var columns: [(column: FeedDraft.Column, place: SamplePlace)] = []
    var omitted: [FeedDraft.Omitted] = []
    var names = DraftNames()
    let list = places[rows]
    var isHeaded = false
    if case .firstRow? = headings?.origin { isHeaded = true }
    let all = count(of: list, as: form)
    let count = isHeaded ? all - 1 : all
    // The number of records that may still be rejected: a tenth, less the elements that are no
    // rows.
    var room = list.elements / 10 - (list.elements - all)
    for index in candidates(around: rows) where !describes(index, headings) {
      let place = places[index]
      if let why = omission(index, rows: rows) {
        omitted.append(FeedDraft.Omitted(path: place.path, why: why))
        continue
      }
      let isOwn = place.path.steps.starts(with: list.path.steps)
      let path = index == rows ? Path(place.path.steps + [.itself]) : place.path
      var column = FeedDraft.Column(
        name: "", path: path, isOwn: isOwn, kind: kind(of: place), unix: place.unix,
        example: place.example)
      if column.kind == .text || column.kind == .integer, let reading = place.reading {
        column.reading = reading
        if reading.kind != .text { column.kind = reading.kind }
      }
      if isOwn, column.kind == .text { findDays(in: place, of: &column, room: &room) }
      column.name = names.name(
        naming(column, of: place, from: isOwn ? list.path.steps.count : 0),
        isPeriod: column.kind == .period)
      columns.append((column, place))
    }
    // Without a value of its own no row is known.
    guard columns.contains(where: \.column.isOwn) else {
      throw noRows(at: rows)
    }
    var draft = FeedDraft(
      rows: list.path, form: form, count: count, columns: columns.map(\.column),
      omitted: omitted, key: [])
    keepOnePeriod(&draft)
    if isHeaded { leaveOutHeadings(&draft, columns.map(\.place)) }
    DraftEvent(columns.map(\.place), rows: count).add(to: &draft)
    return draft
  }

  /// Finds a column by whose text the row of the headings is left out: one of texts, or else one of
  /// numbers, which are read as texts then. No other row may have its heading.
  private func leaveOutHeadings(_ draft: inout FeedDraft, _ places: [SamplePlace]) {
    let fit = draft.columns.indices.filter { index in
      let (column, place) = (draft.columns[index], places[index])
      guard column.isOwn, let heading = place.heading,
        case .text(let whole, isNumber: false)? = place.held, heading.utf8.elementsEqual(whole),
        Path.isWritable(heading), !Self.conditions.contains(column.name),
        [.text, .integer, .decimal].contains(column.kind), column.reading == nil
      else { return false }
      // Conditions take letters that look alike for the same.
      let key = Fold.lookAlikeKey(of: heading)
      return !place.distinct.contains { Fold.lookAlikeKey(of: $0) == key }
    }
    let words = fit.first { draft.columns[$0].kind == .text }
    guard let index = words ?? fit.first, let heading = places[index].heading else { return }
    draft.columns[index].kind = .text
    draft.heading = FeedDraft.Heading(column: draft.columns[index].name, text: heading)
  }

  /// Keys of a document's `where` that are no columns.
  private static let conditions: Set<String> = ["all", "any"]

  private func count(of list: SamplePlace, as form: FeedDraft.RowForm) -> Int {
    switch form {
    case .objects: list.objects
    case .lists: list.lists
    case .values: list.values
    }
  }

  /// Returns the path whose keys name a column. `start` is the first step that counts.
  private func naming(_ column: FeedDraft.Column, of place: SamplePlace, from start: Int) -> Path {
    let time = column.kind == .day ? "day" : column.kind == .instant ? "time" : nil
    switch column.path.steps.last {
    case .keyName: return [.key(time ?? "key")]
    case .itself: return [.key(time ?? "value")]
    case .element(let position):
      return [.key(place.heading ?? time ?? "column \(position + 1)")]
    default: return Path(Array(column.path.steps.dropFirst(start)))
    }
  }

  /// Whether a place is the list of the headings, or an object with more about one of them.
  private func describes(_ index: Int, _ headings: RowHeadings.Found?) -> Bool {
    guard let headings else { return false }
    if case .list(let each) = headings.origin, places[each].parent == index { return true }
    let names = Set(headings.names)
    return places[index].path.steps.dropLast().contains { step in
      if case .key(let key) = step { names.contains(key) } else { false }
    }
  }

  // MARK: Where the rows are

  /// The list with the most values in its objects. Lists with days of their own come first, then
  /// lists with days around them, then all others. A document has to say where the rows are, so a
  /// list that it cannot name is none.
  private var objectRows: Int? {
    let named = places.indices.filter { index in
      places[index].objects > 0 && places[index].path.steps.last?.isWild == true
        && isWritable[index]
    }
    let filled = named.filter { list in
      leaves(of: list).contains {
        omission($0, rows: list) == nil && places[$0].path.steps.last != .keyName
      }
    }
    let lists = filled.isEmpty ? named : filled
    let own = lists.filter { list in leaves(of: list).contains { hasDays($0) } }
    let around = lists.filter { hasDays(around: $0) }
    let fit = !own.isEmpty ? own : !around.isEmpty ? around : lists
    return fit.max { a, b in values(in: leaves(of: a)) < values(in: leaves(of: b)) }
  }

  /// The rows with the most values that are lists. They have headings, or are equally long and in
  /// no other list. As the values of keys they are of several kinds then: others are lists of rows.
  /// Rows with days come first.
  private var bestListRows: ListRows? {
    func rank(_ rows: ListRows) -> (Int, Int) {
      (rows.columns.contains { hasDays($0) } ? 1 : 0, values(in: rows.columns))
    }
    let fit = listRows.filter { rows in
      let place = places[rows.place]
      guard isWritable[rows.place], let each = place.children[.each] else { return false }
      return rows.headings != nil
        || !place.path.steps.dropLast().contains(.each)
          && places[each].elements == place.lists * rows.columns.count
          && (place.path.steps.last == .each
            || Set(rows.columns.map { kind(of: places[$0]) }).count > 1)
    }
    return fit.max { a, b in rank(a) < rank(b) }
  }

  /// Whether rows that are lists are meant, and not other rows that there are too.
  private func isBetter(
    _ lists: ListRows, than objects: Int?, or zipped: FeedDraft?
  ) -> Bool {
    let count = values(in: lists.columns)
    let haveDays = lists.columns.contains { hasDays($0) }
    guard let objects else {
      guard let zipped else { return true }
      let othersHaveDays = zipped.columns.contains {
        $0.isOwn && [.day, .instant, .period].contains($0.kind)
      }
      return haveDays == othersHaveDays
        ? count >= zipped.count * zipped.zip.count : haveDays
    }
    // Objects in the list of the headings are no rows, nor are those in rows that have headings.
    if case .list(let each)? = lists.headings?.origin,
      [each, lists.place].contains(where: {
        places[objects].path.steps.starts(with: places[$0].path.steps)
      })
    {
      return true
    }
    let isLarger = count > values(in: leaves(of: objects))
    let haveOnlyDays = haveDays && !hasDays(around: objects)
    return lists.headings == nil ? isLarger && haveOnlyDays : isLarger || haveOnlyDays
  }

  /// The list of plain values with the most of them, if they are days or have days around them.
  private var valueRows: Int? {
    let fit = places.indices.filter { index in
      let place = places[index]
      return place.path.steps.last?.isWild == true && place.values > 0 && place.objects == 0
        && (place.flags == 0 || place.flags == place.values) && place.lists == 0
        && isWritable[index] && hasDays(around: index)
    }
    return fit.max { a, b in
      (hasDays(a) ? 1 : 0, places[a].values) < (hasDays(b) ? 1 : 0, places[b].values)
    }
  }

  private func values(in leaves: [Int]) -> Int {
    leaves.reduce(0) { $0 + places[$1].values }
  }

  /// Whether rows have days, of their own or around them.
  private func hasDays(around rows: Int) -> Bool {
    candidates(around: rows).contains { hasDays($0) }
  }

  func hasDays(_ index: Int) -> Bool {
    let place = places[index]
    return isWritable[index]
      && (10 * max(place.days, place.instants, place.periods) >= 9 * max(1, place.values)
        || place.unix != nil || place.reading?.kind == .day)
  }

  /// Returns the places that may be columns: those around the rows, outermost first, then the rows'
  /// own. A row that is a plain value is one itself.
  private func candidates(around rows: Int) -> [Int] {
    var ancestors: [Int] = []
    var place = places[rows].parent
    while place >= 0 {
      ancestors.append(place)
      place = places[place].parent
    }
    var found: [Int] = []
    for ancestor in ancestors.reversed() {
      for child in places[ancestor].childOrder
      where !ancestors.contains(child) && child != rows && !isElement(child) {
        found += leaves(at: child)
      }
    }
    let row = places[rows]
    return found + leaves(of: rows) + (row.objects == 0 && row.lists == 0 ? [rows] : [])
  }

  /// Returns the places of values in the objects at `place`, or in the lists there.
  func leaves(of place: Int) -> [Int] {
    let isObject = places[place].objects > 0
    return places[place].childOrder.filter { !(isObject ? isElement($0) : isOfMany($0)) }
      .flatMap { leaves(at: $0) }
  }

  /// Returns the places of values at `place`, or in the objects at it.
  private func leaves(at place: Int) -> [Int] {
    let node = places[place]
    // What is in an object is not known if it is in a row that is a list.
    let isKnown = !(isElement(place) && node.children.isEmpty)
    guard node.objects > 0, node.values == 0, node.lists == 0, !node.hasDataKeys, isKnown else {
      return [place]
    }
    return leaves(of: place)
  }

  /// Whether a place is that of an element of a list, or of the value of a key that is data.
  private func isElement(_ place: Int) -> Bool {
    if case .element = places[place].path.steps.last { true } else { isOfMany(place) }
  }

  /// Whether a place is that of all elements of a list, or of all values of keys that are data.
  private func isOfMany(_ place: Int) -> Bool { places[place].path.steps.last?.isWild == true }

  private func omission(_ index: Int, rows: Int) -> FeedDraft.Omission? {
    let place = places[index]
    if !isWritable[index] { return .name }
    if index == rows { return nil }
    if place.hasDataKeys, place.lists == 0, place.values == 0 { return .keyed }
    if place.lists > 0, place.objects == 0, place.values == 0,
      place.path.steps.starts(with: places[rows].path.steps)
    {
      return list(index)
    }
    if place.lists > 0, place.objects == 0, place.values == 0 { return .beside }
    if place.objects > 0 || place.lists > 0 { return .mixed }
    if place.values == 0 { return .empty }
    if place.flags > 0, place.flags + place.flagWords < place.values { return .mixed }
    // Rows wait for a value of the object around them, which is small. The document is not.
    return place.path.arrays == 0 && isLate(index, rows: rows) ? .late : nil
  }

  /// Returns why a list in the row is not a column, with the path to one of its values.
  private func list(_ index: Int) -> FeedDraft.Omission {
    guard let each = places[index].children[.each] else {
      // What is in it is not known if the row is a list too.
      return isElement(index) ? .mixed : .empty
    }
    let leaf = places[each].objects > 0 ? leaves(of: each).first : each
    let first = leaf.flatMap { leaf in
      places[leaf].values > 0 && places[leaf].lists == 0 && places[leaf].objects == 0
        ? Path(
          places[index].path.steps + [.element(0)]
            + places[leaf].path.steps.dropFirst(places[each].path.steps.count)) : nil
    }
    return .list(first: first, hasObjects: places[each].objects > 0)
  }

  /// Returns whether a place comes after the rows in some object around them.
  private func isLate(_ index: Int, rows: Int) -> Bool {
    var way = rows
    while way >= 0 {
      let around = places[way].parent
      var top = index
      while top >= 0, places[top].parent != around { top = places[top].parent }
      if top >= 0, top != way { return places[top].after.contains(way) }
      way = around
    }
    return false
  }

  func kind(of place: SamplePlace) -> FieldKind {
    let count = place.values
    if place.flags > 0 { return .flag }
    if place.days == count { return .day }
    if place.instants == count || place.unix != nil { return .instant }
    if place.periods == count { return .period }
    if place.integers == count { return .integer }
    return place.numbers == count ? .decimal : .text
  }

  /// Makes a text column one of days, instants or periods if nine values in ten are. The records of
  /// the other values will be rejected, so there must be enough `room` for them.
  func findDays(in place: SamplePlace, of column: inout FeedDraft.Column, room: inout Int) {
    // A repeated text that is not a period is taken as the skip text.
    let most = place.noPeriods.max { $0.count < $1.count }
    let skip = 2 * place.periods > place.values && most?.count ?? 0 > 1 ? most : nil
    let noPeriod = place.noPeriods.first { $0.text != skip?.text }
    let kinds: [(kind: FieldKind, count: Int, misfit: SamplePlace.Misfit?)] = [
      (.day, place.days, place.noDay), (.instant, place.instants, place.noInstant),
      (.period, place.periods + (skip?.count ?? 0), noPeriod),
    ]
    guard
      let kind = kinds.first(where: {
        10 * $0.count >= 9 * place.values && place.values - $0.count <= max(room, 0)
      })
    else { return }
    column.kind = kind.kind
    if kind.kind == .period {
      column.skip = skip.flatMap { Path.isWritable($0.text) ? $0.text : nil }
    }
    guard let misfit = kind.misfit, kind.count < place.values else { return }
    room -= place.values - kind.count
    column.misfits = FeedDraft.Misfits(
      count: place.values - kind.count, values: place.values, first: misfit.text,
      record: misfit.record)
  }

  /// Keeps the first column of periods: a feed has only one.
  func keepOnePeriod(_ draft: inout FeedDraft) {
    let periods = draft.columns.indices.filter { draft.columns[$0].kind == .period }
    for index in periods.dropFirst() {
      draft.columns[index].kind = .text
      draft.columns[index].skip = nil
      draft.columns[index].misfits = nil
    }
  }
}
