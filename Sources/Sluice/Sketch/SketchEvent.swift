/// Chooses what makes a sample's rows events, and what these are known by.
struct SketchEvent {
  private static let endWords: Set<Substring> = [
    "end", "ends", "ending", "to", "until", "till", "finish", "stop", "last", "bis", "ende",
    "konec",
    "konets", "okonchanie", "okonchaniya", "zavershenie", "zaversheniya", "do", "po",
  ]
  /// A title or a key longer than this, in bytes, is none.
  private static let longest = 120
  private let places: [SamplePlace]
  private let rows: Int

  /// `places` are those of the columns.
  init(_ places: [SamplePlace], rows: Int) {
    self.places = places
    self.rows = rows
  }

  func add(to sketch: inout FeedSketch) {
    guard let start = start(sketch) else { return }
    let rule = sketch.columns[start].rule
    let isDoubtful = Self.distance(sketch.columns[start]) == 2
    // What is always there is required: without it there would be no event.
    sketch.columns[start].isRequired =
      !isDoubtful && (places[start].values >= rows || !sketch.columns[start].isOwn)
    sketch.key = key(sketch)
    guard !sketch.key.isEmpty else { return }
    let name = sketch.columns[start].name
    var event = FeedSketch.Event(
      start: rule == .period ? "\(name)_start" : name, end: nil, title: title(sketch),
      isDoubtful: isDoubtful)
    if rule != .period {
      event.end =
        sketch.columns.first { $0.rule == rule && $0.name != name && isEnd($0.name) }?.name
    }
    sketch.event = event
  }

  /// The column that tells the days: what stands in the row tells more than what stands around it.
  private func start(_ sketch: FeedSketch) -> Int? {
    for distance in 0...2 {
      for rule in [Rule.period, .day, .instant] {
        let fit = sketch.columns.indices.filter {
          sketch.columns[$0].rule == rule && Self.distance(sketch.columns[$0]) == distance
        }
        if let first = fit.first(where: { !isEnd(sketch.columns[$0].name) }) ?? fit.first {
          return first
        }
      }
    }
    return nil
  }

  /// How far from the row a column stands: in it, in a list around it, or around all rows.
  private static func distance(_ column: FeedSketch.Column) -> Int {
    if column.isOwn { return 0 }
    return column.path.arrays > 0 ? 1 : 2
  }

  private func isEnd(_ name: String) -> Bool {
    name.split(separator: "_").contains { Self.endWords.contains($0) }
  }

  /// A number of the rows' own, or else the texts that could tell what it is about.
  private func key(_ sketch: FeedSketch) -> [String] {
    let columns = sketch.columns
    let id = columns.indices.first { index in
      let name = columns[index].name
      return columns[index].isOwn && columns[index].rule.isReadAtOnce
        && (name == "id" || name.hasSuffix("_id") || name == "uid" || name == "guid")
        && places[index].isUnique && places[index].values == rows
    }
    if let id { return [columns[id].name] }
    let texts = columns.indices.filter {
      columns[$0].rule == .text && places[$0].longest <= Self.longest
    }
    if !texts.isEmpty { return texts.prefix(6).map { columns[$0].name } }
    return columns.filter { $0.rule == .integer }.prefix(2).map(\.name)
  }

  /// The first texts of the row, or else of what is around it, or else the key.
  private func title(_ sketch: FeedSketch) -> [String] {
    let texts = sketch.columns.indices.filter {
      sketch.columns[$0].rule == .text && places[$0].longest <= Self.longest
    }
    let own = texts.filter { sketch.columns[$0].isOwn }
    let chosen = (own.isEmpty ? texts : own).prefix(2).map { sketch.columns[$0].name }
    return chosen.isEmpty ? Array(sketch.key.prefix(1)) : chosen
  }
}
