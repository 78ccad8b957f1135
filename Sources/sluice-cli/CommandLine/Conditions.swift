import Sluice

extension Condition {
  /// Reads `FIELD=VALUE`, or with another sign: `!=`, `<`, `<=`, `>`, `>=`. The first sign
  /// separates the two. Days count from `today`.
  init(_ text: String, of table: Table, in feed: Feed, today: Day) throws(UsageError) {
    guard let (name, sign, value) = Self.parts(text) else { throw .filterWithoutField(text) }
    let fields = table.conditionColumns
    let columns = table.filterColumn(name).map { [$0] } ?? table.columns(named: name)
    guard let column = columns.first else {
      throw .unknownField(name, feed: feed.name, fields: fields)
    }
    guard columns.count == 1, fields.contains(column) else {
      throw .unfilterableField(name, fields: fields)
    }
    var condition: Condition
    switch sign {
    case "=", "!=": condition = Condition(typed: value, is: sign == "=", of: column)
    case "<": condition = Condition(column: column, .less, value: value)
    case "<=": condition = Condition(column: column, .lessOrEqual, value: value)
    case ">": condition = Condition(column: column, .greater, value: value)
    default: condition = Condition(column: column, .greaterOrEqual, value: value)
    }
    if sign == "=" || sign == "!=", let next = value.first, "=<>".contains(next) {
      throw .selection(.noSuchSign(sign + String(next)))
    }
    if sign == "<", value.first == ">" { throw .selection(.noSuchSign("<>")) }
    if condition.comparison.isOrder, value.isEmpty {
      throw .selection(.nothingToCompare(column, sign: sign))
    }
    let kind = table.columns.first { $0.name == column }?.kind
    if kind == .flag, !value.isEmpty {
      guard let flag = FlagText.value(of: value), !condition.comparison.isOrder else {
        throw .selection(.notAFlag(column, value: value))
      }
      condition.value = "\(flag)"
    }
    try condition.readTime(of: kind, in: feed.localZone(of: column, in: table), today)
    guard condition.isPossible(in: table) else {
      if kind == .time { throw .selection(.notATimeOfDay(column, value: value)) }
      throw .selection(.notANumber(column, value: value))
    }
    self = condition
  }

  /// Replaces a day or a time as people name it by the day or the time itself.
  private mutating func readTime(
    of kind: ColumnKind?, in zone: Zone, _ today: Day
  ) throws(UsageError) {
    guard kind == .day || kind == .instant, !value.isEmpty, comparison != .like,
      comparison != .notLike
    else { return }
    switch SelectedTime(value, today: today, in: zone) {
    case .day(let day): value = "\(day)"
    case .instant(let seconds) where kind == .instant: value = InstantText.utc(seconds)
    case .instant, nil:
      throw .selection(.notATime(column, value: value, hasTimes: kind == .instant))
    }
  }

  /// Returns the texts around the first sign, and the sign. Nil if there is none, or no name.
  private static func parts(_ text: String) -> (name: String, sign: String, value: String)? {
    let bytes = Array(text.utf8)
    let equals = UInt8(ascii: "=")
    for (index, byte) in bytes.enumerated() {
      let isPair = index + 1 < bytes.count && bytes[index + 1] == equals
      let length: Int
      switch byte {
      case equals: length = 1
      case UInt8(ascii: "<"), UInt8(ascii: ">"): length = isPair ? 2 : 1
      case UInt8(ascii: "!") where isPair: length = 2
      default: continue
      }
      guard index > 0 else { return nil }
      func text(_ part: ArraySlice<UInt8>) -> String { String(decoding: part, as: UTF8.self) }
      return (
        text(bytes[..<index]), text(bytes[index..<index + length]), text(bytes[(index + length)...])
      )
    }
    return nil
  }
}
