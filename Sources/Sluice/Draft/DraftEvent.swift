/// Chooses the columns that make a sample's rows events, and the columns that identify these.
struct DraftEvent {
  private static let endWords: Set<Substring> = [
    "end", "ends", "ending", "to", "until", "till", "finish", "stop", "last", "bis", "ende",
    "konec", "konets", "okonchanie", "okonchaniya", "zavershenie", "zaversheniya", "do", "po",
  ]
  private static let unitWords: Set<Substring> = ["day", "date", "time"]
  /// The longest text in bytes that can be a title or a key.
  private static let longest = 120
  private let places: [SamplePlace]
  private let rows: Int

  /// `places` are those of the columns.
  init(_ places: [SamplePlace], rows: Int) {
    self.places = places
    self.rows = rows
  }

  func add(to draft: inout FeedDraft) {
    guard let start = start(draft) else { return }
    let kind = draft.columns[start].kind
    let isDoubtful = Self.distance(draft.columns[start]) == 2
    // A column that always has a value is required: without it there is no event.
    draft.columns[start].isRequired =
      !isDoubtful && (places[start].values >= rows || !draft.columns[start].isOwn)
    draft.key = key(draft)
    guard !draft.key.isEmpty else { return }
    let name = draft.columns[start].name
    var event = FeedDraft.Event(
      start: kind == .period ? "\(name)_start" : name, end: nil, title: title(draft),
      isDoubtful: isDoubtful)
    if kind != .period {
      // One of the same object is preferred to one around it.
      let isOwn = draft.columns[start].isOwn
      let ends = draft.columns.indices.filter { index in
        draft.columns[index].kind == kind && index != start && isEnd(draft.columns[index].name)
          && mayEnd(places[index], places[start])
      }
      let end = ends.first { draft.columns[$0].isOwn == isOwn } ?? ends.first
      event.end = end.map { draft.columns[$0].name }
    }
    if kind == .day {
      let times = draft.columns.filter { $0.kind == .time && $0.isOwn }.map(\.name)
      event.startTime = times.first { !isEnd($0) }
      event.endTime = event.startTime == nil ? nil : times.first(where: isEnd)
    }
    draft.event = event
  }

  /// Returns the column of the days. A column in the row is preferred to one around it.
  private func start(_ draft: FeedDraft) -> Int? {
    for distance in 0...2 {
      for kind in [FieldKind.period, .day, .instant] {
        let fit = draft.columns.indices.filter {
          draft.columns[$0].kind == kind && Self.distance(draft.columns[$0]) == distance
        }
        if let first = fit.first(where: { !isEnd(draft.columns[$0].name) }) ?? fit.first {
          return first
        }
      }
    }
    return nil
  }

  /// Returns how far a column is from the row: 0 inside it, 1 in a list around it, 2 around all
  /// rows.
  private static func distance(_ column: FeedDraft.Column) -> Int {
    if column.isOwn { return 0 }
    return column.path.arrays > 0 ? 1 : 2
  }

  private func isEnd(_ name: String) -> Bool {
    let words = name.split(separator: "_")
    return words.indices.contains { index in
      guard Self.endWords.contains(words[index]) else { return false }
      // last_updated is no end.
      return words[index] != "last" || index + 1 == words.count
        || Self.unitWords.contains(words[index + 1])
    }
  }

  /// Whether no row of the first ones ends before it starts, if all have both.
  private func mayEnd(_ end: SamplePlace, _ start: SamplePlace) -> Bool {
    guard end.values >= rows, start.values >= rows else { return true }
    return zip(end.texts, start.texts).allSatisfy { end, start in
      guard let end = Self.day(in: end), let start = Self.day(in: start) else { return true }
      return end >= start
    }
  }

  private static func day(in text: String) -> Day? {
    Array(text.utf8).withUnsafeBytes { FixedTime.day($0) }
  }

  /// Returns an identifier from the row itself, or else the texts that could tell events apart.
  private func key(_ draft: FeedDraft) -> [String] {
    let columns = draft.columns
    let id = columns.indices.first { index in
      let name = columns[index].name
      return columns[index].isOwn && columns[index].kind.isReadAtOnce
        && (name == "id" || name.hasSuffix("_id") || name == "uid" || name == "guid")
        && places[index].isUnique && places[index].values == rows
    }
    if let id { return [columns[id].name] }
    let texts = columns.indices.filter {
      columns[$0].isWords && places[$0].longest <= Self.longest
    }
    if !texts.isEmpty { return texts.prefix(6).map { columns[$0].name } }
    return columns.filter { $0.kind == .integer }.prefix(2).map(\.name)
  }

  /// Returns the first texts of the row, or else the first around it, or else the key.
  private func title(_ draft: FeedDraft) -> [String] {
    let texts = draft.columns.indices.filter {
      draft.columns[$0].isWords && places[$0].longest <= Self.longest
    }
    let own = texts.filter { draft.columns[$0].isOwn }
    let chosen = (own.isEmpty ? texts : own).prefix(2).map { draft.columns[$0].name }
    return chosen.isEmpty ? Array(draft.key.prefix(1)) : chosen
  }
}
