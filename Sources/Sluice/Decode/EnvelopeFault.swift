/// What can be wrong with the envelope around a payload.
public enum EnvelopeFault: Equatable, Sendable {
  /// It is not JSON.
  case json(JSONFault)
  /// A field on the way to the payload is not there; `keys` are the ones that are.
  case missing(field: String, keys: [String])
  /// A field stands twice in one object.
  case twice(field: String)
  /// A field holds another kind of value than it must.
  case wrongKind(field: String, found: TokenKind, wanted: TokenKind, keys: [String])
  /// No element of the list has the value that marks the feed's own; `found` are theirs.
  case noMatch(field: String, value: String, found: [String])
  /// Two elements of the list have the value that marks the feed's own.
  case twoMatches(field: String, value: String)
  /// The temporary file for a payload that comes before its mark failed, with the error number.
  case spool(errno: Int32)
}
