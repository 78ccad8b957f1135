import CSluice
import Glibc

extension TemporaryFile {
  /// Takes over the rights of the file that it is about to replace, as ``FileRights`` says. A new
  /// file gets `newMode`. Throws `setMode` for the output at `path`.
  func takeRights(
    of previous: PreviousFile?, newMode: mode_t, path: String
  ) throws(PipelineError) {
    try FileRights.take(of: previous, newMode: newMode, for: descriptor, path: path)
  }
}

/// Owner, group, rights, access list and user attributes of a file or folder that is about to be
/// replaced.
///
/// Nobody gets more rights than before:
///
/// - Set-id and sticky bits of a file are not taken over. No output needs them. A folder keeps them.
/// - A list that the folder gave to the new file is removed.
/// - If the access list cannot be kept, `AccessList.mode(from:)` says what is left.
///
/// Owner, group and user attributes are taken over as far as the system allows it.
struct FileRights {
  /// The status of the old file.
  let status: FileStatus
  /// The old file, open. Negative if it cannot be read.
  let descriptor: Int32

  /// Gives an open file the rights of the one that it replaces, as ``set(_:newMode:on:path:)``
  /// does.
  static func take(
    of previous: PreviousFile?, newMode: mode_t, for descriptor: Int32, path: String
  ) throws(PipelineError) {
    let rights = previous.map { FileRights(status: $0.status, descriptor: $0.descriptor) }
    try set(rights, newMode: newMode, on: descriptor, path: path)
  }

  /// Sets the rights of the open file that replaces the old one. A file that replaces none gets
  /// `newMode`. Throws `setMode` for the output at `path`.
  static func set(
    _ old: FileRights?, newMode: mode_t, on new: Int32, path: String
  ) throws(PipelineError) {
    let mode = old?.give(to: new) ?? newMode
    if fchmod(new, mode) == 0 { return }
    // EPERM on a file of our own: the file system keeps no modes, or a sandbox allows no set-id
    // bit.
    guard errno == EPERM, fchmod(new, mode & 0o777) == 0 || errno == EPERM else {
      throw PipelineError(sink: .setMode(path: path, errno: errno))
    }
  }

  /// Gives everything but the mode, which is returned.
  private func give(to new: Int32) -> mode_t {
    if fchown(new, status.owner, status.group) != 0 {
      _ = fchown(new, uid_t.max, status.group)
    }
    let mode = giveList(to: new, status.permissions & 0o777)
    giveUserAttributes(to: new)
    guard status.isFolder else { return mode }
    if let list = FileAttribute.read(AccessList.nameForNew, of: descriptor) {
      _ = FileAttribute.write(AccessList.nameForNew, list, to: new)
    } else {
      fremovexattr(new, AccessList.nameForNew)
    }
    return mode | status.permissions & 0o7000
  }

  /// Gives the access list, or removes one that the folder gave. Returns the mode to set.
  private func giveList(to new: Int32, _ mode: mode_t) -> mode_t {
    let list = FileAttribute.read(AccessList.name, of: descriptor)
    if let list, FileAttribute.write(AccessList.name, list, to: new) { return mode }
    let code = errno
    fremovexattr(new, AccessList.name)
    if let list { return AccessList(list)?.mode(from: mode) ?? mode & 0o700 }
    // Without a list the group's bits are the group's rights. Whether there is one must be known.
    return code == ENODATA || code == EOPNOTSUPP ? mode : mode & 0o707
  }

  private func giveUserAttributes(to new: Int32) {
    for name in FileAttribute.names(of: descriptor) where name.hasPrefix("user.") {
      guard let value = FileAttribute.read(name, of: descriptor) else { continue }
      _ = FileAttribute.write(name, value, to: new)
    }
  }
}

/// The extended attributes of an open file (xattr(7)).
enum FileAttribute {
  /// The most bytes that Linux allows for a value, and for all names of a file together.
  private static let limit = 64 << 10

  /// Returns the names of all attributes; none if they cannot be read.
  fileprivate static func names(of descriptor: Int32) -> [String] {
    guard flistxattr(descriptor, nil, 0) > 0 else { return [] }
    let names = bytes { flistxattr(descriptor, $0?.assumingMemoryBound(to: CChar.self), $1) }
    return (names ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the value of an attribute. Nil with `errno` set if there is none or it cannot be read.
  static func read(_ name: String, of descriptor: Int32) -> [UInt8]? {
    guard fgetxattr(descriptor, name, nil, 0) >= 0 else { return nil }
    return bytes { fgetxattr(descriptor, name, $0, $1) }
  }

  /// Sets an attribute. Returns false with `errno` set if that fails.
  static func write(_ name: String, _ value: [UInt8], to descriptor: Int32) -> Bool {
    fsetxattr(descriptor, name, value, value.count, 0) == 0
  }

  /// Returns the bytes that `fill` writes into the memory that it gets. Nil if it fails.
  private static func bytes(_ fill: (UnsafeMutableRawPointer?, Int) -> Int) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = buffer.withUnsafeMutableBytes { fill($0.baseAddress, $0.count) }
    return count < 0 ? nil : Array(buffer.prefix(count))
  }
}

/// An access list of a file (acl(5)), as Linux stores it.
///
///     version 2 │ tag, rights, id │ tag, rights, id │ …     little-endian: 4 │ 2, 2, 4 │ …
///
/// If a file has a list, the group's bits of its mode are the list's mask: the most that any named
/// user and any group gets. They say nothing about the group itself.
struct AccessList {
  /// The name of the attribute.
  static let name = "system.posix_acl_access"
  /// The name of the attribute of a folder with the list of new files in it.
  static let nameForNew = "system.posix_acl_default"

  private enum Tag {
    static let user = 0x02
    static let group = 0x04
    static let namedGroup = 0x08
    static let mask = 0x10
  }

  /// The rights of the owning group, without the mask.
  private var group: mode_t = 0
  /// The rights that all named users and groups have, without the mask.
  private var named: mode_t = 0o7
  private var mask: mode_t = 0o7

  /// Reads a list. Nil if it does not have the form above.
  init?(_ bytes: [UInt8]) {
    guard bytes.count % 8 == 4, bytes[..<4] == [2, 0, 0, 0] else { return nil }
    for start in stride(from: 4, to: bytes.count, by: 8) {
      let rights = mode_t(bytes[start + 2]) & 0o7
      switch Int(bytes[start]) | Int(bytes[start + 1]) << 8 {
      case Tag.user, Tag.namedGroup: named &= rights
      case Tag.group: group = rights
      case Tag.mask: mask = rights
      default: break
      }
    }
  }

  /// Returns the mode for a file that loses this list and had `mode` with it. Nobody gets more
  /// rights by it: a user whom the list named may now be one of the group, or anybody.
  func mode(from mode: mode_t) -> mode_t {
    let others = mode & 0o7 & named
    return mode & 0o700 | (group & mask & named) << 3 | others
  }
}
