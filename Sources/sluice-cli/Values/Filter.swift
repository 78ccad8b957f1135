/// A condition of `--where`: the field has this value; an empty value matches a missing one.
struct Filter: Equatable, Sendable {
  var field: String
  var value: String

  /// Takes `FIELD=VALUE`; the first `=` divides.
  init(_ text: String, of feed: KnownFeed) throws(UsageError) {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex
    else { throw .filterWithoutField(text) }
    field = String(text[..<equals])
    value = String(text[text.utf8.index(after: equals)...])
    guard feed.filterFields.contains(field) else {
      throw .unknownField(field, feed: feed.name, fields: feed.filterFields)
    }
  }
}
