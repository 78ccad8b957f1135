import Foundation
import Testing

@testable import Sluice

/// What was left behind by a run that was killed.
@Suite struct TemporaryFileTests {
  let folder: ScratchFolder
  let left = ".out.csv.sluice-tmp"

  init() throws { folder = try ScratchFolder() }

  @Test(arguments: [0o600, 0o644, 0o444] as [mode_t])
  func `a left-over is taken over and emptied`(mode: mode_t) throws {
    folder.make(left, "long rest of a dead run", mode: mode)
    let set = OutputSet()
    try set.put("new", at: folder("out.csv"))
    #expect(folder.mode(left) == 0o600)
    try set.commit()
    #expect(folder.text("out.csv") == "new")
    #expect(folder.names == ["out.csv"])
  }

  @Test func `a left-over with another name is never emptied`() throws {
    // Killed while publishing: the old file, which somebody has linked, goes by this name too.
    folder.make("backup.csv", "precious")
    #expect(link(folder("backup.csv"), folder(left)) == 0)
    let set = OutputSet()
    try set.put("new", at: folder("out.csv"))
    #expect(folder.text("backup.csv") == "precious")
    try set.commit()
    #expect(folder.text("backup.csv") == "precious")
    #expect(folder.text("out.csv") == "new")
    #expect(folder.names == ["backup.csv", "out.csv"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files away: not tested here"))
  func `a left-over of another user is never emptied`() throws {
    folder.make(left, "theirs")
    #expect(chown(folder(left), 1234, 1234) == 0)
    let reader = try #require(FileHandle(forReadingAtPath: folder(left)))
    let set = OutputSet()
    try set.put("new", at: folder("out.csv"))
    try set.commit()
    #expect(try reader.readToEnd() == Data("theirs".utf8))
    #expect(folder.status("out.csv").st_uid == 0)
  }

  @Test func `a left-over that another run has locked is left alone`() throws {
    folder.make(left, "at work")
    let descriptor = Foundation.open(folder(left), O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(OutputSet.faultOfOpening(folder("out.csv")) == .locked(path: folder("out.csv")))
    #expect(folder.text(left) == "at work")
  }

  @Test func `a link in the temporary file's place is not followed`() {
    folder.make("victim", "precious")
    folder.link(left, to: "victim")
    #expect(
      OutputSet.faultOfOpening(folder("out.csv")) == .temporaryInTheWay(path: folder(left)))
    #expect(folder.text("victim") == "precious")
  }

  @Test func `a folder or FIFO in the temporary file's place is named`() throws {
    try folder.makeFolder(left)
    let fault = SinkFault.temporaryInTheWay(path: folder(left))
    #expect(OutputSet.faultOfOpening(folder("out.csv")) == fault)
    #expect(rmdir(folder(left)) == 0)
    #expect(mkfifo(folder(left), 0o600) == 0)
    #expect(OutputSet.faultOfOpening(folder("out.csv")) == fault)
  }

  @Test func `the lock holds until the new file is in place`() throws {
    folder.make("out.csv", "old")
    let set = OutputSet()
    try set.put("new", at: folder("out.csv"))
    // Another run that opened the temporary file before it was published …
    let late = Foundation.open(folder(left), O_RDWR)
    defer { close(late) }
    #expect(flock(late, LOCK_EX | LOCK_NB) == -1)
    try set.commit()
    // … gets the lock only when the name that it opened is gone.
    #expect(flock(late, LOCK_EX | LOCK_NB) == 0)
    #expect(folder.names == ["out.csv"])
  }

  @Test func `abandoning does not remove the temporary file of another run`() throws {
    let set = OutputSet()
    try set.put("new", at: folder("out.csv"))
    // Somebody tidied up, and another run began.
    unlink(folder(left))
    folder.make(left, "theirs")
    set.abandon()
    #expect(folder.text(left) == "theirs")
  }

  @Test func `many runs at once leave one whole file`() async throws {
    let path = folder("out.csv")
    let published = await withTaskGroup(of: Int.self) { group in
      for run in 0..<8 {
        group.addTask {
          var count = 0
          for round in 0..<50 {
            do {
              let set = OutputSet()
              try set.put(String(repeating: "\(run),\(round)\n", count: 200), at: path)
              try set.commit()
              count += 1
            } catch let error as PipelineError {
              #expect(error.fault == .sink(.locked(path: path)))
            } catch {
              Issue.record(error)
            }
          }
          return count
        }
      }
      return await group.reduce(0, +)
    }
    #expect(published > 0)
    #expect(folder.names == ["out.csv"])
    let lines = try #require(folder.text("out.csv")).split(separator: "\n")
    #expect(lines.count == 200)
    #expect(Set(lines).count == 1)
  }
}
