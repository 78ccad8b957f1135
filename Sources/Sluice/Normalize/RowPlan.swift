/// A feed's fields as the normalizer follows them: nodes of one tree of paths, numbers of columns.
struct RowPlan: ~Copyable {
  /// A field with the numbers of its columns.
  struct Entry {
    var rule: Rule
    var columns: Range<Int>
    var column: Int { columns.lowerBound }
    var isRequired: Bool
    /// What its instants count; nil where they are texts.
    var unix: UnixTime?
    /// How many lists stand between the document and the field: as many as for a row where it is
    /// the row's own.
    var arrays: Int
    /// The feed's own name of the field.
    var name: String
  }

  /// What of a field is asked for every record.
  struct Reading: BitwiseCopyable {
    var rule: Rule
    var column: Int
    /// The column behind the last of its columns.
    var columnsEnd: Int
    var isRequired: Bool
    /// The field is the row's own.
    var isOwn: Bool
    /// Its column is filled with the value's text as it comes.
    var isText: Bool
    /// Its column is filled as the value comes, be it with another text.
    var isReadAtOnce: Bool
  }

  /// A column of shares, and the column that they are shares of.
  struct Share {
    var column: Int
    var of: Int
  }

  /// What stands at a node.
  enum Role: Equatable {
    case way
    /// An element of a list on the way to the rows: it holds fields for all rows inside.
    case parent(level: Int)
    case rows
    case row
    case field(Int)
  }

  let tree: PathTree
  let roles: ContiguousArray<Role>
  let entries: ContiguousArray<Entry>
  /// The same fields, as far as records are judged by them.
  let readings: FixedArray<Reading>
  /// The fields that must be there, and those whose texts must be of a form.
  let required: FixedArray<Int>
  let judged: FixedArray<Int>
  /// The nodes on the way to a row, from the document to the row, and the steps between them.
  let way: [Int]
  let steps: [Path.Step]
  let rowNode: Int
  /// The place on the way of the outermost list's elements; nil where these are the rows.
  let elementPlace: Int?
  /// How many lists there are on the way to a row.
  let rowArrays: Int
  let columns: [String]
  /// Those that records can be chosen by.
  let filterColumns: [String]
  let shares: ContiguousArray<Share>
  /// The field that gives periods, and its folded skip text.
  let periodField: Int?
  let skip: ContiguousArray<UInt8>?
  /// The fields that the row's first and last day come from; -1 where there are none.
  let firstDayField: Int
  let lastDayField: Int
  /// Seconds east of UTC of the clock that instants are written by where they are numbers.
  let clockOffset: Int

  init(_ feed: Feed) {
    // Each beginning of the rows' path is a path too, so that its node is known.
    let beginnings = (0...feed.rows.steps.count).map { Path(Array(feed.rows.steps.prefix($0))) }
    tree = PathTree(beginnings + feed.fields.map(\.path))
    way = Array(tree.ends.prefix(beginnings.count))
    steps = feed.rows.steps
    rowNode = way.last ?? 0
    rowArrays = feed.rows.arrays
    elementPlace = steps.dropLast().firstIndex(of: .each).map { $0 + 1 }
    var roles = ContiguousArray(repeating: Role.way, count: tree.nodes.count)
    var entries: ContiguousArray<Entry> = []
    var level = 0
    for (index, step) in feed.rows.steps.enumerated() where step == .each {
      level += 1
      roles[way[index + 1]] = .parent(level: level)
    }
    if way.count > 1 { roles[way[way.count - 2]] = .rows }
    roles[rowNode] = .row
    var column = 0
    for (index, field) in feed.fields.enumerated() {
      // A share is read from nowhere.
      if field.rule != .share { roles[tree.ends[beginnings.count + index]] = .field(index) }
      entries.append(
        Entry(
          rule: field.rule, columns: column..<column + field.columns.count,
          isRequired: field.isRequired, unix: field.unix,
          arrays: field.path.arrays, name: field.path.lastKey))
      column += field.columns.count
    }
    self.roles = roles
    self.entries = entries
    readings = FixedArray(count: entries.count) { [rowArrays] index in
      let entry = entries[index]
      return Reading(
        rule: entry.rule, column: entry.column, columnsEnd: entry.columns.upperBound,
        isRequired: entry.isRequired, isOwn: entry.arrays == rowArrays,
        isText: entry.rule == .text || entry.rule == .integer,
        isReadAtOnce: entry.rule.isReadAtOnce)
    }
    required = FixedArray(entries.indices.filter { entries[$0].isRequired })
    judged = FixedArray(entries.indices.filter { entries[$0].rule.isJudged })
    let names = feed.columns
    columns = names
    filterColumns = feed.filterColumns
    shares = ContiguousArray(
      feed.fields.compactMap { field in
        guard let of = field.shareOf.flatMap({ names.firstIndex(of: $0) }),
          let column = names.firstIndex(of: field.columns[0])
        else { return nil }
        return Share(column: column, of: of)
      })
    periodField = entries.firstIndex { $0.rule == .period }
    skip = feed.fields.first { $0.rule == .period }?.skip.map(Fold.key)
    firstDayField = feed.dayFields?.first ?? -1
    lastDayField = feed.dayFields?.last ?? -1
    clockOffset = feed.clockOffset
  }
}
