/// The requests of a feed that has more than one plain URL.
package struct FeedRequests: Sendable, Equatable {
  /// The structure of the requests.
  package enum Plan: Sendable, Equatable {
    /// One URL. Its answer is the document.
    case one(String)
    /// Several URLs. Their answers are the members of one object, in this order.
    case named([Named])
    /// A list in pages, at this URL.
    case pages(String, Paging)
    /// One request at this URL for each item of a list that the user keeps.
    case items(String, ItemList)
  }

  /// The answers that are needed to publish outputs.
  package enum Publication: String, Sendable, Equatable, CaseIterable {
    /// All of them.
    case all
    /// At least one. Items that cannot be updated keep their last rows, with the age of these.
    case stale
  }

  /// A URL, and the member for its answer.
  package struct Named: Sendable, Equatable {
    /// The member's key.
    package var name: String
    /// The URL.
    package var url: String
  }

  /// A parameter of a URL. In its value, `$NAME` is a value from the environment, which is a
  /// secret, and `{name}` is a value of the request.
  package struct Parameter: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// Its value, not encoded.
    package var value: PlacedText
  }

  /// The requests for a list in pages.
  package struct Paging: Sendable, Equatable {
    /// The way to ask for a particular page.
    package enum Way: Sendable, Equatable {
      /// A parameter has the number of the page, from `first` on.
      case page(parameter: String, first: Int)
      /// A parameter has the number of rows to skip, plus `first`.
      case offset(parameter: String, first: Int)
      /// Each answer links to the next (RFC 8288, relation `next`).
      case link
    }

    /// The way to ask for a particular page.
    package var way: Way
    /// The number of rows on a page.
    package var size = 20
    /// The parameter that sets this number, or nil if there is none.
    package var sizeParameter: String?
    /// The largest number of pages.
    package var most = 10_000
  }

  /// A search in the list.
  package struct Search: Sendable, Equatable {
    /// The parameter that has the search term.
    package var parameter: String
    /// The smallest number of characters in a term.
    package var least = 1
  }

  /// The structure of the requests.
  package var plan: Plan
  /// The parameters of every request.
  package var parameters: [Parameter] = []
  /// The field that says whether an answer is valid, or nil if there is none.
  package var status: Envelope.Test?
  /// The search in the list, or nil if it cannot be searched.
  package var search: Search?
  /// The answers that are needed to publish outputs.
  package var publication = Publication.all
  /// The largest number of requests at the same time.
  package var atOnce = 2
  /// The largest number of requests that begin in a second.
  package var perSecond = 10

  /// Makes requests without parameters.
  package init(_ plan: Plan) { self.plan = plan }
}

extension FeedRequests {
  /// The URLs of the requests, in order, without parameters.
  package var urls: [String] {
    switch plan {
    case .one(let url), .pages(let url, _), .items(let url, _): [url]
    case .named(let named): named.map(\.url)
    }
  }

  /// The variables of the environment that the parameters need.
  package var variables: [String] {
    var seen: Set<String> = []
    return parameters.flatMap(\.value.variables).filter { seen.insert($0).inserted }
  }

  /// Whether each answer is an element of the document, beside the data of its request. If so, the
  /// feed's paths start at one answer.
  var isJoined: Bool {
    switch plan {
    case .one, .named: false
    case .pages, .items: true
    }
  }

  /// The list of items, one for each request, or nil if there is none.
  package var items: ItemList? {
    if case .items(_, let list) = plan { list } else { nil }
  }

  /// Whether each answer links to the next one.
  package var followsLinks: Bool {
    if case .pages(_, let paging) = plan { paging.way == .link } else { false }
  }

  /// The names of the data of a request, which the feed's paths can lead to. There are none if the
  /// answers are the document.
  var known: [String] {
    switch plan {
    case .one, .named: []
    case .pages: ["page", Joined.answered]
    case .items(_, let list): [list.item, Joined.answered, Joined.age]
    }
  }

  /// Whether each answer has an age of its own, so that the document as a whole has none.
  package var hasOwnAges: Bool {
    switch plan {
    case .one, .named, .pages: false
    case .items: true
    }
  }
}

/// A list of items that the user keeps: cities, stations. The feed sends one request for each item.
package struct ItemList: Sendable, Equatable {
  /// A request that finds names for the list.
  package struct Search: Sendable, Equatable {
    /// The URL of the request.
    package var url: String
    /// The parameters of the request. `{text}` in one is the searched text.
    package var parameters: [FeedRequests.Parameter]
    /// The path to the suggestions in the answer.
    package var rows: Path
    /// The name to add to the list, made of a suggestion's texts: `{name},{country}`.
    package var add: PlacedText
    /// The text that shows a suggestion, or nil to show only its name.
    package var show: PlacedText?
    /// The smallest number of characters to search for.
    package var least: Int

    /// The placeholder of the searched text in a parameter.
    package static let text = "text"
  }

  /// The list's name, which also names its file.
  package var name: String
  /// The name of an item in parameters and in the data of a request.
  package var item: String
  /// The names on the list at first.
  package var start: [String] = []
  /// The search for names, or nil if there is none.
  package var search: Search?
}

extension ItemList {
  /// The longest name of an item, in bytes.
  private static let longestName = 200

  /// Returns the text as an item's name, with white space collapsed, or nil if it is empty, too
  /// long or has control characters.
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

/// A text with placeholders: `$NAME` for a value from the environment, `{name}` for a value of the
/// request.
package struct PlacedText: Sendable, Equatable {
  /// A part of it.
  package enum Piece: Sendable, Equatable {
    /// Plain text.
    case text(String)
    /// A variable of the environment, which is a secret.
    case variable(String)
    /// A value of the request.
    case value(String)
  }

  /// Its parts.
  package let pieces: [Piece]

  /// Parses a text. Returns nil if a brace has no counterpart, or a pair is empty. A `$` without an
  /// upper-case name after it is plain text.
  package init?(_ text: String) {
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

  /// The names of its variables.
  package var variables: [String] {
    pieces.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  /// The names of its values of the request.
  package var values: [String] {
    pieces.compactMap { if case .value(let name) = $0 { name } else { nil } }
  }

  /// The text as it was written.
  package var written: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .variable(let name): "$\(name)"
      case .value(let name): "{\(name)}"
      }
    }.joined()
  }
}

/// The document that is made of the answers to several requests.
///
///     [{"request":{"page":1},"answer":ANSWER},{"request":{"page":2},"answer":ANSWER}]
///
/// A feed's own paths start at one answer, so that a file with one answer can be read too. Paths
/// that begin with `$request` lead to the data of the request.
package enum Joined {
  package static let request = "request"
  package static let answer = "answer"
  /// The first key of a path to the data of the request.
  static let requestRoot = "$request"
  /// The keys of the time of an answer (RFC 3339), and of the age in seconds of an answer that
  /// could not be updated.
  package static let answered = "answered"
  package static let age = "age"

  package static let answerSteps: [Path.Step] = [.each, .key(answer)]
}

extension Feed {
  /// The feed with the paths of its joined document, or the feed itself if the answers are not
  /// joined.
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

  /// Returns the feed for one part of its document, to which `steps` lead. Rows and fields outside
  /// of the part are removed. Returns nil if no rows are left.
  package func inside(_ steps: [Path.Step]) -> Feed? {
    var feed = self
    func inner(_ path: Path) -> Path? {
      path.steps.starts(with: steps) ? Path(Array(path.steps.dropFirst(steps.count))) : nil
    }
    feed.tables = tables.compactMap { table in
      guard let rows = inner(table.rows) else { return nil }
      var table = table
      table.keyNumber = nil
      table.key = []
      table.events = []
      table.rows = rows
      table.zipped = table.zipped.compactMap(inner)
      table.fields = table.fields.compactMap { field in
        field.mapped(inner)
      }
      let columns = Set(table.fields.flatMap(\.columns))
      if let wanted = table.conditions?.columns, !columns.isSuperset(of: wanted) {
        table.conditions = nil
      }
      return table.fields.isEmpty ? nil : table
    }
    return feed.tables.isEmpty ? nil : feed
  }

  /// The keys of the request data that the feed reads.
  package var requestMembers: Set<String> {
    let steps: [Path.Step] = [.each, .key(Joined.request)]
    return Set(
      tables.flatMap(\.fields).filter { $0.path.steps.starts(with: steps) }.map(\.path.lastKey))
  }

  private func mapPaths(_ map: (Path) -> Path) -> Feed {
    var feed = self
    for table in feed.tables.indices {
      feed.tables[table].rows = map(feed.tables[table].rows)
      feed.tables[table].zipped = feed.tables[table].zipped.map(map)
      for event in feed.tables[table].events.indices {
        if case .path(let path) = feed.tables[table].events[event].timing?.zone {
          feed.tables[table].events[event].timing?.zone = .path(map(path))
        }
      }
      for field in feed.tables[table].fields.indices {
        guard let mapped = feed.tables[table].fields[field].mapped(map) else { continue }
        feed.tables[table].fields[field] = mapped
      }
    }
    return feed
  }
}
