/// How a feed's own requests are asked.
public struct RequestInput: Equatable, Sendable {
  /// The state folder, where answers wait for one another.
  public var state: String
  /// A URL that takes the place of scheme, host and port of the feed's own, and stands before their
  /// paths.
  public var mirror: String?
  /// The term that a list is searched for.
  public var search: String?
  /// Whether answers that an earlier run has left are used.
  public var resumes: Bool
  /// What the environment says for the feed's variables.
  public var secrets = RequestSecrets()

  /// Makes the input of a feed's own URLs, or of a mirror of them.
  public init(state: String, mirror: String? = nil, search: String? = nil, resumes: Bool = false) {
    self.state = state
    self.mirror = mirror
    self.search = search
    self.resumes = resumes
  }
}
