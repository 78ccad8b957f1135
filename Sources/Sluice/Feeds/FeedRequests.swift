/// What a feed asks for where that is more than one plain URL.
public struct FeedRequests: Sendable, Equatable {
  /// What is asked.
  public enum Plan: Sendable, Equatable {
    /// One URL, whose answer is the document.
    case one(String)
    /// Several URLs, whose answers are the members of one object, in this order.
    case named([Named])
    /// A list that comes in pages, under this URL.
    case pages(String, Paging)
    /// One request under this URL for each item of a list that the user keeps.
    case items(String, ItemList)
  }

  /// What must have been answered before outputs are published.
  public enum Publication: String, Sendable, Equatable, CaseIterable {
    /// Everything.
    case all
    /// Something: what cannot be refreshed keeps its last rows, with their age.
    case stale
  }

  /// A URL and the member that its answer becomes.
  public struct Named: Sendable, Equatable {
    /// The member's key.
    public var name: String
    /// The URL.
    public var url: String
  }

  /// A parameter of a URL. `$NAME` in its value stands for what the environment says, which is a
  /// secret; `{name}` for what the request is about.
  public struct Parameter: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// Its value, not encoded.
    public var value: PlacedText
  }

  /// How a list is asked for, page by page.
  public struct Paging: Sendable, Equatable {
    /// What tells the pages apart.
    public enum Way: Sendable, Equatable {
      /// A parameter counts pages, from `first` on.
      case page(parameter: String, first: Int)
      /// A parameter counts the rows that are passed over, from `first` on.
      case offset(parameter: String, first: Int)
      /// Each answer links to the next (RFC 8288, relation `next`).
      case link
    }

    /// How a page is named in a request.
    public var way: Way
    /// How many rows a page has.
    public var size = 20
    /// The parameter that asks for so many; nil where there is none.
    public var sizeParameter: String?
    /// The most pages that are asked for.
    public var most = 10_000
  }

  /// A term that a list can be searched by.
  public struct Search: Sendable, Equatable {
    /// The parameter that carries it.
    public var parameter: String
    /// The fewest characters of a term.
    public var least = 1
  }

  /// What is asked.
  public var plan: Plan
  /// The parameters of every request.
  public var parameters: [Parameter] = []
  /// The field that says whether an answer is one, where there is such a field.
  public var status: Envelope.Test?
  /// How a list can be searched, where it can.
  public var search: Search?
  /// What must have been answered before outputs are published.
  public var publication = Publication.all
  /// The most requests that are under way at once.
  public var atOnce = 2
  /// The most requests that begin in a second.
  public var perSecond = 10

  /// Makes a plan that asks without parameters.
  public init(_ plan: Plan) { self.plan = plan }
}

extension FeedRequests {
  /// The URLs that are asked, in order, without parameters.
  public var urls: [String] {
    switch plan {
    case .one(let url), .pages(let url, _), .items(let url, _): [url]
    case .named(let named): named.map(\.url)
    }
  }

  /// The variables of the environment that the parameters need.
  public var variables: [String] {
    var names: [String] = []
    for name in parameters.flatMap(\.value.variables) where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  /// Each answer is an element of the document, beside what is known of its request; the feed's
  /// paths are those of one answer.
  var isJoined: Bool {
    switch plan {
    case .one, .named: false
    case .pages, .items: true
    }
  }

  /// The list for each of whose items is asked; nil where there is none.
  public var items: ItemList? {
    if case .items(_, let list) = plan { list } else { nil }
  }

  /// Each answer says where the next one is.
  var followsLinks: Bool {
    if case .pages(_, let paging) = plan { paging.way == .link } else { false }
  }

  /// What is known of a request, which a feed's paths can lead to; none where the answers are the
  /// document.
  var known: [String] {
    switch plan {
    case .one, .named: []
    case .pages: ["page", Joined.answered]
    case .items(_, let list): [list.item, Joined.answered, Joined.age]
    }
  }

  /// Each answer has an age of its own: whether it is too early to ask is not asked of the whole.
  var hasOwnAges: Bool {
    switch plan {
    case .one, .named, .pages: false
    case .items: true
    }
  }
}
