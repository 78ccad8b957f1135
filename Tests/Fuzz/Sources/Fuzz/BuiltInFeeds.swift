@testable import Sluice

extension Feed {
  static let hotWater = builtIn("hot-water")
  static let bonds = builtIn("bonds")

  private static func builtIn(_ name: String) -> Feed {
    guard let feed = named(name) else { fatalError("no feed \(name)") }
    return feed
  }
}
