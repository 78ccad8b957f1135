import Glibc
import Sluice

/// The names in a value of `--columns`.
func columnNames(_ text: String) -> [String] {
  text.split(separator: ",", omittingEmptySubsequences: false).map {
    String($0.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

typealias Destination = Conversion.Destination

extension Destination {
  /// Reads a path. `-` and the system's own names of standard output mean standard output.
  init(_ path: String) {
    self = Destination.namesOfStandardOutput.contains(path) ? .standardOutput : .file(path)
  }

  private static let namesOfStandardOutput = [
    "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1",
  ]

  /// The format of the name's extension, or nil if there is none.
  var format: OutputFormat? {
    switch self {
    case .standardOutput: nil
    case .file(let path): OutputFormat(extensionOf: path)
    }
  }
}

extension Feed {
  /// Returns the built-in feed of a name, or reads the document at a path. A text with a slash, or
  /// with the extension of such files, is a path.
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

extension Input {
  /// Reads the operand INPUT. Without it, the input is the feed's own URL.
  init(_ operand: String?, of feed: Feed) throws(UsageError) {
    guard operand == nil else {
      self = try Input(operand ?? "")
      return
    }
    guard let url = feed.url else { throw .noInput(feed: feed.name) }
    self = .url(url)
  }

  /// Reads the operand INPUT of a feed with requests of its own. A URL is a mirror of its server.
  init(_ operand: String?, _ requests: (_ mirror: String?) throws(UsageError) -> RequestInput)
    throws(UsageError)
  {
    guard let operand else {
      self = .requests(try requests(nil))
      return
    }
    let input = try Input(operand)
    if case .url(let mirror) = input {
      self = .requests(try requests(mirror))
    } else {
      self = input
    }
  }

  /// Reads the name of an input.
  init(_ text: String) throws(UsageError) {
    guard text != "-" else {
      self = .standardInput
      return
    }
    switch Input.scheme(of: text) {
    case nil: self = .file(text)
    case "http"?, "https"?: self = .url(text)
    case _?: throw .unknownScheme(text)
    }
  }

  /// Returns the scheme in lower case if the text begins with `scheme://` (RFC 3986, section 3.1),
  /// or nil.
  private static func scheme(of text: String) -> String? {
    guard let scheme = URLParts(text)?.scheme, !scheme.isEmpty else { return nil }
    let isScheme = scheme.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    return isScheme ? scheme.lowercased() : nil
  }
}

typealias Output = Conversion.Output

extension Output {
  /// Returns the outputs with their formats: that of the extension, otherwise `format`, and for
  /// standard output CSV by default. Without a path, the output is standard output.
  static func all(named paths: [String], format: OutputFormat?) throws(UsageError) -> [Output] {
    var outputs: [Output] = []
    for path in paths.isEmpty ? ["-"] : paths {
      let destination = Destination(path)
      let fallback = format ?? (destination == .standardOutput ? .csv : nil)
      guard let chosen = destination.format ?? fallback else { throw .unknownExtension(path) }
      outputs.append(Output(destination, chosen))
    }
    if let format, !outputs.contains(where: { $0.format == format }) {
      throw .idleFormat(format)
    }
    return outputs
  }

  /// Checks that each word in braces names a column of these tables, or is `{table}`, and that the
  /// format can be split into files.
  func checkPlaces(_ tables: [Table]) throws(UsageError) {
    guard case .file(let path) = destination, let place = destination.columnPlaces.first else {
      return
    }
    for table in tables {
      let columns = format.named(table).columns.map(\.name)
      for place in destination.columnPlaces where !columns.contains(place) {
        throw .unknownPlace("{\(place)}", path: path, columns: columns)
      }
    }
    guard !format.holdsTables, format != .site else {
      throw .splitDatabase("{\(place)}", path: path)
    }
  }
}

/// Reads a small file of the user as a whole: a configuration, or a feed's document.
enum SmallFile {
  /// Returns the bytes of the file at `path`, at most one more than the limit.
  static func read(_ path: String, limit: Int) throws(SourceFault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .noFile(path: path) : .unreadable(path: path, errno: errno)
    }
    defer { close(descriptor) }
    var bytes = ByteBuffer(capacity: limit + 1)
    while bytes.count <= limit {
      switch FileDescriptor.read(descriptor, into: &bytes) {
      case .bytes: continue
      case .end: return Array(bytes.contents)
      case .failed(EISDIR): throw .folder(path: path)
      case .failed(let error): throw .read(path: path, errno: error)
      }
    }
    return Array(bytes.contents)
  }
}

/// Finds the state folder.
enum StatePath {
  /// Returns the given folder, or the usual one. Throws if neither is known.
  static func chosen(_ path: String?) throws(UsageError) -> String {
    if let path { return path }
    guard let path = usual(Environment.value) else {
      throw .noStateFolder
    }
    return path
  }

  /// Returns `$XDG_STATE_HOME/sluice`, otherwise `~/.local/state/sluice`, or nil if neither is
  /// known. A relative XDG_STATE_HOME is ignored (XDG Base Directory Specification).
  static func usual(_ environment: (String) -> String?) -> String? {
    if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") {
      return "\(folder)/\(Program.name)"
    }
    guard let home = environment("HOME"), !home.isEmpty else { return nil }
    return "\(home)/.local/state/\(Program.name)"
  }
}

/// The amount of messages on standard error.
enum Verbosity: Sendable {
  /// Errors only.
  case quiet
  case normal
  /// Everything, on a terminal or not.
  case verbose
}

/// A shell that completions can be made for.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

/// The folder of a site, and what is in it.
struct SiteFiles {
  private let parts: [Substring]

  /// Finds the place of a site. Nil if it cannot be told.
  init?(_ path: String) {
    guard let parts = Self.place(of: path) else { return nil }
    self.parts = parts
  }

  /// Whether a path leads into the folder.
  func contains(_ path: String) -> Bool {
    guard let place = Self.place(of: path) else { return false }
    return place.count > parts.count && place.starts(with: parts)
  }

  /// The names from the root to a file, links resolved as far as the path exists.
  private static func place(of path: String) -> [Substring]? {
    var known = path.hasPrefix("/") ? path : "./\(path)"
    var rest: [Substring] = []
    while true {
      if let real = realpath(known, nil) {
        defer { free(real) }
        return String(cString: real).split(separator: "/").map { Substring(String($0)) } + rest
      }
      guard errno == ENOENT, let cut = known.split(separator: "/").last else { return nil }
      rest.insert(cut, at: 0)
      while known.hasSuffix("/") { known.removeLast() }
      known.removeLast(cut.count)
      if known.isEmpty { return nil }
    }
  }
}

/// The identity of a file: its device and inode, or its spelling.
struct SameFile {
  private enum Name: Equatable {
    case standardOutput
    /// In bytes, because for the file system a composed and a decomposed letter are different.
    case path([UInt8])
  }

  private let name: Name?
  private let identity: FileIdentity?

  private init(name: Name?, identity: FileIdentity?) {
    self.name = name
    self.identity = identity
  }

  /// Identifies a file by its path. `/dev/null` may be used several times.
  init(_ path: String) {
    // The slash at the end of a folder's name is none of its name.
    var plain = path[...]
    while plain.count > 1, plain.hasSuffix("/") { plain.removeLast() }
    self.init(
      name: path == "/dev/null" ? nil : .path(Array(plain.utf8)),
      identity: FileIdentity(path: String(plain)))
  }

  /// Identifies the file of a destination.
  init(_ destination: Destination) {
    switch destination {
    case .file(let path): self.init(path)
    case .standardOutput:
      self.init(name: .standardOutput, identity: FileIdentity(descriptor: 1))
    }
  }

  /// Identifies the file of an input. Returns nil if the input is not a file.
  init?(_ input: Input) {
    switch input {
    case .file(let path): self.init(path)
    case .standardInput:
      self.init(name: nil, identity: FileIdentity(descriptor: 0))
    case .url, .bytes, .requests: return nil
    }
  }

  /// Returns whether both are the same file.
  func matches(_ other: SameFile) -> Bool {
    if let name, name == other.name { return true }
    return identity != nil && identity == other.identity
  }
}
