import Foundation
import Testing

@testable import Sluice

/// What is refused before there is anything to write.
@Suite struct OutputRefusalTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `a missing folder is named`() {
    #expect(
      OutputSet.faultOfOpening(folder("none/out.csv")) == .folderMissing(path: folder("none")))
  }

  @Test func `a file in the place of a folder is no folder`() {
    folder.make("file", "")
    #expect(
      OutputSet.faultOfOpening(folder("file/out.csv")) == .folderMissing(path: folder("file")))
  }

  @Test func `a folder is no output`() throws {
    try folder.makeFolder("out.csv")
    #expect(OutputSet.faultOfOpening(folder("out.csv")) == .isFolder(path: folder("out.csv")))
    folder.link("link", to: "out.csv")
    #expect(OutputSet.faultOfOpening(folder("link")) == .isFolder(path: folder("link")))
    #expect(folder.names == ["link", "out.csv"])
  }

  @Test func `a name that ends in a slash is a missing folder`() {
    #expect(OutputSet.faultOfOpening(folder("none/")) == .folderMissing(path: folder("none/")))
  }

  @Test func `an empty path is refused`() {
    #expect(OutputSet.faultOfOpening("") == .create(path: "", errno: ENOENT))
  }

  @Test func `a dangling link is refused`() {
    folder.link("out.csv", to: "nowhere.csv")
    #expect(OutputSet.faultOfOpening(folder("out.csv")) == .danglingLink(path: folder("out.csv")))
    #expect(folder.names == ["out.csv"])
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root may give links away: not tested here"),
    arguments: ["out.csv", "nowhere.csv"])
  func `a link that another user has made is refused, also at the end of our own`(
    target: String
  ) throws {
    folder.make("out.csv", "old")
    try folder.makeFolder("shared")
    folder.link("shared/theirs.csv", to: "../\(target)")
    folder.link("ours.csv", to: "shared/theirs.csv")
    #expect(lchown(folder("shared/theirs.csv"), 1234, 1234) == 0)
    for name in ["shared/theirs.csv", "ours.csv"] {
      #expect(
        OutputSet.faultOfOpening(folder(name))
          == .foreignLink(path: folder("shared/theirs.csv"), target: "../\(target)"))
    }
    #expect(folder.text("out.csv") == "old")
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give links away: not tested here"))
  func `a link of the owner of its folder is followed`() throws {
    folder.make("out.csv", "old")
    try folder.makeFolder("home")
    folder.link("home/out.csv", to: folder("out.csv"))
    #expect(lchown(folder("home/out.csv"), 1234, 1234) == 0)
    #expect(lchown(folder("home"), 1234, 1234) == 0)
    #expect(OutputSet.faultOfOpening(folder("home/out.csv")) == nil)
  }

  @Test func `a link to itself is refused`() {
    folder.link("out.csv", to: "out.csv")
    #expect(
      OutputSet.faultOfOpening(folder("out.csv")) == .create(path: folder("out.csv"), errno: ELOOP))
  }

  @Test func `a name too long is refused`() {
    let path = folder(String(repeating: "n", count: 250))
    #expect(OutputSet.faultOfOpening(path) == .create(path: path, errno: ENAMETOOLONG))
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere: not tested here"))
  func `a read-only folder is refused`() throws {
    folder.make("out.csv", "old")
    #expect(chmod(folder.path, 0o555) == 0)
    defer { chmod(folder.path, 0o755) }
    #expect(
      OutputSet.faultOfOpening(folder("out.csv"))
        == .folderNotWritable(path: folder.path, errno: EACCES))
  }

  @Test func `a read-only file system is refused`() {
    switch OutputSet.faultOfOpening("/proc/sluice.csv") {
    case .create, .folderNotWritable: break
    case let fault: Issue.record("\(String(describing: fault))")
    }
  }

  @Test func `another run on the same output is told apart`() throws {
    let first = OutputSet()
    try first.put("first", at: folder("out.csv"))
    #expect(OutputSet.faultOfOpening(folder("out.csv")) == .locked(path: folder("out.csv")))
    #expect(folder.text(".out.csv.sluice-tmp") == "first")
    try first.commit()
    #expect(folder.text("out.csv") == "first")
    #expect(OutputSet.faultOfOpening(folder("out.csv")) == nil)
  }

  @Test func `another run that comes by a link is told apart`() throws {
    folder.make("out.csv", "old")
    try folder.makeFolder("links")
    folder.link("links/a.csv", to: "../out.csv")
    folder.link("links/b.csv", to: folder("out.csv"))
    let first = OutputSet()
    try first.put("first", at: folder("links/a.csv"))
    for path in [folder("out.csv"), folder("links/b.csv")] {
      #expect(OutputSet.faultOfOpening(path) == .locked(path: path))
    }
    first.abandon()
    #expect(OutputSet.faultOfOpening(folder("links/b.csv")) == nil)
  }
}
