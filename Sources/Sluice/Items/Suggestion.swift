/// What a search has found for a list.
public struct Suggestion: Sendable, Equatable {
  /// The name to add.
  public var name: String
  /// What else tells it from others; empty where nothing does.
  public var details: String
}
