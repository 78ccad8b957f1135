/// What a server gave to ask later whether its content is still the same (RFC 9110, section 8.8).
struct HTTPValidators: Equatable, Sendable {
  /// The value of `ETag`, quotes included.
  var entityTag: String?
  /// The value of `Last-Modified`, as it came.
  var lastModified: String?

  /// The header lines of a conditional request (RFC 9110, section 13.1); none where nothing is
  /// known. Both are sent: the server takes the better one.
  var headers: [String] {
    [entityTag.map { "If-None-Match: \($0)" }, lastModified.map { "If-Modified-Since: \($0)" }]
      .compactMap(\.self)
  }

  /// These validators, and where a 304 left one out, the ones from before.
  func keeping(_ before: HTTPValidators) -> HTTPValidators {
    HTTPValidators(
      entityTag: entityTag ?? before.entityTag, lastModified: lastModified ?? before.lastModified)
  }
}
