/// What a server answered that could be asked.
enum HTTPAnswer: Equatable, Sendable {
  /// The content, which has been pushed into the stage.
  case content(HTTPValidators)
  /// The content is what the validators sent stand for; nothing has been pushed.
  case notModified(HTTPValidators)
}
