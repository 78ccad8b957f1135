extension Conversion {
  /// The tables that are wanted, at least one; throws ``FeedFault/noSuchTable(_:tables:)``.
  func chosenTables() throws(PipelineError) -> [Table] {
    let all = feed.allTables
    guard let table else { return all }
    let chosen = all.filter { $0.name == table }
    guard chosen.isEmpty else { return chosen }
    throw PipelineError(.normalize(.noSuchTable(table, tables: all.map(\.name))))
  }
}

extension Conversion.Destination {
  /// The word in a path that a table's name takes the place of.
  public static let tablePlace = "{table}"

  /// Whether each table goes to a place of its own.
  public var namesTables: Bool {
    if case .file(let path) = self {
      path.firstPlace(of: Self.tablePlace) != nil
    } else {
      false
    }
  }

  /// The place of one table.
  public func named(by table: Table) -> Conversion.Destination {
    guard case .file(let path) = self else { return self }
    return .file(path.putting(table.name, for: Self.tablePlace))
  }
}
