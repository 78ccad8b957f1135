/// A view of an output database, as SQL.
struct ViewSchema {
  /// SQL that creates the view.
  let create: String
  /// The beginning of the SQL of each view that a run makes, without those of its owner.
  private let beginning: String

  /// Makes the SQL of a view. `name` is its name in the database, `tables` are those of the database.
  init(_ view: View, _ name: String, among tables: [TableSchema]) {
    let table = tables.first { $0.table.name == view.table }
    func column(_ name: String) -> String { SQLName.quoted(table?.names[name] ?? name) }
    let order = view.order.map { column($0.column) + ($0.isDescending ? " DESC" : "") }
    beginning = """
      CREATE VIEW \(SQLName.quoted(name)) AS SELECT * FROM \(table?.name ?? SQLName.quoted(view.table))
       \u{20}
      """
    create = beginning + "ORDER BY \(order.joined(separator: ", "))"
  }

  /// Whether the SQL of a view in a database is that of a run, of this document or of an earlier one.
  func isMadeByUs(_ sql: String) -> Bool { sql.hasPrefix(beginning) }
}
