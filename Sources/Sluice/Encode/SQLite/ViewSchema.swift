/// A view of an output database, as SQL.
///
///     CREATE VIEW "unread" AS
///       WITH "hidden posts" AS (SELECT "id" FROM "posts" WHERE "deleted")
///       SELECT * FROM "comments" WHERE ("post_id" IN "hidden posts") IS NOT TRUE AND
///         "seen" IS NOT TRUE ORDER BY "id"
struct ViewSchema {
  /// SQL that creates the view.
  let create: String
  /// The beginnings of the SQL of each view of this name that a run makes.
  private let beginnings: [String]

  /// Makes the SQL of a view. `name` is its name in the database, `tables` are those of the
  /// database.
  init(_ view: View, _ name: String, among tables: [TableSchema]) {
    let table = tables.first { $0.table.name == view.table }
    func column(_ name: String) -> String { SQLName.quoted(table?.names[name] ?? name) }
    let create = "CREATE VIEW \(SQLName.quoted(name)) AS"
    let select = " SELECT * FROM \(table?.name ?? SQLName.quoted(view.table))\n  "
    var hidden = HiddenRows(among: tables)
    var conditions: [String] = []
    if let table {
      conditions += hidden.tests(of: table, shown: Set(view.conditions.map(\.column))).map {
        "\($0) IS NOT TRUE"
      }
    }
    conditions += view.conditions.map { Self.test($0, column($0.column)) }
    let order = view.order.map { column($0.column) + ($0.isDescending ? " DESC" : "") }
    self.create =
      create + (hidden.lists.isEmpty ? "" : "\n  WITH " + hidden.lists.joined(separator: ",\n    "))
      + select
      + (conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: "\n    AND "))\n  ")
      + (order.isEmpty ? "" : "ORDER BY \(order.joined(separator: ", "))")
    beginnings = [create + select, create + "\n  WITH \"hidden "]
  }

  /// Whether the SQL of a view in a database is that of a run, of this document or of an earlier
  /// one.
  func isMadeByUs(_ sql: String) -> Bool { beginnings.contains { sql.hasPrefix($0) } }

  /// A condition as SQL. Missing values differ from all others, so that `not` keeps them.
  private static func test(_ condition: View.Condition, _ column: String) -> String {
    var tests: [String] = []
    var literals: [String] = []
    for value in condition.values {
      switch condition.kind {
      case _ where value.isEmpty: tests.append("\(column) IS NULL")
      case .flag where value == "true": tests.append("\(column) IS TRUE")
      case .flag: tests.append("\(column) IS \(condition.isMark ? "NOT TRUE" : "FALSE")")
      case .integer: literals.append(Int(value).map(String.init) ?? value)
      case .decimal: literals.append(value)
      case .text, .verbatim, .day, .instant, .time, .keyNumber:
        literals.append(SQLName.literal(value))
      }
    }
    if !literals.isEmpty { tests.append("\(column) IN (\(literals.joined(separator: ", ")))") }
    let any = tests.count == 1 ? tests[0] : "(\(tests.joined(separator: " OR ")))"
    return condition.isNot ? "(\(any)) IS NOT TRUE" : any
  }
}

/// The rows that views do not show, because of a mark of theirs, or of the row that they refer to.
///
/// Each table has one list of them, which later lists use, so that the SQL stays as long as the
/// document.
private struct HiddenRows {
  private let tables: [TableSchema]
  /// The lists as SQL, each after those that it uses.
  private(set) var lists: [String] = []
  /// The tables whose list is known: its name, or nil if it has no hidden rows.
  private var known: [String: String?] = [:]

  init(among tables: [TableSchema]) { self.tables = tables }

  /// Returns expressions that are true for hidden rows of a table. Its own marks in `shown` hide
  /// nothing.
  mutating func tests(of schema: TableSchema, shown: Set<String> = []) -> [String] {
    let table = schema.table
    var tests = table.hides.filter { !shown.contains($0) }.map {
      SQLName.quoted(schema.names[$0])
    }
    for reference in table.references {
      guard let parent = tables.first(where: { $0.table.name == reference.table }),
        let list = list(of: parent, by: reference.key)
      else { continue }
      tests.append("(\(SQLName.quoted(schema.names[reference.column])) IN \(list))")
    }
    return tests
  }

  private mutating func list(of schema: TableSchema, by key: String) -> String? {
    if let known = known[schema.table.name] { return known }
    // Rows may refer to each other in a circle: it is followed once.
    known[schema.table.name] = .some(nil)
    let tests = tests(of: schema)
    guard !tests.isEmpty else { return nil }
    let name = SQLName.quoted("hidden " + schema.table.name)
    known[schema.table.name] = name
    lists.append(
      "\(name) AS (SELECT \(SQLName.quoted(schema.names[key])) FROM \(schema.name) WHERE "
        + "\(tests.joined(separator: " OR ")))")
    return name
  }
}
