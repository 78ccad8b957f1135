import Foundation
import Testing

@testable import Sluice

@Suite struct OutputSetTests {
  let folder: ScratchFolder

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    folder = try ScratchFolder()
  }

  @Test func `nothing is visible before the commit and no temporary file after it`() throws {
    let set = OutputSet()
    try set.put("new\n", at: folder("out.csv"))
    #expect(folder.names == [".out.csv.sluice-tmp"])
    #expect(folder.mode(".out.csv.sluice-tmp") == 0o600)
    try set.commit()
    #expect(folder.names == ["out.csv"])
    #expect(folder.text("out.csv") == "new\n")
  }

  @Test func `a new file has the mode that the umask leaves`() throws {
    folder.make("reference", "")
    unlink(folder("reference"))
    let descriptor = Foundation.open(folder("reference"), O_CREAT | O_WRONLY, 0o666)
    close(descriptor)
    let set = OutputSet()
    try set.put("x", at: folder("out.csv"))
    try set.commit()
    #expect(folder.mode("out.csv") == folder.mode("reference"))
  }

  @Test(arguments: [0o640, 0o600, 0o444, 0o755] as [mode_t])
  func `an existing file is replaced and keeps its mode`(mode: mode_t) throws {
    folder.make("out.csv", "old", mode: mode)
    let inode = folder.status("out.csv").st_ino
    let set = OutputSet()
    try set.put("new", at: folder("out.csv"))
    #expect(folder.text("out.csv") == "old")
    try set.commit()
    #expect(folder.text("out.csv") == "new")
    #expect(folder.status("out.csv").st_ino != inode)
    #expect(folder.mode("out.csv") == mode)
    #expect(folder.names == ["out.csv"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files away: not tested here"))
  func `an existing file keeps its owner and group`() throws {
    folder.make("out.csv", "old")
    #expect(chown(folder("out.csv"), 1234, 2345) == 0)
    let set = OutputSet()
    try set.put("new", at: folder("out.csv"))
    try set.commit()
    #expect(folder.status("out.csv").st_uid == 1234)
    #expect(folder.status("out.csv").st_gid == 2345)
  }

  @Test func `a link stays and its target is replaced`() throws {
    try folder.makeFolder("data")
    folder.make("data/real.csv", "old", mode: 0o640)
    folder.link("middle.csv", to: "data/real.csv")
    folder.link("out.csv", to: "middle.csv")
    let set = OutputSet()
    try set.put("new", at: folder("out.csv"))
    #expect(folder.names == ["data", "middle.csv", "out.csv"])
    try set.commit()
    #expect(folder.status("out.csv").st_mode & S_IFMT == S_IFLNK)
    #expect(folder.text("data/real.csv") == "new")
    #expect(folder.mode("data/real.csv") == 0o640)
  }

  @Test func `equal bytes leave the old file and its time`() throws {
    let text = String(repeating: "0123456789abcdef\n", count: 50_000)
    folder.make("out.csv", text)
    let before = folder.status("out.csv")
    let set = OutputSet()
    try set.put(text, at: folder("out.csv"))
    try set.commit()
    let after = folder.status("out.csv")
    #expect(after.st_ino == before.st_ino)
    #expect(after.st_mtim.tv_sec == before.st_mtim.tv_sec)
    #expect(after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
    #expect(folder.names == ["out.csv"])
  }

  @Test func `one differing byte at the end replaces the file`() throws {
    let text = String(repeating: "0123456789abcdef\n", count: 50_000)
    folder.make("out.csv", text + "a")
    let set = OutputSet()
    try set.put(text + "b", at: folder("out.csv"))
    try set.commit()
    #expect(folder.text("out.csv") == text + "b")
  }

  @Test func `abandoning leaves the old file and no temporary one`() throws {
    folder.make("out.csv", "old")
    let set = OutputSet()
    try set.put("new", at: folder("out.csv"))
    try set.put("new", at: folder("other.csv"))
    set.abandon()
    set.abandon()
    #expect(folder.names == ["out.csv"])
    #expect(folder.text("out.csv") == "old")
  }

  @Test func `a set that is let go abandons its outputs`() throws {
    do {
      let set = OutputSet()
      try set.put("new", at: folder("out.csv"))
      #expect(folder.names == [".out.csv.sluice-tmp"])
    }
    #expect(folder.names == [])
  }

  @Test func `a writer that did not finish is never published`() throws {
    let set = OutputSet()
    try set.put("whole", at: folder("a.csv"))
    var writer = try set.open(path: folder("b.csv"))
    try writer.write("part")
    #expect(sinkFault { try set.commit() } == .unfinished(path: folder("b.csv")))
    #expect(folder.names == [])
  }

  @Test func `bytes are counted, also after the end`() throws {
    let set = OutputSet()
    var writer = try set.open(path: folder("out.csv"))
    let output = writer.output
    try writer.write("four")
    #expect(output.bytesWritten == 4)
    try writer.write("")
    try writer.write("five!")
    try writer.finish()
    try set.commit()
    #expect(output.bytesWritten == 9)
  }

  @Test func `two sets are independent`() throws {
    let (data, diagnostics) = (OutputSet(), OutputSet())
    try data.put("data", at: folder("out.csv"))
    try diagnostics.put("rejects", at: folder("rejects.ndjson"))
    data.abandon()
    try diagnostics.commit()
    #expect(folder.names == ["rejects.ndjson"])
  }

  @Test func `a relative path without a folder works`() throws {
    // The working folder belongs to the whole process: only a name that nobody else has.
    let name = "sluice-\(UUID().uuidString).csv"
    let set = OutputSet()
    try set.put("x", at: name)
    set.abandon()
    #expect(!FileManager.default.fileExists(atPath: ".\(name).sluice-tmp"))
  }
}
