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
  package var followsLinks: Bool {
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
  package var hasOwnAges: Bool {
    switch plan {
    case .one, .named, .pages: false
    case .items: true
    }
  }
}

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
    package static let text = "text"
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

extension ItemList {
  /// The most bytes of an item's name.
  private static let longestName = 200

  /// The text as an item's name, white space collapsed; nil if it is none.
  package static func tidy(_ text: String) -> String? {
    var bytes = ByteBuffer(capacity: max(16, text.utf8.count))
    var text = text
    text.withUTF8 { WhiteSpace.appendCollapsed(UnsafeRawBufferPointer($0), to: &bytes) }
    guard (1...longestName).contains(bytes.count),
      bytes.contents.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return String(decoding: bytes.contents, as: UTF8.self)
  }
}

/// A text with places: `$NAME` for what the environment says, `{name}` for what a request is about.
public struct PlacedText: Sendable, Equatable {
  /// A part of it.
  public enum Piece: Sendable, Equatable {
    /// What stands there.
    case text(String)
    /// A variable of the environment, which is a secret.
    case variable(String)
    /// A value of the request.
    case value(String)
  }

  /// Its parts.
  public let pieces: [Piece]

  /// Takes a text apart; nil where a brace has no other half, or nothing in it. A `$` that no
  /// upper-case name follows is one.
  public init?(_ text: String) {
    var pieces: [Piece] = []
    var plain = ""
    var rest = text[...]
    func add(_ piece: Piece) {
      if !plain.isEmpty { pieces.append(.text(plain)) }
      plain = ""
      pieces.append(piece)
    }
    while let character = rest.popFirst() {
      if character == "$" {
        let name = rest.prefix { Feed.Header.isNameCharacter($0) }
        if let first = name.first, !first.isNumber {
          add(.variable(String(name)))
          rest = rest[name.endIndex...]
          continue
        }
      } else if character == "{" {
        let name = rest.prefix { $0 != "{" && $0 != "}" }
        guard !name.isEmpty, rest[name.endIndex...].first == "}" else { return nil }
        add(.value(String(name)))
        rest = rest[name.endIndex...].dropFirst()
        continue
      } else if character == "}" {
        return nil
      }
      plain.append(character)
    }
    if !plain.isEmpty { pieces.append(.text(plain)) }
    self.pieces = pieces
  }

  /// The variables that it names.
  public var variables: [String] {
    pieces.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  /// The values of the request that it names.
  public var values: [String] {
    pieces.compactMap { if case .value(let name) = $0 { name } else { nil } }
  }

  /// The text as it was written.
  public var written: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .variable(let name): "$\(name)"
      case .value(let name): "{\(name)}"
      }
    }.joined()
  }
}

/// The document that the answers of several requests become.
///
///     [{"request":{"page":1},"answer":ANSWER},{"request":{"page":2},"answer":ANSWER}]
///
/// A feed's own paths count from one answer, so that a file with one answer can be read too; paths
/// that begin with `$request` lead to what is known of the request.
package enum Joined {
  package static let request = "request"
  package static let answer = "answer"
  /// What a path begins with that leads to something known of the request.
  static let requestRoot = "$request"
  /// When a request was answered (RFC 3339), and how old an answer is that could not be refreshed,
  /// in seconds.
  package static let answered = "answered"
  package static let age = "age"

  package static let answerSteps: [Path.Step] = [.each, .key(answer)]
}

extension Feed {
  /// The feed as its requests' joined answers have it; the feed itself where they are not joined.
  package var joined: Feed {
    guard requests?.isJoined == true,
      !tables.contains(where: { $0.rows.steps.starts(with: Joined.answerSteps) })
    else {
      return self
    }
    return mapPaths { path in
      path.steps.first == .key(Joined.requestRoot)
        ? Path([.each, .key(Joined.request)] + path.steps.dropFirst())
        : Path(Joined.answerSteps + path.steps)
    }
  }

  /// The feed as one part of its document has it, to which `steps` lead: rows and fields outside of
  /// it drop out. Nil where none of its rows are in there.
  package func inside(_ steps: [Path.Step]) -> Feed? {
    var feed = self
    func inner(_ path: Path) -> Path? {
      path.steps.starts(with: steps) ? Path(Array(path.steps.dropFirst(steps.count))) : nil
    }
    feed.tables = tables.compactMap { table in
      guard let rows = inner(table.rows) else { return nil }
      var table = table
      table.address = nil
      table.event = nil
      table.rows = rows
      table.fields = table.fields.compactMap { field in
        guard let path = inner(field.path) else { return nil }
        var field = field
        field.path = path
        return field
      }
      return table.fields.isEmpty ? nil : table
    }
    return feed.tables.isEmpty ? nil : feed
  }

  /// What is known of a request that the feed reads, by its key.
  package var requestMembers: Set<String> {
    let steps: [Path.Step] = [.each, .key(Joined.request)]
    return Set(
      tables.flatMap(\.fields).filter { $0.path.steps.starts(with: steps) }.map(\.path.lastKey))
  }

  private func mapPaths(_ map: (Path) -> Path) -> Feed {
    var feed = self
    for table in feed.tables.indices {
      feed.tables[table].rows = map(feed.tables[table].rows)
      for field in feed.tables[table].fields.indices {
        let path = feed.tables[table].fields[field].path
        feed.tables[table].fields[field].path = map(path)
      }
    }
    return feed
  }
}
