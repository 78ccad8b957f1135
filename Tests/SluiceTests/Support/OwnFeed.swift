@testable import Sluice

/// Makes feeds of documents, for tests.
enum OwnFeed {
  /// The feed that a document tells.
  static func read(_ text: String) throws(FeedDocumentFault) -> Feed {
    try FeedDocument.read(Array(text.utf8))
  }

  /// Reads a feed's JSON in one piece into these outputs. What is `between` gets the tokens first.
  static func push<Tokens: TokenStage & ~Copyable>(
    _ json: String, of feed: Feed, into branches: [Branch], counters: Counters,
    between: (consuming Normalizer<FanOut>) -> Tokens
  ) throws {
    var options = NormalizerOptions()
    options.zones = try Zones(of: feed)
    let rows = Normalizer(feed, options: options, into: FanOut(branches), counters: counters)
    try ChunkCutter.feed(
      Array(json.utf8), splitAt: 0, to: Tokenizer(into: between(rows), counters: counters))
  }

  /// The same with nothing between.
  static func push(_ json: String, of feed: Feed, into branches: [Branch], counters: Counters)
    throws
  { try push(json, of: feed, into: branches, counters: counters) { $0 } }

  /// What is wrong with a document, after its line and column; empty where nothing is.
  static func fault(_ text: String) -> String {
    do throws(FeedDocumentFault) {
      _ = try read(text)
      return ""
    } catch {
      return "\(error.place.line):\(error.place.column) \(error.problem)"
        .replacing("Sluice.FeedDocumentFault.", with: "").replacing("Sluice.", with: "")
        .replacing(", keys: []", with: "")
    }
  }

  /// A document of rows in a list `d`, with these columns, in one line, and what follows.
  static func document(_ columns: String, _ more: String = "") -> String {
    "feed: own\nrows: d[]\ncolumns: {\(columns)}\n\(more)"
  }
}
