/// A list that a person keeps, for each of whose items a feed asks once: cities, stations.
public struct ItemList: Sendable, Equatable {
  /// A question that finds names for the list.
  public struct Search: Sendable, Equatable {
    /// What is asked.
    public var url: String
    /// The parameters of the request; `{text}` in one is what is searched for.
    public var parameters: [FeedRequests.Parameter]
    /// Where the suggestions are in the answer.
    public var rows: Path
    /// The name to put on the list, made of a suggestion's texts: `{name},{country}`.
    public var add: PlacedText
    /// How a suggestion is shown, where that is more than its name.
    public var show: PlacedText?
    /// The fewest characters that are searched for.
    public var least: Int

    /// What stands for the text in a parameter.
    static let text = "text"
  }

  /// The list's name, which also names its file.
  public var name: String
  /// What an item is called in requests and in what is known of them.
  public var item: String
  /// The names that are on it at first.
  public var start: [String] = []
  /// How names are found, where that can be asked.
  public var search: Search?
}
