/// Why a document of several answers is not complete.
///
/// What did arrive is kept, so that another run need not ask for it again.
public struct RequestsFault: Equatable, Sendable {
  /// How to go on.
  public enum Remedy: Equatable, Sendable {
    /// A run that is told to resume asks only for the rest; another begins anew.
    case resume
    /// Every run asks only for what is missing or too old.
    case again
  }

  /// How a name that the server does not know can be searched for.
  public struct Search: Equatable, Sendable {
    /// The URL that stands in for the feed's server, as it may be shown; nil where none does.
    public var mirror: String?
    /// The feed is named by a document of the user's own.
    public var needsDocument = false

    /// Makes a way to search.
    public init(mirror: String? = nil, needsDocument: Bool = false) {
      self.mirror = mirror
      self.needsDocument = needsDocument
    }
  }

  /// What went wrong first.
  public var first: PipelineError
  /// The request that it went wrong with.
  public var name: RequestName
  /// What is missing, as far as it was to be asked for, in order; at least the first.
  public var missing: [RequestName]
  /// How many answers are kept.
  public var kept: Int
  /// How to go on.
  public var remedy: Remedy
  /// How old the rows are, in seconds, that stand in for what is missing.
  public var ages: [RequestName: Int] = [:]
  /// The outputs are published all the same.
  public var isPublished = false
  /// Where the server does not know who asks: the variables that tell it.
  public var variables: [String] = []
  /// How the name can be searched for; nil where it cannot.
  public var search: Search?

  /// Makes a fault.
  public init(
    first: PipelineError, name: RequestName, missing: [RequestName], kept: Int, remedy: Remedy
  ) {
    self.first = first
    self.name = name
    self.missing = missing
    self.kept = kept
    self.remedy = remedy
  }
}

extension PipelineError {
  /// Makes an error of what several requests came to: where it arose is where its first one did.
  init(_ fault: RequestsFault) {
    self.init(.requests(fault), at: fault.first.offset)
  }
}
