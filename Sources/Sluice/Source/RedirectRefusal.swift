/// Why a redirect is not followed.
public enum RedirectRefusal: Equatable, Sendable {
  /// The response before it was the last that may be followed.
  case tooMany(limit: Int)
  /// It leads to a scheme other than `http` and `https`.
  case scheme(String)
  /// It leads from `https` to `http`.
  case downgrade
  /// It leads from a public host to this address, which only an inner network can reach.
  case internalAddress(String)
  /// Its `Location` is no URL.
  case malformed
}
