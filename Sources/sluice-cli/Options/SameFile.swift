import Sluice

/// A file as far as it can be told from others: by what the system says, or by its spelling.
struct SameFile {
  private enum Name: Equatable {
    case standardOutput
    /// As bytes: for the file system, a composed and a decomposed letter are different names.
    case path([UInt8])
  }

  private let name: Name?
  private let identity: FileIdentity?

  private init(name: Name?, identity: FileIdentity?) {
    self.name = name
    self.identity = identity
  }

  /// A file by its path. `/dev/null` takes all that comes and is nobody's.
  init(_ path: String) {
    self.init(
      name: path == "/dev/null" ? nil : .path(Array(path.utf8)), identity: FileIdentity(path: path))
  }

  /// Where something is written.
  init(_ destination: Destination) {
    switch destination {
    case .file(let path): self.init(path)
    case .standardOutput:
      self.init(name: .standardOutput, identity: FileIdentity(descriptor: 1))
    }
  }

  /// Where something is read; nil for what is no file.
  init?(_ input: Input) {
    switch input {
    case .file(let path): self.init(path)
    case .standardInput:
      self.init(name: nil, identity: FileIdentity(descriptor: 0))
    case .url, .requests: return nil
    }
  }

  /// Both are the same file.
  func matches(_ other: SameFile) -> Bool {
    if let name, name == other.name { return true }
    return identity != nil && identity == other.identity
  }
}
