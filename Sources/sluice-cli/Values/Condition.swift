import Sluice

extension Condition {
  /// Takes `FIELD=VALUE`; the first `=` divides.
  init(_ text: String, of feed: Feed) throws(UsageError) {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex
    else { throw .filterWithoutField(text) }
    let column = String(text[..<equals])
    guard feed.filterColumns.contains(column) else {
      if feed.dayColumns.contains(column) { throw .dayField(column) }
      if feed.columns.contains(column) {
        throw .unfilterableField(column, fields: feed.filterColumns)
      }
      throw .unknownField(column, feed: feed.name, fields: feed.filterColumns)
    }
    self.init(column: column, value: String(text[text.utf8.index(after: equals)...]))
  }
}
