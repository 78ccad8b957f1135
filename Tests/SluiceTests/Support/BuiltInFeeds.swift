@testable import Sluice

extension Feed {
  static let hotWater = builtIn("hot-water")
  static let bonds = builtIn("bonds")

  private static func builtIn(_ name: String) -> Feed {
    guard let document = document(named: name) else { fatalError("no feed \(name)") }
    do throws(FeedDocumentFault) {
      var feed = try FeedDocument.read(document)
      feed.isBuiltIn = true
      return feed
    } catch {
      fatalError("\(name):\(error.place.line):\(error.place.column): \(error.problem)")
    }
  }
}
