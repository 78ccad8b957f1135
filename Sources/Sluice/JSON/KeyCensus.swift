import Synchronization

/// Counts the keys of a document by their paths, and hands its tokens on.
struct KeyCensus<Next: TokenStage & ~Copyable>: TokenStage, ~Copyable {
  private var next: Next
  private let counts: KeyCounts
  /// The indexes of the open containers' places. 0 is the document's value, -1 is not counted.
  private var open: [(place: Int, isArray: Bool)] = []
  private var pending = 0

  init(into next: consuming Next, counts: KeyCounts) {
    self.next = next
    self.counts = counts
  }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    switch kind {
    case .key:
      let name = text.withUnsafeBytes { String(decoding: $0.prefix(200), as: UTF8.self) }
      pending = counts.see(.key(name), at: open.last?.place ?? 0)
    case .beginObject, .beginArray:
      open.append((valuePlace, kind == .beginArray))
    case .endObject, .endArray:
      open.removeLast()
    default: break
    }
    let reply = try next.token(kind, text, at: offset)
    // The keys of values that nobody reads are counted too.
    return reply == .pass ? .proceed : reply
  }

  consuming func finish() throws(PipelineError) { try next.finish() }

  private var valuePlace: Int {
    guard let innermost = open.last else { return 0 }
    return innermost.isArray ? counts.see(.each, at: innermost.place) : pending
  }
}

/// Counts how often each key of a document was found.
package final class KeyCounts: Sendable {
  /// A key's path and count.
  package struct Count: Sendable, Equatable {
    /// The path to the key.
    package var path: Path
    /// The number of times the key was found.
    package var count: Int
  }

  private struct Place {
    var path: Path
    var count = 0
    var children: [Path.Step: Int] = [:]
  }

  /// The maximum number of counted places. A document with values as keys may have any number.
  private static let limit = 500
  private let places = Mutex([Place(path: Path([]))])

  /// The keys, in the order in which they were first found.
  package var counts: [Count] {
    places.withLock { places in
      places.filter { $0.path.steps.last.map { $0 != .each } ?? false }
        .map { Count(path: $0.path, count: $0.count) }
    }
  }

  /// Counts a step from a place. Returns the place it leads to, or -1 if it is not counted.
  func see(_ step: Path.Step, at place: Int) -> Int {
    guard place >= 0 else { return -1 }
    return places.withLock { places in
      if let child = places[place].children[step] {
        places[child].count += 1
        return child
      }
      guard places.count < Self.limit else { return -1 }
      places.append(Place(path: Path(places[place].path.steps + [step]), count: 1))
      places[place].children[step] = places.count - 1
      return places.count - 1
    }
  }
}
