/// What a database is told of the rows that it keeps.
public struct Table: Sendable, Equatable {
  /// Its name: of the SQL table, and in place of `{table}` in the name of an output.
  public var name: String
  /// Where its rows are, as in ``Feed``.
  public var rows: Path
  /// What is read of them, in column order.
  public var fields: [Field]
  /// The columns that tell its rows apart; none where nothing does.
  public var key: [String] = []
  /// The columns that name a row of another table, each by that one's only key column. A row goes
  /// with the row that it names.
  public var references: [Reference] = []
  /// Flags that are the user's own: made once, false at first, and never written again.
  public var marks: [String] = []

  /// A column that names a row of another table.
  public struct Reference: Sendable, Equatable {
    /// The column here.
    public var column: String
    /// The other table.
    public var table: String
    /// Its key.
    public var key: String

    /// Makes a reference.
    public init(_ column: String, to table: String, _ key: String) {
      self.column = column
      self.table = table
      self.key = key
    }
  }

  /// Makes a table.
  public init(
    _ name: String, rows: Path, fields: [Field], key: [String] = [],
    references: [Reference] = [], marks: [String] = []
  ) {
    self.name = name
    self.rows = rows
    self.fields = fields
    self.key = key
    self.references = references
    self.marks = marks
  }
}

/// A question that a database answers under a name of its own: a table in another order.
public struct View: Sendable, Equatable {
  /// Its name.
  public var name: String
  /// The table.
  public var table: String
  /// The columns that it is ordered by.
  public var order: [Order]

  /// A column, and in which direction.
  public struct Order: Sendable, Equatable {
    /// The column.
    public var column: String
    /// The greatest first.
    public var isDescending = false

    /// Makes an order.
    public init(_ column: String, isDescending: Bool = false) {
      self.column = column
      self.isDescending = isDescending
    }
  }

  /// Makes a view.
  public init(_ name: String, of table: String, by order: [Order]) {
    self.name = name
    self.table = table
    self.order = order
  }
}

extension Feed {
  /// The tables that the feed gives: those that it names, or its rows as one of its own name.
  public var allTables: [Table] {
    guard tables.isEmpty else { return tables }
    let name = String(self.name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let key = address.flatMap { $0.isUnique ? $0.parts : nil } ?? []
    return [Table(name, rows: rows, fields: fields, key: key)]
  }

  /// The feed as if it gave this table only.
  public func only(_ table: Table) -> Feed {
    guard !tables.isEmpty else { return self }
    var feed = self
    feed.tables = []
    feed.rows = table.rows
    feed.fields = table.fields
    return feed
  }
}
