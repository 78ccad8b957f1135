/// An event of a YAML stream, with what is needed to know of it.
struct YAMLEvent: Equatable {
  enum Kind: Equatable {
    case streamStart, streamEnd
    case documentStart, documentEnd
    case mappingStart, mappingEnd
    case sequenceStart, sequenceEnd
    case alias
    /// `isPlain` is a scalar without quotes.
    case scalar(String, isPlain: Bool)
  }

  let kind: Kind
  /// Where it begins.
  let place: TextPlace
  /// Whether it bears an anchor, `&name`.
  var hasAnchor = false
  /// Whether it bears a tag, `!name`.
  var hasTag = false
}
