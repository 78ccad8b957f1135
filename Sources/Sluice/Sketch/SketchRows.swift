/// Chooses the rows of a sample, their columns, and what makes them events.
struct SketchRows {
  private let places: [SamplePlace]

  init(_ tree: SampleTree) { places = tree.places }

  func sketch() throws(SketchFault) -> FeedSketch {
    guard let rows = rowsPlace else {
      throw .noRows(keys: places[0].childOrder.map { places[$0].path.lastKey })
    }
    var columns: [(column: FeedSketch.Column, place: SamplePlace)] = []
    var omitted: [FeedSketch.Omitted] = []
    var names = SketchNames()
    let list = places[rows]
    // As many records as may be refused, less those that are none.
    var room = list.elements / 10 - (list.elements - list.objects)
    for index in candidates(around: rows) {
      let place = places[index]
      if let why = omission(index, rows: rows) {
        omitted.append(FeedSketch.Omitted(path: place.path, why: why))
        continue
      }
      let isOwn = place.path.steps.starts(with: places[rows].path.steps)
      let rest = isOwn ? place.path.steps.dropFirst(places[rows].path.steps.count) : []
      var column = FeedSketch.Column(
        name: names.name(isOwn ? Path(Array(rest)) : place.path), path: place.path, isOwn: isOwn,
        rule: rule(of: place), unix: place.unix, example: place.example)
      if isOwn, column.rule == .text { findDays(in: place, of: &column, room: &room) }
      columns.append((column, place))
    }
    guard !columns.isEmpty else {
      throw .noRows(keys: places[rows].childOrder.map { places[$0].path.lastKey })
    }
    var sketch = FeedSketch(
      rows: places[rows].path, count: places[rows].objects, columns: columns.map(\.column),
      omitted: omitted, key: [])
    keepOnePeriod(&sketch)
    SketchEvent(columns.map(\.place), rows: places[rows].objects).add(to: &sketch)
    return sketch
  }

  /// The list of most objects, and of most values in them: of those with days of their own where
  /// there are such, or else of those with days around them.
  private var rowsPlace: Int? {
    let lists = places.indices.filter { index in
      places[index].objects > 0 && places[index].path.steps.last == .each
    }
    let own = lists.filter { list in leaves(of: list).contains { hasDays(places[$0]) } }
    let around = lists.filter { list in candidates(around: list).contains { hasDays(places[$0]) } }
    let fit = !own.isEmpty ? own : !around.isEmpty ? around : lists
    return fit.max { a, b in
      (places[a].objects, leaves(of: a).count) < (places[b].objects, leaves(of: b).count)
    }
  }

  private func hasDays(_ place: SamplePlace) -> Bool {
    10 * max(place.days, place.instants, place.periods) >= 9 * max(1, place.values)
      || place.unix != nil
  }

  /// What may be a column: what stands around the rows, outermost first, then their own.
  private func candidates(around rows: Int) -> [Int] {
    var ancestors: [Int] = []
    var place = places[rows].parent
    while place >= 0 {
      ancestors.append(place)
      place = places[place].parent
    }
    var found: [Int] = []
    var next = Set(ancestors + [rows])
    for ancestor in ancestors.reversed() {
      next.remove(ancestor)
      for child in places[ancestor].childOrder
      where !ancestors.contains(child) && child != rows && places[child].path.steps.last != .each {
        found += leaves(at: child)
      }
    }
    return found + leaves(of: rows)
  }

  private func leaves(of place: Int) -> [Int] {
    places[place].childOrder.filter { places[$0].path.steps.last != .each }
      .flatMap { leaves(at: $0) }
  }

  /// The values at a place, or in objects that are there.
  private func leaves(at place: Int) -> [Int] {
    let node = places[place]
    guard node.objects > 0, node.values == 0, node.lists == 0 else { return [place] }
    return leaves(of: place)
  }

  private func omission(_ index: Int, rows: Int) -> FeedSketch.Omission? {
    let place = places[index]
    for case .key(let key) in place.path.steps {
      let isControl = key.unicodeScalars.contains { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value }
      if isControl || key == "[]" || key == "$" { return .name }
    }
    if place.lists > 0, place.objects == 0, place.values == 0,
      place.path.steps.starts(with: places[rows].path.steps)
    {
      return list(index)
    }
    if place.objects > 0 || place.lists > 0 { return .mixed }
    if place.values == 0 { return .empty }
    if place.flags > 0, place.flags + place.flagWords < place.values { return .mixed }
    return isLate(index, rows: rows) ? .late : nil
  }

  /// A list in the row, and how one of its values could be read.
  private func list(_ index: Int) -> FeedSketch.Omission {
    guard let each = places[index].children[.each] else { return .empty }
    let leaf = places[each].objects > 0 ? leaves(of: each).first : each
    let first = leaf.flatMap { leaf in
      places[leaf].values > 0 && places[leaf].lists == 0 && places[leaf].objects == 0
        ? Path(
          places[index].path.steps + [.element(0)]
            + places[leaf].path.steps.dropFirst(places[each].path.steps.count)) : nil
    }
    return .list(first: first, hasObjects: places[each].objects > 0)
  }

  /// In some object around the rows it comes after them.
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

  private func rule(of place: SamplePlace) -> Rule {
    let count = place.values
    if place.flags > 0 { return .flag }
    if place.days == count { return .day }
    if place.instants == count || place.unix != nil { return .instant }
    if place.periods == count { return .period }
    if place.integers == count { return .integer }
    return place.numbers == count ? .decimal : .text
  }

  /// Makes a column of texts one of days where nine in ten are: the others are refused, as far as
  /// there is `room` for that.
  private func findDays(in place: SamplePlace, of column: inout FeedSketch.Column, room: inout Int)
  {
    // One text that stands for no period is what to skip.
    let most = place.noPeriods.max { $0.count < $1.count }
    let skip = 2 * place.periods > place.values && most?.count ?? 0 > 1 ? most : nil
    let noPeriod = place.noPeriods.first { $0.text != skip?.text }
    let kinds: [(rule: Rule, count: Int, misfit: SamplePlace.Misfit?)] = [
      (.day, place.days, place.noDay), (.instant, place.instants, place.noInstant),
      (.period, place.periods + (skip?.count ?? 0), noPeriod),
    ]
    guard
      let kind = kinds.first(where: {
        10 * $0.count >= 9 * place.values && place.values - $0.count <= max(room, 0)
      })
    else { return }
    column.rule = kind.rule
    if kind.rule == .period { column.skip = skip?.text }
    guard let misfit = kind.misfit, kind.count < place.values else { return }
    room -= place.values - kind.count
    column.misfits = FeedSketch.Misfits(
      count: place.values - kind.count, values: place.values, first: misfit.text,
      record: misfit.record)
  }

  /// A feed has one column of periods.
  private func keepOnePeriod(_ sketch: inout FeedSketch) {
    let periods = sketch.columns.indices.filter { sketch.columns[$0].rule == .period }
    for index in periods.dropFirst() {
      sketch.columns[index].rule = .text
      sketch.columns[index].skip = nil
      sketch.columns[index].misfits = nil
    }
  }
}
