/// Finds objects whose keys are data, as others have lists.
///
///     {"rates": {"2026-11-02": {"USD": 1.08}, "2026-11-03": {"USD": 1.09}}}    days
///     {"zones": {"1854": {"name": "north"}, "1868": {"name": "south"}}}        numbers
///     {"bank": {"GBP": {"rate": 1.2, "name": "pound"}, "USD": {…}, "SEK": {…}}}    values alike
struct DataKeys {
  /// The fewest keys whose values must be alike if nothing else tells that they are data, and if
  /// the rows are elsewhere.
  private static let fewestAlike = 3
  private static let fewestElsewhere = 8
  /// The fewest if there are no other rows.
  private static let fewestAlone = 2

  private let places: [SamplePlace]

  init(_ places: [SamplePlace]) { self.places = places }

  /// Returns the paths of such objects. They are in no list. `rows` is the place of the rows so
  /// far, or nil. `headings` are those of rows that are lists: an object with such keys describes
  /// them.
  func paths(rows: Int?, headings: Set<String>) -> Set<Path> {
    let way = rows.map { places[$0].path.steps } ?? []
    var paths: Set<Path> = []
    for place in places where !place.path.steps.contains(.each) && !place.hasDataKeys {
      let values = place.childOrder.map { places[$0] }.filter { $0.path.steps.last != .keyName }
      guard place.objects > 0, place.lists == 0, place.values == 0, !values.isEmpty else {
        continue
      }
      let isAround = rows == nil || way.starts(with: place.path.steps)
      let fewest =
        rows == nil
        ? Self.fewestAlone : isAround ? Self.fewestAlike : Self.fewestElsewhere
      let keys = values.map(\.path.lastKey)
      guard !headings.isSuperset(of: keys) else { continue }
      let fits =
        if values.allSatisfy({ $0.lists == 0 && $0.objects == 0 }) {
          keys.count > 1 && keys.allSatisfy(Self.isDay)
        } else {
          Self.isOneForm(values)
            && (keys.allSatisfy(Self.isDay)
              || keys.count > 1 && keys.allSatisfy(Self.isNumber)
              || keys.count >= fewest && areAlike(values, fewest: rows == nil ? 1 : 2))
        }
      if fits { paths.insert(place.path) }
    }
    return paths
  }

  /// Whether all values are objects, or all are lists.
  private static func isOneForm(_ values: [SamplePlace]) -> Bool {
    values.allSatisfy { $0.values == 0 && $0.lists == 0 }
      || values.allSatisfy { $0.values == 0 && $0.objects == 0 }
  }

  /// Whether objects, or those in lists, have at least half of all their keys each, but no less
  /// than the fewest, and plain values or lists of objects among their values.
  private func areAlike(_ values: [SamplePlace], fewest: Int) -> Bool {
    var objects = values.compactMap { value in
      value.objects > 0 ? value : value.children[.each].map { places[$0] }
    }
    guard objects.count == values.count, objects.allSatisfy({ $0.objects > 0 }) else {
      return false
    }
    // Of the last ones not all places are kept.
    if places.count >= SampleTree.limit {
      objects.removeAll(where: \.children.isEmpty)
      if objects.count > 1 { objects.removeLast() }
    }
    let keys = objects.map { Set($0.children.keys) }
    guard let shared = keys.first.map({ keys.dropFirst().reduce($0) { $0.intersection($1) } }),
      !shared.isEmpty || keys.count > Self.fewestAlike, !keys.contains(where: Self.areDays)
    else { return false }
    let all = keys.reduce(into: Set()) { $0.formUnion($1) }
    let isFilled = objects.contains { object in
      object.childOrder.contains { child in
        places[child].values > 0
          || places[child].children[.each].map { places[$0].objects > 0 } == true
      }
    }
    return isFilled && keys.allSatisfy { 2 * $0.count >= all.count && $0.count >= fewest }
  }

  private static func areDays(_ keys: Set<Path.Step>) -> Bool {
    keys.allSatisfy { step in
      if case .key(let key) = step { isDay(key) } else { false }
    }
  }

  private static func isNumber(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  private static func isDay(_ key: String) -> Bool {
    Array(key.utf8).withUnsafeBytes { key in
      if case .success = PeriodParser.day(key) { return true }
      if case .success = InstantParser.parse(key) { return true }
      return false
    }
  }
}
