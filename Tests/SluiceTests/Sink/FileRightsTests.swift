import CSluice
import Foundation
import Testing

@testable import Sluice

/// What a file keeps when it is replaced, and what it loses.
@Suite struct FileRightsTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private typealias Entry = (tag: UInt16, rights: UInt16, id: UInt32)
  private static let nobody: UInt32 = .max

  /// A list as it lies on disk: version 2, then the entries.
  private static func list(_ entries: [Entry]) -> [UInt8] {
    entries.reduce(into: [2, 0, 0, 0]) { bytes, entry in
      withUnsafeBytes(of: entry.tag.littleEndian) { bytes += $0 }
      withUnsafeBytes(of: entry.rights.littleEndian) { bytes += $0 }
      withUnsafeBytes(of: entry.id.littleEndian) { bytes += $0 }
    }
  }

  /// The group is shut out, the user 1002 is let in: shown as the mode 0660.
  private static let closed = list([
    (0x01, 6, nobody), (0x02, 6, 1002), (0x04, 0, nobody), (0x10, 6, nobody), (0x20, 0, nobody),
  ])

  /// The temporary folder of the tests has access lists.
  private static let hasLists: Bool = {
    guard let folder = try? ScratchFolder() else { return false }
    folder.make("file", "")
    return setxattr(folder("file"), AccessList.name, closed, closed.count, 0) == 0
  }()

  /// And attributes of users.
  private static let hasAttributes: Bool = {
    guard let folder = try? ScratchFolder() else { return false }
    folder.make("file", "")
    return setxattr(folder("file"), "user.note", [1], 1, 0) == 0
  }()

  private func set(_ attribute: String, _ value: [UInt8], of name: String) -> Bool {
    setxattr(folder(name), attribute, value, value.count, 0) == 0
  }

  private func attribute(_ attribute: String, of name: String) -> [UInt8]? {
    let descriptor = open(folder(name), O_RDONLY)
    defer { close(descriptor) }
    return FileAttribute.read(attribute, of: descriptor)
  }

  private func replace(_ name: String) throws {
    let set = OutputSet()
    try set.put("new", at: folder(name))
    try set.commit()
    #expect(folder.text(name) == "new")
  }

  @Test(.enabled(if: hasLists, "this file system has no access lists: not tested here"))
  func `an access list is kept, and its mask is not the group's right`() throws {
    folder.make("out.csv", "old")
    #expect(set(AccessList.name, Self.closed, of: "out.csv"))
    #expect(folder.mode("out.csv") == 0o660)
    try replace("out.csv")
    #expect(attribute(AccessList.name, of: "out.csv") == Self.closed)
    #expect(folder.mode("out.csv") == 0o660)
  }

  @Test(.enabled(if: hasLists, "this file system has no access lists: not tested here"))
  func `a list that the folder gives to new files does not open an old file`() throws {
    folder.make("out.csv", "old", mode: 0o640)
    let name = "system.posix_acl_default"
    #expect(setxattr(folder.path, name, Self.closed, Self.closed.count, 0) == 0)
    try replace("out.csv")
    #expect(attribute(AccessList.name, of: "out.csv") == nil)
    #expect(folder.mode("out.csv") == 0o640)
    // A new file has it.
    try replace("new.csv")
    #expect(attribute(AccessList.name, of: "new.csv") != nil)
  }

  @Test(.enabled(if: hasAttributes, "this file system has no attributes of users: not tested here"))
  func `attributes that a user has set are kept`() throws {
    folder.make("out.csv", "old")
    #expect(set("user.note", Array("mine".utf8), of: "out.csv"))
    #expect(set("user.empty", [], of: "out.csv"))
    try replace("out.csv")
    #expect(attribute("user.note", of: "out.csv") == Array("mine".utf8))
    #expect(attribute("user.empty", of: "out.csv") == [])
  }

  @Test(arguments: [0o4755, 0o2750, 0o1644, 0o7777] as [mode_t])
  func `set-id and sticky bits do not pass to the new file`(mode: mode_t) throws {
    folder.make("out.csv", "old", mode: mode)
    try replace("out.csv")
    #expect(folder.mode("out.csv") == mode & 0o777)
  }

  @Test(arguments: [
    // (group, mask, named user), the mode before, the mode without the list.
    (0, 6, 6, 0o660, 0o600), (4, 6, 6, 0o664, 0o644), (6, 4, 7, 0o644, 0o644),
    // A user who was shut out is then one of the group, or anybody.
    (6, 6, 0, 0o664, 0o600), (6, 6, 4, 0o666, 0o644),
  ])
  func `without the list nobody has more rights than with it`(
    group: Int, mask: Int, named: Int, before: Int, after: Int
  ) throws {
    let list = Self.list([
      (0x01, 6, Self.nobody), (0x02, UInt16(named), 1002), (0x04, UInt16(group), Self.nobody),
      (0x08, 7, 50), (0x10, UInt16(mask), Self.nobody), (0x20, UInt16(before & 7), Self.nobody),
    ])
    let read = try #require(AccessList(list))
    #expect(read.mode(from: mode_t(before)) == mode_t(after))
  }

  @Test(arguments: [[], [1, 0, 0, 0], [2, 0, 0], [2, 0, 0, 0, 1]] as [[UInt8]])
  func `bytes that are no access list are told apart`(bytes: [UInt8]) {
    #expect(AccessList(bytes) == nil)
  }
}
