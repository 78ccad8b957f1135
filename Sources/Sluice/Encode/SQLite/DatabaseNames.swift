/// The names that the tables, columns and views of a feed have in a database. SQL takes them as
/// they are, without quotation marks.
///
///     price-eur ─▶ price_eur      select ─▶ select_      1st-floor ─▶ _1st_floor
///
/// A name that needs no change keeps its own. A changed one gets a number if there is one like it:
/// `price_eur_2`. A database that has a table or a column by its old name keeps that.
struct DatabaseNames {
  /// The names of the feed's tables, by their own names.
  private(set) var tables: [String: TableNames] = [:]
  /// The names of the feed's views, by their own names.
  private(set) var views: [String: String] = [:]
  /// The names that are others in the database, in the order of the document.
  private(set) var changes: [Statistics.Renamed] = []

  /// Chooses the names of tables and views. `feed` is the name of a feed of one table, which people
  /// know the table by; nil if there are more.
  ///
  /// `standing` has the names of the tables and views that the database has, in the form in which
  /// they are compared. `columns` returns the columns of a table with their declared types; none if
  /// there is no such table. Throws what that throws.
  init(
    _ tables: [Table], views: [View], feed: String?, in standing: Set<String>,
    columns: (String) throws(DatabaseFault) -> [String: String]
  ) throws(DatabaseFault) {
    let names = Self.chosen(tables.map(\.name) + views.map(\.name), in: standing) {
      SQLName.plain($0, isTable: true)
    }
    for table in tables {
      let name = names[table.name] ?? table.name
      let chosen = TableNames(name, of: table, in: try columns(name))
      self.tables[table.name] = chosen
      note(feed ?? table.name, name)
      for column in table.columns.map(\.name) + table.marks {
        note(feed == nil ? "\(table.name).\(column)" : column, chosen[column])
      }
    }
    for view in views {
      self.views[view.name] = names[view.name]
      note(view.name, names[view.name] ?? view.name)
    }
  }

  private mutating func note(_ name: String, _ sql: String) {
    // The name of a table's column is told with the table's.
    guard name.split(separator: ".").last.map(String.init) != sql else { return }
    changes.append(Statistics.Renamed(name: name, sql: sql))
  }

  /// Returns a name in SQL for each of these names. A name that is in `standing` stays.
  fileprivate static func chosen(
    _ names: [String], in standing: Set<String>, _ plain: (String) -> String
  ) -> [String: String] {
    func stays(_ name: String) -> Bool {
      plain(name) == name || standing.contains(DocumentValues.comparable(name))
    }
    var taken = Set(names.filter(stays).map(DocumentValues.comparable))
    var chosen: [String: String] = [:]
    for name in names {
      chosen[name] = stays(name) ? name : free(plain(name), in: &taken)
    }
    return chosen
  }

  /// Returns a name that is not taken: this one, or one with the next number. Takes it.
  static func free(_ name: String, in taken: inout Set<String>) -> String {
    var (free, number) = (name, 2)
    while !taken.insert(DocumentValues.comparable(free)).inserted {
      free = "\(name)_\(number)"
      number += 1
    }
    return free
  }
}

/// The names of a table and its columns in a database.
struct TableNames {
  /// The type of the column of searched texts. It tells our own column from one that the owner of a
  /// database has added under the same name. SQLite stores it like TEXT.
  static let searchType = "FOLDED TEXT"

  let table: String
  /// The column of searched texts; nil if the document does not say how people search.
  let search: String?
  private let columns: [String: String]

  /// Chooses the names for a table. `known` has the columns that the database has, with their
  /// types.
  fileprivate init(_ name: String, of table: Table, in known: [String: String]) {
    self.table = name
    let standing = Set(known.keys.map(DocumentValues.comparable))
    columns = DatabaseNames.chosen(table.columns.map(\.name) + table.marks, in: standing) {
      SQLName.plain($0)
    }
    guard table.search != nil else {
      search = nil
      return
    }
    let ours = known.first { $0.value == Self.searchType }?.key
    var taken = standing.union(columns.values.map(DocumentValues.comparable))
    search = ours ?? DatabaseNames.free("search", in: &taken)
  }

  /// The names of a table that keeps its own.
  init(unchanged table: Table) {
    self.table = table.name
    search = nil
    columns = [:]
  }

  /// The name of a column.
  subscript(column: String) -> String { columns[column] ?? column }
}

extension SQLName {
  /// Returns a name that SQLite takes without quotation marks: letters, digits and `_`, no digit
  /// first, and none of its reserved words. Names of tables do not begin with `sqlite_` either.
  static func plain(_ name: String, isTable: Bool = false) -> String {
    var plain = ""
    for scalar in name.unicodeScalars {
      let isPart = scalar.properties.isAlphabetic || "0"..."9" ~= scalar
      plain.unicodeScalars.append(isPart ? scalar : "_")
    }
    let compared = DocumentValues.comparable(plain)
    if plain.unicodeScalars.first.map({ "0"..."9" ~= $0 }) ?? true { return "_" + plain }
    if isTable, compared.hasPrefix("sqlite_") { return "_" + plain }
    return reserved.contains(compared) ? plain + "_" : plain
  }

  /// The words that SQLite does not take as a name everywhere (sqlite.org/lang_keywords.html).
  private static let reserved = Set(
    """
    add all alter and as autoincrement between case cast check collate commit constraint create cross \
    current_date current_time current_timestamp default deferrable delete distinct drop else escape \
    except exists false foreign from full group having if in index indexed inner insert intersect \
    into is isnull join left limit natural not nothing notnull null on or order outer primary raise \
    references returning right select set table then to transaction true union unique update using \
    values when where
    """.split(separator: " ").map(String.init))
}
