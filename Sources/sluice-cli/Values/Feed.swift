import Sluice

extension Feed {
  /// Finds a feed by its name, or reads the document at a path: what has a slash, or ends as such
  /// files do, is one.
  static func known(as name: String) throws(UsageError) -> Feed {
    if isPath(name) { return try read(name) }
    guard let feed = named(name) else { throw .unknownFeed(name) }
    return feed
  }

  /// Reads the feed's document at a path.
  static func read(_ path: String) throws(UsageError) -> Feed {
    let bytes: [UInt8]
    do throws(SourceFault) {
      bytes = try SmallFile.read(path, limit: YAMLNode.limit)
    } catch {
      throw .feedFile(error)
    }
    do throws(FeedDocumentFault) {
      return try FeedDocument.read(bytes)
    } catch {
      throw .feedDocument(path, error)
    }
  }

  private static func isPath(_ name: String) -> Bool {
    let lower = name.lowercased()
    return name.utf8.contains(UInt8(ascii: "/"))
      || [".yaml", ".yml", ".json"].contains { lower.hasSuffix($0) }
  }
}
