/// The name and password that a URL carries, decoded.
struct HTTPCredentials: Equatable, Sendable {
  var user: String
  var password: String
}
