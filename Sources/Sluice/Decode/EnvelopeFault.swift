/// What can be wrong with the envelope around a payload.
public enum EnvelopeFault: Equatable, Sendable {
  /// A field that the way to the payload needs is not there.
  case missing(field: String, keys: [String])
}
