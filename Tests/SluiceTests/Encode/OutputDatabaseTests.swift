import Foundation
import Testing

@testable import Sluice

/// Databases are opened by their path. Somebody may put another file there just then.
@Suite struct OutputDatabaseTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func placed(_ name: String) throws -> FileStatus.Place {
    try #require(FileStatus(path: Array(folder(name).utf8CString))).place
  }

  private func open(_ file: PlacedFile, isMerge: Bool) -> SinkFault? {
    sinkFault { _ = try OutputDatabase(file, as: "shown", views: [], isMerge: isMerge) }
  }

  @Test(arguments: [false, true])
  func `a file that was put in the place of ours is not written`(isMerge: Bool) throws {
    folder.make("ours", "")
    try SQLiteDatabase(path: folder("theirs")).run(
      "PRAGMA journal_mode = WAL; CREATE TABLE t(x); INSERT INTO t VALUES(1)")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder("theirs")))
    let file = try #require(
      PlacedFile(path: Array(folder("theirs").utf8CString), place: try placed("ours")))
    #expect(open(file, isMerge: isMerge) == .changed(path: "shown"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("theirs"))) == before)
    #expect(folder.names == ["ours", "theirs"])
  }

  @Test(arguments: [false, true])
  func `a link that was put in the place of ours is not followed`(isMerge: Bool) throws {
    folder.make("ours", "")
    let file = try #require(
      PlacedFile(path: Array(folder("ours").utf8CString), place: try placed("ours")))
    try SQLiteDatabase(path: folder("theirs")).run("CREATE TABLE t(x)")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder("theirs")))
    unlink(folder("ours"))
    folder.link("ours", to: "theirs")
    guard case .database(.open(path: "shown", _), isMerge)? = open(file, isMerge: isMerge) else {
      Issue.record("it was opened, or failed for another reason")
      return
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("theirs"))) == before)
  }

  @Test func `our own file is opened`() throws {
    folder.make("ours", "")
    let file = try #require(
      PlacedFile(path: Array(folder("ours").utf8CString), place: try placed("ours")))
    #expect(open(file, isMerge: false) == nil)
    #expect(open(file, isMerge: true) == nil)
  }
}
