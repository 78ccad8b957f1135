/// The way through an API's answer to the payload, which is base64 text.
public struct Envelope: Sendable, Equatable {
  /// A field, and what it must be, as text.
  public struct Test: Sendable, Equatable {
    /// Where the field is.
    public var path: Path
    /// What it must be.
    public var value: String
  }

  /// The field that says whether the answer is one, where there is such a field.
  public var status: Test?
  /// The field that marks the feed's own element in a list; nil where the payload is in no list.
  public var match: Test?
  /// The payload, in the same element.
  public var payload: Path
  /// The payload's version, in the same element, where there is such a field.
  public var version: Path?
}
