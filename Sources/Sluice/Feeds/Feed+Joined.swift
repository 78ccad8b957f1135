/// The document that the answers of several requests become.
///
///     [{"request":{"page":1},"answer":ANSWER},{"request":{"page":2},"answer":ANSWER}]
///
/// A feed's own paths count from one answer, so that a file with one answer can be read too; paths
/// that begin with `$request` lead to what is known of the request.
enum Joined {
  static let request = "request"
  static let answer = "answer"
  /// What a path begins with that leads to something known of the request.
  static let requestRoot = "$request"
  /// When a request was answered (RFC 3339), and how old an answer is that could not be refreshed,
  /// in seconds.
  static let answered = "answered"
  static let age = "age"

  static let answerSteps: [Path.Step] = [.each, .key(answer)]
}

extension Feed {
  /// The feed as its requests' joined answers have it; the feed itself where they are not joined.
  var joined: Feed {
    guard requests?.isJoined == true, !rows.steps.starts(with: Joined.answerSteps) else {
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
  func inside(_ steps: [Path.Step]) -> Feed? {
    var feed = self
    feed.address = nil
    feed.event = nil
    func inner(_ path: Path) -> Path? {
      path.steps.starts(with: steps) ? Path(Array(path.steps.dropFirst(steps.count))) : nil
    }
    func inner(_ fields: [Field]) -> [Field] {
      fields.compactMap { field in
        guard let path = inner(field.path) else { return nil }
        var field = field
        field.path = path
        return field
      }
    }
    if tables.isEmpty {
      guard let rows = inner(rows) else { return nil }
      feed.rows = rows
      feed.fields = inner(fields)
      return feed.fields.isEmpty ? nil : feed
    }
    feed.tables = tables.compactMap { table in
      guard let rows = inner(table.rows) else { return nil }
      var table = table
      table.rows = rows
      table.fields = inner(table.fields)
      return table.fields.isEmpty ? nil : table
    }
    return feed.tables.isEmpty ? nil : feed
  }

  /// What is known of a request that the feed reads, by its key.
  var requestMembers: Set<String> {
    let steps: [Path.Step] = [.each, .key(Joined.request)]
    let fields = tables.isEmpty ? fields : tables.flatMap(\.fields)
    return Set(fields.filter { $0.path.steps.starts(with: steps) }.map(\.path.lastKey))
  }

  private func mapPaths(_ map: (Path) -> Path) -> Feed {
    func mapped(_ fields: [Field]) -> [Field] {
      fields.map { field in
        var field = field
        field.path = map(field.path)
        return field
      }
    }
    var feed = self
    feed.rows = map(rows)
    feed.fields = mapped(fields)
    feed.tables = tables.map { table in
      var table = table
      table.rows = map(table.rows)
      table.fields = mapped(table.fields)
      return table
    }
    return feed
  }
}
