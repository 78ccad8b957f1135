import Sluice

/// The places that were found for addresses, oldest first.
///
/// A place that leaves the feed is still the one that was asked for: there is nothing at the
/// moment. Without these, the text might fit another place on that day, or none.
struct KnownPlaces: Equatable, Sendable {
  private struct Entry: Equatable, Sendable {
    var address: String
    var conditions: [Condition]
  }

  /// The most addresses that are kept. The oldest are forgotten.
  private static let most = 256
  private var entries: [Entry] = []

  /// Makes an empty list.
  init() {}

  /// The conditions that select the place of an address. Nil if it is not known, or if the feed's
  /// document now names a place by other columns.
  func conditions(of address: String, in table: Table) -> [Condition]? {
    let entry = entries.last { $0.address == address }
    let columns = table.searchRule.items.map(\.column)
    return entry.flatMap { $0.conditions.map(\.column) == columns ? $0.conditions : nil }
  }

  /// Notes the place of an address.
  mutating func note(_ address: String, _ conditions: [Condition]) {
    let entry = Entry(address: address, conditions: conditions)
    guard entries.last(where: { $0.address == address }) != entry else { return }
    entries.removeAll { $0.address == address }
    entries = (entries + [entry]).suffix(Self.most)
  }

  /// Adds the members of a record.
  func add(to json: inout JSONObject) {
    guard !entries.isEmpty else { return }
    json.add("places", entries.count)
    for (number, entry) in entries.enumerated() {
      json.add("place_\(number)", entry.address)
      json.add("place_\(number)_columns", entry.conditions.count)
      for (column, condition) in entry.conditions.enumerated() {
        json.add("place_\(number)_column_\(column)", condition.column)
        json.add("place_\(number)_value_\(column)", condition.value)
      }
    }
  }

  /// Reads the members of a record. Returns nil if no run writes them so.
  init?(_ fields: FlatFields) {
    guard fields.has("places") else { return }
    guard let count = fields.number("places", in: 1...Self.most) else { return nil }
    for number in 0..<count {
      guard let address = fields.text("place_\(number)"),
        let columns = fields.number("place_\(number)_columns", in: 1...1000)
      else { return nil }
      var conditions: [Condition] = []
      for column in 0..<columns {
        guard let name = fields.text("place_\(number)_column_\(column)"),
          let value = fields.text("place_\(number)_value_\(column)")
        else { return nil }
        conditions.append(Condition(column: name, value: value))
      }
      entries.append(Entry(address: address, conditions: conditions))
    }
  }
}
