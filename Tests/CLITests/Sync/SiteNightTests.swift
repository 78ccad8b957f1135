import Foundation
import Testing

/// A site that is published night after night, also by runs that are killed.
@Suite(.needsProgram)
struct SiteNightTests {
  private let folder: Scratch

  init() throws { folder = try Scratch(in: Scratch.memory) }

  /// Puts a feed of so many houses at the source. `moved` and `gone` are houses.
  private func offer(_ count: Int, moved: Set<Int> = [], gone: Set<Int> = []) throws {
    let records = (1...count).filter { !gone.contains($0) }.map { house in
      SmallFeed.record(
        house: "\"\(house)\"",
        period: moved.contains(house) ? "\"29.06.2020-12.07.2020\"" : "\"22.06.2020-05.07.2020\"")
    }
    try folder.write("feed.json", SmallFeed.list(records))
  }

  private func words(_ more: [String] = []) -> [String] {
    ["sync", folder("feed.json"), "--state", folder("state"), "--today", "2020-07-01"]
      + ["-o", folder("site/")] + more
  }

  /// The contents of all files of the site but those of its status, which are replaced on their
  /// own, by their paths.
  private func files() -> [String: Data] {
    let files = FileManager.default
    return (files.subpaths(atPath: folder("site")) ?? []).reduce(into: [:]) { all, path in
      let isFolder = folder.status("site/\(path)").map { $0.st_mode & S_IFMT == S_IFDIR } ?? true
      if !isFolder, !path.hasPrefix("status."), !path.hasPrefix(".status.") {
        all[path] = files.contents(atPath: folder("site/\(path)"))
      }
    }
  }

  /// Reads a script of the site as a page would.
  private func script(_ name: String) throws -> [String: Any] {
    let text = folder.text("site/\(name).js")
    let start = try #require(text.range(of: "window.sluice.\(name) = "))
    let json = text[start.upperBound...].dropLast(2)
    return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  @Test
  func `the ledger's events are in the calendars, and the page knows what has become of them`()
    throws
  {
    try offer(40)
    try BuiltProgram.run(words()).expectSilence()
    #expect(try script("data")["history"] as? [Int] == [])
    try offer(40, moved: [7], gone: [9])
    for _ in 0..<2 {
      // What it knows of the first night it knows of the second.
      try BuiltProgram.run(words()).expectSilence()
      let data = try script("data")
      let history = try #require(data["history"] as? [[Any]])
      #expect(history.count == 2)
      #expect(history.map { $0[1] as? String } == ["moved", "cancelled"])
      #expect(history[0].dropFirst(2).map { $0 as? Int } == [18442, 18455, 18435, 18448])
      #expect(history[1].dropFirst(2).map { $0 as? Int } == [18435, 18448, nil, nil])
      let places = try #require(data["places"] as? [[Any]])
      #expect(places.count == 40 && (data["events"] as? [Any])?.count == 39)
      let place = try #require(history[1][0] as? Int)
      let calendar = folder.text("site/house/\(places[place][0]).ics")
      #expect(calendar.contains("STATUS:CANCELLED") && calendar.contains("SEQUENCE:1"))
    }
  }

  @Test func `an unchanged feed writes the status only`() throws {
    try offer(5)
    try BuiltProgram.run(words()).expectSilence()
    let (inode, before) = (folder.status("site")?.st_ino, files())
    let status = folder.status("site/status.js")?.st_ino
    sleep(1)
    try BuiltProgram.run(words()).expectSilence()
    #expect(folder.status("site")?.st_ino == inode && files() == before)
    #expect(folder.status("site/status.js")?.st_ino != status)
    #expect(folder.names == ["feed.json", "site", "state"])
  }

  @Test func `after a night that fails, the site says since when, and nothing else changes`() throws
  {
    try offer(5)
    try BuiltProgram.run(words()).expectSilence()
    let good = try script("status")
    #expect(good["records"] as? Int == 5 && good["error"] is NSNull && good["confirmed"] is Int)
    let (inode, before) = (folder.status("site")?.st_ino, files())
    try folder.write("feed.json", "[{\"<b>")
    #expect(try BuiltProgram.run(words()).code == 65)
    let bad = try script("status")
    #expect(bad["confirmed"] as? Int == good["confirmed"] as? Int && bad["rows"] as? Int == 5)
    let error = try #require(bad["error"] as? [String: Any])
    #expect(error["code"] as? String == "json: truncated")
    let text = try #require(error["text"] as? [String: String])
    #expect(text["en"] == "the source has sent data that cannot be read" && text["ru"] != nil)
    // Nothing of the machine may be seen on a page.
    #expect(!folder.text("site/status.json").contains(folder.path))
    #expect(folder.status("site")?.st_ino == inode && files() == before)
    try offer(5)
    try BuiltProgram.run(words()).expectSilence()
    #expect(try script("status")["error"] is NSNull)
  }

  @Test func `a first night that fails makes no site`() throws {
    try folder.write("feed.json", "[")
    #expect(try BuiltProgram.run(words()).code == 65)
    #expect(folder.names == ["feed.json", "state"])
  }

  @Test func `what would be refused is refused before the feed is read`() throws {
    _ = try folder.folder("site")
    try folder.write("site/mine.txt", "mine")
    let run = try BuiltProgram.run(words())
    #expect(run.code == 73 && run.errors.contains("mine.txt"))
    #expect(folder.text("site/mine.txt") == "mine" && folder.entries("site") == ["mine.txt"])
  }

  @Test func `a lost ledger is noticed by the calendars that stand, and takes them over`() throws {
    try offer(5)
    try BuiltProgram.run(words()).expectSilence()
    try offer(5, moved: [3])
    try BuiltProgram.run(words()).expectSilence()
    let before = files()
    _ = try BuiltProgram.shell("rm -rf state", in: folder.path)
    let run = try BuiltProgram.run(words())
    #expect(run.code == 75 && run.errors.contains("--accept"), "\(run.errors)")
    #expect(files() == before)
    try BuiltProgram.run(words(["--accept"])).expectSilence()
    let calendars = files().filter { $0.key.hasPrefix("house/") }
    #expect(calendars == before.filter { $0.key.hasPrefix("house/") })
  }

  // MARK: Kills

  /// Checks what a killed run has left, and that the next one makes it good.
  private func expectWhole(_ old: [String: Data], _ new: [String: Data], _ place: String) throws {
    let left = files()
    #expect(left == old || left == new, "\(place): \(left.count) files")
    try BuiltProgram.run(words()).expectSilence()
    #expect(files() == new, "\(place)")
    #expect(folder.names == ["feed.json", "site", "state"], "\(place): \(folder.names)")
  }

  @Test(.slow) func `killed at any moment, 500 houses are one whole site`() throws {
    try offer(500)
    try BuiltProgram.run(words()).expectSilence()
    var old = files()
    #expect(old.keys.count { $0.hasPrefix("house/") } == 500)
    var (killed, round) = (0, 0)
    while killed < 20, round < 300 {
      round += 1
      try offer(500, moved: [round], gone: [500 - round])
      let copy = try Scratch(in: Scratch.memory)
      _ = try BuiltProgram.tool(["cp", "-a", folder("site"), folder("state"), copy.path])
      try BuiltProgram.run(words()).expectSilence()
      let new = files()
      _ = try BuiltProgram.shell(
        "rm -rf site state && cp -a '\(copy("site"))' '\(copy("state"))' .", in: folder.path)
      let child = try BuiltProgram.start([BuiltProgram.path] + words())
      let delay = UInt32.random(in: 0...120_000)
      usleep(delay)
      child.send(SIGKILL)
      if child.wait().signal == SIGKILL { killed += 1 }
      try expectWhole(old, new, "after \(delay) µs")
      old = new
    }
    #expect(killed >= 20, "\(killed) of \(round) runs were killed")
  }

  @Test(
    .slow,
    .enabled(
      if: SystemCalls.canBeTraced, "strace cannot trace: kills at system calls are left out"),
    arguments: [true, false])
  func `killed at the calls that change something, a site is whole`(isNew: Bool) throws {
    if !isNew {
      try offer(6)
      try BuiltProgram.run(words()).expectSilence()
    }
    let old = files()
    try offer(6, moved: [2], gone: [3])
    _ = try BuiltProgram.shell("mkdir saved && cp -a site state saved/; true", in: folder.path)
    let points = try SystemCalls.points(of: words(), in: folder)
    let new = files()
    let kinds = [
      "renameat2", "linkat", "mkdirat", "syncfs", "unlinkat", "openat", "fsync", "fchmod",
    ]
    let chosen = kinds.flatMap { kind in
      let all = points.filter { $0.name == kind }
      return all.count <= 6 ? all : (1...6).map { all[$0 * all.count / 6 - 1] }
    }
    #expect(chosen.count >= 20)
    for point in chosen {
      _ = try BuiltProgram.shell(
        "rm -rf site state .site* && cp -a saved/. . ; true", in: folder.path)
      let run = try SystemCalls.run(words(), point, "signal=SIGKILL")
      #expect(run.signal == SIGKILL, "\(point) was not reached: \(run)")
      let left = files()
      #expect(left == old || left == new, "\(point): \(left.count) files")
      try BuiltProgram.run(words()).expectSilence()
      #expect(files() == new, "\(point)")
      #expect(!folder.entries("site").contains { $0.hasSuffix(".sluice-tmp") }, "\(point)")
      #expect(folder.names == ["feed.json", "saved", "site", "state"], "\(point): \(folder.names)")
    }
  }

  @Test(.slow, arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal removes what is half done`(signal: Int32) throws {
    try offer(3000)
    var ended = 0
    var round = 0
    while ended < 4, round < 100 {
      round += 1
      _ = try BuiltProgram.shell("rm -rf site state", in: folder.path)
      let child = try BuiltProgram.start([BuiltProgram.path] + words())
      usleep(.random(in: 10_000...250_000))
      child.send(signal)
      if child.wait().signal == signal { ended += 1 }
      #expect(Set(folder.names).isSubset(of: ["feed.json", "site", "state"]), "\(folder.names)")
    }
    #expect(ended >= 4)
  }
}
