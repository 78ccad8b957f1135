/// Suggests rows of parallel lists, if a sample has no list of objects.
///
///     {"city": "Lund", "daily": {"time": ["2026-01-05", "2026-01-06"], "rain": [0.4, 1]}}
///
///     zip: [daily.time, daily.rain]
///     columns: {city: $.city, time: {from: daily.time, kind: day}, …}
///
/// Lists belong together if they have equally many values. Of several such groups one with days is
/// taken, and among equals the one with the most values.
extension DraftRows {
  /// A list of plain values, and the place of its elements.
  private struct List {
    let place: Int
    let elements: Int
  }

  /// Returns the draft of a sample's parallel lists; nil if it has none.
  func parallelLists() -> FeedDraft? {
    let lists = plainLists
    guard let group = group(of: lists), let first = group.first else { return nil }
    let count = places[first.elements].elements
    var names = DraftNames()
    var columns: [(column: FeedDraft.Column, place: SamplePlace)] = []
    for index in leaves(of: 0) where isAround(index) {
      let place = places[index]
      columns.append(
        (
          FeedDraft.Column(
            name: names.name(place.path, isPeriod: false), path: place.path, isOwn: false,
            kind: kind(of: place), unix: place.unix, example: place.example), place
        ))
    }
    var room = count / 10
    for list in group {
      let (path, place) = (places[list.place].path, places[list.elements])
      var column = FeedDraft.Column(
        name: "", path: path, isOwn: true, kind: kind(of: place), unix: place.unix,
        example: place.example)
      if column.kind == .text { findDays(in: place, of: &column, room: &room) }
      column.name = names.name(
        Path(Array(path.steps.suffix(1))), isPeriod: column.kind == .period)
      columns.append((column, place))
    }
    var draft = FeedDraft(
      rows: [], count: count, columns: columns.map(\.column),
      omitted: lists.filter { list in !group.contains { $0.place == list.place } }
        .map { FeedDraft.Omitted(path: places[$0.place].path, why: .otherLength) }, key: [])
    draft.zip = group.map { places[$0.place].path }
    keepOnePeriod(&draft)
    DraftEvent(columns.map(\.place), rows: count).add(to: &draft)
    return draft
  }

  /// The lists of plain values that are in no other list.
  private var plainLists: [List] {
    places.indices.compactMap { index in
      let place = places[index]
      guard place.lists == 1, place.objects == 0, place.values == 0, place.path.arrays == 0,
        isWritable[index], !place.path.steps.isEmpty, let elements = place.children[.each]
      else { return nil }
      let inside = places[elements]
      guard inside.values > 0, inside.objects == 0, inside.lists == 0 else { return nil }
      return List(place: index, elements: elements)
    }
  }

  private func group(of lists: [List]) -> [List]? {
    let groups = Dictionary(grouping: lists) { places[$0.elements].elements }
      .values.filter { $0.count > 1 }
    return groups.max { a, b in rank(a) < rank(b) }
  }

  private func rank(_ group: [List]) -> (Int, Int, Int) {
    let days = group.contains { hasDays($0.elements) } ? 1 : 0
    return (days, places[group[0].elements].elements * group.count, -group[0].place)
  }

  /// Whether a place has a value for all rows.
  private func isAround(_ index: Int) -> Bool {
    let place = places[index]
    return place.values > 0 && place.lists == 0 && place.objects == 0 && isWritable[index]
      && (place.flags == 0 || place.flags == place.values)
  }
}
