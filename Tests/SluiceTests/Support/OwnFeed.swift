@testable import Sluice

/// Makes feeds of documents, for tests.
enum OwnFeed {
  /// The feed that a document tells.
  static func read(_ text: String) throws(FeedDocumentFault) -> Feed {
    try FeedDocument.read(Array(text.utf8))
  }

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
