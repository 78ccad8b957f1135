/// Where the bytes of a run come from.
public enum Input: Equatable, Sendable {
  /// The file at this path.
  case file(String)
  /// The process's standard input.
  case standardInput
  /// What an `http` or `https` URL answers.
  case url(String)
  /// What a feed's own requests are answered.
  case requests(RequestInput)
}
