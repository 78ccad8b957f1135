extension Feed {
  /// The feed that is meant where none is named.
  private static let standard = "hot-water"

  /// The names of the feeds that are built in: the default first, then the others by name.
  ///
  /// The documents of the folder `BuiltIn` are all of them: a build plugin lists it.
  public static let names = [standard] + DocumentList.names.filter { $0 != standard }

  /// The built-in feed of this name: only its document is read.
  public static func named(_ name: String) -> Feed? {
    // A test reads all of them: none has a fault.
    document(named: name).flatMap { try? FeedDocument.read($0) }
  }

  /// The text of a built-in feed's document.
  public static func document(named name: String) -> [UInt8]? {
    DocumentList.document(named: name)
  }
}
