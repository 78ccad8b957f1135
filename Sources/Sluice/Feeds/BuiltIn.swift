extension Feed {
  /// The names of the feeds that are built in; the first is the default.
  public static let names = ["hot-water", "bonds", "posts"]

  /// The built-in feed of this name: only its document is read.
  public static func named(_ name: String) -> Feed? {
    // A test reads all of them: none has a fault.
    document(named: name).flatMap { try? FeedDocument.read($0) }
  }

  /// The text of a built-in feed's document.
  public static func document(named name: String) -> [UInt8]? {
    switch name {
    case "hot-water": PackageResources.hot_water_yaml
    case "bonds": PackageResources.bonds_yaml
    case "posts": PackageResources.posts_yaml
    default: nil
    }
  }
}
