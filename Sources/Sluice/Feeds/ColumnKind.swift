/// What a column holds, for formats that write kinds differently.
enum ColumnKind {
  /// Text from the feed: anything may stand in it.
  case text
  /// A number as the feed wrote it.
  case decimal
  /// A whole number, `true` or `false`: ASCII that stands bare in JSON.
  case bare
  /// A day, an instant or an address's number: ASCII that no format has to quote.
  case plain

  /// No format has to look at its text.
  var isTame: Bool { self == .plain || self == .bare }

  /// In JSON it needs no quotation marks.
  var isBare: Bool { self == .decimal || self == .bare }
}

extension Feed {
  /// The kinds of the columns, in order.
  var columnKinds: [ColumnKind] {
    fields.flatMap { field in
      let kind: ColumnKind =
        switch field.rule {
        case .text, .verbatim: .text
        case .decimal, .share: .decimal
        case .integer, .flag: .bare
        case .day, .instant, .period: .plain
        }
      return Array(repeating: kind, count: field.columns.count)
    } + (address?.column == nil ? [] : [.plain])
  }
}
