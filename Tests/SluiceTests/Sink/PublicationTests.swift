import Foundation
import Testing

@testable import Sluice

/// All outputs of a set, or none.
@Suite struct PublicationTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Opens and finishes `names`, in that order.
  private func set(_ names: String...) throws -> OutputSet {
    let set = OutputSet()
    for name in names { try set.put("new \(name)", at: folder(name)) }
    return set
  }

  @Test func `old and new outputs in two folders are published together`() throws {
    try folder.makeFolder("data")
    folder.make("a.csv", "old")
    folder.make("data/b.csv", "old")
    folder.make("same.csv", "new same.csv")
    try set("a.csv", "new.csv", "same.csv", "data/b.csv", "data/new.csv").commit()
    for name in ["a.csv", "new.csv", "same.csv", "data/b.csv", "data/new.csv"] {
      #expect(folder.text(name) == "new \(name)")
    }
    #expect(folder.names == ["a.csv", "data", "new.csv", "same.csv"])
    #expect(folder.status("new.csv").st_nlink == 1)
  }

  @Test func `a later failure brings the earlier files back`() throws {
    folder.make("a.csv", "old a", mode: 0o640)
    folder.make("c.csv", "old c")
    let before = folder.status("a.csv")
    let set = try set("a.csv", "b.csv", "c.csv", "d.csv")
    // Somebody tidied up: the last rename finds nothing.
    unlink(folder(".d.csv.sluice-tmp"))
    #expect(sinkFault { try set.commit() } == .changed(path: folder("d.csv")))
    #expect(folder.names == ["a.csv", "c.csv"])
    #expect(folder.text("a.csv") == "old a")
    #expect(folder.text("c.csv") == "old c")
    let after = folder.status("a.csv")
    #expect(after.st_ino == before.st_ino)
    #expect(after.st_mode == before.st_mode)
    #expect(after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
  }

  @Test func `a folder in the place of a target stops the set`() throws {
    folder.make("a.csv", "old a")
    folder.make("b.csv", "old b")
    let set = try set("a.csv", "b.csv", "c.csv")
    try FileManager.default.removeItem(atPath: folder("b.csv"))
    try folder.makeFolder("b.csv")
    folder.make("b.csv/inside", "precious")
    #expect(sinkFault { try set.commit() } == .isFolder(path: folder("b.csv")))
    #expect(folder.names == ["a.csv", "b.csv"])
    #expect(folder.text("a.csv") == "old a")
    #expect(folder.text("b.csv/inside") == "precious")
  }

  @Test func `a link in the place of a target stops the set`() throws {
    folder.make("a.csv", "old a")
    folder.make("elsewhere", "precious")
    let set = try set("a.csv", "b.csv")
    folder.link("b.csv", to: "elsewhere")
    #expect(sinkFault { try set.commit() } == .changed(path: folder("b.csv")))
    #expect(folder.names == ["a.csv", "b.csv", "elsewhere"])
    #expect(folder.text("a.csv") == "old a")
    #expect(folder.text("elsewhere") == "precious")
  }

  @Test func `a temporary file that somebody cut is not published`() throws {
    folder.make("a.csv", "old a")
    let set = try set("a.csv")
    #expect(truncate(folder(".a.csv.sluice-tmp"), 3) == 0)
    #expect(
      sinkFault { try set.commit() } == .wrongSize(path: folder("a.csv"), written: 9, found: 3))
    #expect(folder.names == ["a.csv"])
    #expect(folder.text("a.csv") == "old a")
  }

  @Test func `other names of the old file keep the old bytes`() throws {
    folder.make("a.csv", "old a")
    #expect(link(folder("a.csv"), folder("backup.csv")) == 0)
    try set("a.csv", "b.csv").commit()
    #expect(folder.text("backup.csv") == "old a")
    #expect(folder.text("a.csv") == "new a.csv")
    #expect(folder.names == ["a.csv", "b.csv", "backup.csv"])
  }

  @Test func `an old file that somebody else has locked is replaced all the same`() throws {
    // `flock out.csv sluice …`: no exchange then, but a plain rename.
    folder.make("a.csv", "old a")
    let descriptor = Foundation.open(folder("a.csv"), O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    try set("a.csv").commit()
    #expect(folder.text("a.csv") == "new a.csv")
    #expect(folder.names == ["a.csv"])
  }

  @Test func `an output that cannot be put back is named`() throws {
    folder.make("a.csv", "old a")
    let descriptor = Foundation.open(folder("a.csv"), O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let set = try set("a.csv", "b.csv")
    unlink(folder(".b.csv.sluice-tmp"))
    #expect(
      sinkFault { try set.commit() } == .notPutBack(path: folder("a.csv"), errno: EOPNOTSUPP))
    #expect(folder.names == ["a.csv"])
    #expect(folder.text("a.csv") == "new a.csv")
  }
}
