/// A feed suggested by a sample of data. ``FeedDocument`` could read it.
package struct FeedDraft: Equatable, Sendable {
  /// A column, and the findings that suggest it.
  package struct Column: Equatable, Sendable {
    package var name: String
    package var path: Path
    /// Whether the path continues the path of the rows.
    package var isOwn: Bool
    package var kind: FieldKind
    /// The unit of its numbers, counted since 1970; nil if they are not times.
    package var unix: UnixTime?
    /// How its values are read, if not in the usual forms of its kind.
    package var reading: Reading?
    package var isRequired = false
    package var skip: String?
    /// Values that are not of this kind; nil if there are none.
    package var misfits: Misfits?
    package var example: String

    /// Whether it has words, and not days whose order of day and month is unknown.
    var isWords: Bool { kind == .text && reading == nil }
  }

  /// Values that are not of their column's kind. Their records will be rejected.
  package struct Misfits: Equatable, Sendable {
    package var count: Int
    /// The number of all values.
    package var values: Int
    /// The first misfit, and the number of its record, counted from 1.
    package var first: String
    package var record: Int
  }

  /// Reasons that something is not a column.
  package enum Omission: Equatable, Sendable {
    /// It comes after the rows that it belongs to.
    case late
    /// It is a list inside the row. `first` is the path to a value of its first element; nil if
    /// there is none. `hasObjects` tells whether its elements are objects, which could be rows.
    case list(first: Path?, hasObjects: Bool)
    /// Its values are lists or objects, or of several kinds.
    case mixed
    /// It never has a value.
    case empty
    /// A path cannot contain its name.
    case name
    /// It is a list of another length than those that rows are made of.
    case otherLength
  }

  /// Something that is not a column.
  package struct Omitted: Equatable, Sendable {
    package var path: Path
    package var why: Omission
  }

  /// The columns that make a row an event.
  package struct Event: Equatable, Sendable {
    package var start: String
    package var end: String?
    /// The columns of the times of day at which it begins and ends, if a clock is known.
    package var startTime: String?
    package var endTime: String?
    /// The columns of its title.
    package var title: [String]
    /// Whether the start is one time outside the rows, such as the time at which the data was made.
    /// All events would then start at the same time, which is hardly intended.
    package var isDoubtful = false
  }

  package var envelope: Envelope?
  package var rows: Path
  /// The parallel lists that the rows are made of; empty if the rows are values themselves.
  package var zip: [Path] = []
  /// The number of rows.
  package var count: Int
  package var columns: [Column]
  package var omitted: [Omitted]
  /// The columns that identify an event; empty if no columns can.
  package var key: [String]
  package var event: Event?
}

/// Reasons that a sample suggests no feed.
package enum DraftFault: Error, Equatable, Sendable {
  /// The sample could not be read.
  case unreadable(PipelineError)
  /// The sample has no list of objects. `keys` are its keys.
  case noRows(keys: [String])
  /// The sample must be read twice, which is impossible with standard input.
  case wantsFile
}

/// Suggests an envelope around a payload.
enum DraftEnvelope {
  /// Returns the envelope; nil if no envelope can have its payload at that place.
  static func around(_ payload: Int, in tree: SampleTree) -> Envelope? {
    let place = tree.places[payload]
    guard case .key? = place.path.steps.last, place.parent >= 0 else { return nil }
    let parent = tree.places[place.parent]
    let beside = parent.childOrder.filter { $0 != payload && tree.places[$0].path.isWritable }
      .compactMap { sibling in
        tree.payloadSiblings[sibling].map { (path: tree.places[sibling].path, value: $0) }
      }
      .filter { Path.isWritable($0.value) }
    guard place.path.isWritable else { return nil }
    var envelope = Envelope(status: nil, match: nil, payload: place.path, version: nil)
    switch place.path.arrays {
    case 0: break
    case 1 where parent.path.steps.last == .each:
      let mark =
        beside.first { $0.path.lastKey.lowercased().hasSuffix("id") } ?? beside.first
      guard let mark else { return nil }
      envelope.match = Envelope.Test(path: mark.path, value: mark.value)
    default: return nil
    }
    envelope.version = beside.first { $0.path.lastKey.lowercased() == "version" }?.path
    let status = tree.places[0].children[.key("status")].map { tree.places[$0] }
    if let status, status.strings == 1, Path.isWritable(status.example) {
      envelope.status = Envelope.Test(path: status.path, value: status.example)
    }
    return envelope
  }
}

/// Chooses the rows of a sample, their columns, and the columns that make them events.
struct DraftRows {
  let places: [SamplePlace]
  /// Whether a document can have each place's path.
  let isWritable: [Bool]

  init(_ tree: SampleTree) {
    places = tree.places
    isWritable = places.map(\.path.isWritable)
  }

  func draft() throws(DraftFault) -> FeedDraft {
    guard let rows = rowsPlace else {
      if let draft = parallelLists() { return draft }
      throw .noRows(keys: places[0].childOrder.map { places[$0].path.lastKey })
    }
    var columns: [(column: FeedDraft.Column, place: SamplePlace)] = []
    var omitted: [FeedDraft.Omitted] = []
    var names = DraftNames()
    let list = places[rows]
    // The number of records that may still be rejected: a tenth, less the elements that are not
    // objects.
    var room = list.elements / 10 - (list.elements - list.objects)
    for index in candidates(around: rows) {
      let place = places[index]
      if let why = omission(index, rows: rows) {
        omitted.append(FeedDraft.Omitted(path: place.path, why: why))
        continue
      }
      let isOwn = place.path.steps.starts(with: places[rows].path.steps)
      let rest = isOwn ? place.path.steps.dropFirst(places[rows].path.steps.count) : []
      var column = FeedDraft.Column(
        name: "", path: place.path, isOwn: isOwn, kind: kind(of: place), unix: place.unix,
        example: place.example)
      if column.kind == .text || column.kind == .integer, let reading = place.reading {
        column.reading = reading
        if reading.kind != .text { column.kind = reading.kind }
      }
      if isOwn, column.kind == .text { findDays(in: place, of: &column, room: &room) }
      column.name = names.name(
        isOwn ? Path(Array(rest)) : place.path, isPeriod: column.kind == .period)
      columns.append((column, place))
    }
    // Without a key of its own no row is known.
    guard columns.contains(where: \.column.isOwn) else {
      throw .noRows(keys: places[rows].childOrder.map { places[$0].path.lastKey })
    }
    var draft = FeedDraft(
      rows: places[rows].path, count: places[rows].objects, columns: columns.map(\.column),
      omitted: omitted, key: [])
    keepOnePeriod(&draft)
    DraftEvent(columns.map(\.place), rows: places[rows].objects).add(to: &draft)
    return draft
  }

  /// The list with the most objects, and among equals the one with the most values in them. Lists
  /// with days of their own come first, then lists with days around them, then all others. A
  /// document has to say where the rows are, so a list that it cannot name is none.
  private var rowsPlace: Int? {
    let named = places.indices.filter { index in
      places[index].objects > 0 && places[index].path.steps.last == .each && isWritable[index]
    }
    let filled = named.filter { list in
      leaves(of: list).contains { omission($0, rows: list) == nil }
    }
    let lists = filled.isEmpty ? named : filled
    let own = lists.filter { list in leaves(of: list).contains { hasDays($0) } }
    let around = lists.filter { list in candidates(around: list).contains { hasDays($0) } }
    let fit = !own.isEmpty ? own : !around.isEmpty ? around : lists
    return fit.max { a, b in
      (places[a].objects, leaves(of: a).count) < (places[b].objects, leaves(of: b).count)
    }
  }

  func hasDays(_ index: Int) -> Bool {
    let place = places[index]
    return isWritable[index]
      && (10 * max(place.days, place.instants, place.periods) >= 9 * max(1, place.values)
        || place.unix != nil || place.reading?.kind == .day)
  }

  /// Returns the places that may be columns: those around the rows, outermost first, then the rows'
  /// own.
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

  func leaves(of place: Int) -> [Int] {
    places[place].childOrder.filter { places[$0].path.steps.last != .each }
      .flatMap { leaves(at: $0) }
  }

  /// Returns the places of values at `place`, or in the objects at it.
  private func leaves(at place: Int) -> [Int] {
    let node = places[place]
    guard node.objects > 0, node.values == 0, node.lists == 0 else { return [place] }
    return leaves(of: place)
  }

  private func omission(_ index: Int, rows: Int) -> FeedDraft.Omission? {
    let place = places[index]
    if !isWritable[index] { return .name }
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

  /// Returns why a list in the row is not a column, with the path to one of its values.
  private func list(_ index: Int) -> FeedDraft.Omission {
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

/// Chooses the columns that make a sample's rows events, and the columns that identify these.
struct DraftEvent {
  private static let endWords: Set<Substring> = [
    "end", "ends", "ending", "to", "until", "till", "finish", "stop", "last", "bis", "ende",
    "konec",
    "konets", "okonchanie", "okonchaniya", "zavershenie", "zaversheniya", "do", "po",
  ]
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
      let ends = draft.columns.filter { $0.kind == kind && $0.name != name && isEnd($0.name) }
      event.end = (ends.first { $0.isOwn == isOwn } ?? ends.first)?.name
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
    name.split(separator: "_").contains { Self.endWords.contains($0) }
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
