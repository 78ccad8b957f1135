import CSluice
import Foundation
import Testing

@testable import Sluice

/// A folder that is published as one.
@Suite struct SiteFolderTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Publishes a site of small files; returns what of it was linked.
  @discardableResult
  private func publish(
    _ files: [String: String], streamed: String? = nil, at name: String = "site/"
  ) throws -> Int {
    let set = OutputSet()
    let site = try set.openSite(path: folder(name))
    if let streamed {
      var writer = try set.open("table.csv", in: site)
      try writer.write(streamed)
      try writer.finish()
    }
    for (name, text) in files { try site.write(name, text.utf8Span.span.bytes) }
    try set.commit()
    return site.linked
  }

  private func fault(_ name: String) -> SinkFault? {
    sinkFault { _ = try OutputSet().openSite(path: folder(name)) }
  }

  private func inode(_ name: String) -> UInt { UInt(folder.status(name).st_ino) }

  @Test(arguments: ["site/", "site", "./site//", "empty/"])
  func `a site appears whole, in a new or an empty folder`(_ name: String) throws {
    try folder.makeFolder("empty")
    try publish(
      ["index.html": "<p>", "house/0123456789abcdef.ics": "a"], streamed: "1\n", at: name)
    let site = name.hasPrefix("empty") ? "empty" : "site"
    #expect(folder.text("\(site)/index.html") == "<p>")
    #expect(folder.text("\(site)/house/0123456789abcdef.ics") == "a")
    #expect(folder.text("\(site)/table.csv") == "1\n")
    #expect(Set(folder.names).subtracting(["empty", "site"]) == [])
  }

  @Test func `nothing of it can be seen before the commit, and nothing stays without one`() throws {
    do {
      let set = OutputSet()
      let site = try set.openSite(path: folder("site/"))
      try site.write("a.txt", "a".utf8Span.span.bytes)
      #expect(folder.names == [".site.sluice-new", ".site.sluice-tmp"])
      #expect(folder.mode(".site.sluice-new") == 0o700)
    }
    #expect(folder.names == [])
  }

  @Test func `the same files leave the folder as it is`() throws {
    let files = ["index.html": "<p>", "house/0123456789abcdef.ics": "a"]
    try publish(files, streamed: "1\n")
    let before = (inode("site"), inode("site/index.html"), folder.status("site").st_mtim.tv_nsec)
    #expect(try publish(files, streamed: "1\n") == 3)
    #expect(
      (inode("site"), inode("site/index.html"), folder.status("site").st_mtim.tv_nsec) == before)
  }

  @Test func `what has not changed is a link, and what is gone is gone`() throws {
    try publish(
      ["index.html": "<p>", "house/0123456789abcdef.ics": "a", "house/1123456789abcdef.ics": "b"],
      streamed: "1\n")
    let inodes = (
      inode("site"), inode("site/index.html"), inode("site/house/0123456789abcdef.ics"),
      inode("site/table.csv")
    )
    #expect(
      try publish(
        ["index.html": "<p>", "house/0123456789abcdef.ics": "A"], streamed: "1\n") == 2)
    #expect(inode("site") != inodes.0 && inode("site/house/0123456789abcdef.ics") != inodes.2)
    #expect(inode("site/index.html") == inodes.1 && inode("site/table.csv") == inodes.3)
    #expect(folder.text("site/house/0123456789abcdef.ics") == "A")
    #expect(folder.status("site/index.html").st_nlink == 1)
    #expect(!FileManager.default.fileExists(atPath: folder("site/house/1123456789abcdef.ics")))
    #expect(folder.names == ["site"])
  }

  @Test func `one file less is a change`() throws {
    try publish(["a.txt": "a", "house/0123456789abcdef.ics": "b"])
    try publish(["a.txt": "a"])
    #expect(!FileManager.default.fileExists(atPath: folder("site/house")))
    try publish([:])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("site")) == [".sluice-site"])
  }

  @Test(arguments: [0o755, 0o750, 0o2775] as [mode_t])
  func `rights stay, of the folders and of the files that change`(_ mode: mode_t) throws {
    try publish(["a.txt": "a", "house/0123456789abcdef.ics": "b", "c.txt": "c"])
    #expect(chmod(folder("site"), mode) == 0 && chmod(folder("site/house"), mode) == 0)
    #expect(chmod(folder("site/a.txt"), 0o640) == 0 && chmod(folder("site/c.txt"), 0o604) == 0)
    try publish(["a.txt": "A", "house/0123456789abcdef.ics": "B", "c.txt": "c"])
    #expect(folder.mode("site") == mode && folder.mode("site/house") == mode)
    #expect(folder.mode("site/a.txt") == 0o640 && folder.mode("site/c.txt") == 0o604)
  }

  @Test func `the status of the last run is carried over, and is not a part of the site`() throws {
    try publish(["a.txt": "a"])
    folder.make("site/status.js", "old", mode: 0o640)
    folder.make("site/.status.js.sluice-tmp", "left")
    let inode = inode("site")
    try publish(["a.txt": "a"])
    #expect(self.inode("site") == inode)
    try publish(["a.txt": "A"])
    #expect(folder.text("site/status.js") == "old" && folder.mode("site/status.js") == 0o640)
    #expect(!FileManager.default.fileExists(atPath: folder("site/.status.js.sluice-tmp")))
    try publish(["a.txt": "A", "status.js": "own"])
    #expect(folder.text("site/status.js") == "own")
  }

  // MARK: Refusals

  @Test(arguments: ["favicon.ico", ".htaccess", "house", "status.js"])
  func `a folder with other files is refused, and they are named`(_ name: String) throws {
    try folder.makeFolder("site")
    folder.make("site/\(name)", "mine")
    #expect(fault("site/") == .foreignFile(path: folder("site/"), name: name))
    #expect(folder.text("site/\(name)") == "mine" && folder.names == ["site"])
  }

  @Test(arguments: ["favicon.ico", ".htaccess", "house/mine.ics", "house/0123456789ABCDEF.ics"])
  func `a file that somebody has put into a site is refused, and named`(_ name: String) throws {
    try publish(["a.txt": "a", "house/0123456789abcdef.ics": "b"])
    folder.make("site/\(name)", "mine")
    #expect(fault("site/") == .foreignFile(path: folder("site/"), name: name))
    #expect(folder.text("site/\(name)") == "mine" && folder.text("site/a.txt") == "a")
  }

  @Test func `a file, a missing parent, the root and a dangling link are refused`() throws {
    folder.make("file", "")
    folder.link("link", to: "nowhere")
    #expect(fault("file/") == .notAFolder(path: folder("file/")))
    #expect(fault("none/site/") == .folderMissing(path: folder("none")))
    #expect(fault("link/") == .danglingLink(path: folder("link/")))
    #expect(sinkFault { _ = try OutputSet().openSite(path: "/") } == .mountPoint(path: "/"))
    #expect(folder.names == ["file", "link"])
  }

  @Test func `a mount point is refused`() {
    // Mounted everywhere, and beside other folders of its parent.
    #expect(
      sinkFault { _ = try OutputSet().openSite(path: "/proc/") } == .mountPoint(path: "/proc/"))
  }

  @Test func `a link to a folder stays, and the folder is replaced`() throws {
    try folder.makeFolder("real")
    folder.link("site", to: "real")
    try publish(["a.txt": "a"])
    #expect(folder.status("site").st_mode & S_IFMT == S_IFLNK)
    #expect(folder.text("real/a.txt") == "a" && folder.names == ["real", "site"])
  }

  @Test func `another run at the same site is refused`() throws {
    let set = OutputSet()
    let site = try set.openSite(path: folder("site/"))
    #expect(fault("site") == .locked(path: folder("site")))
    withExtendedLifetime(site) { set.abandon() }
    #expect(fault("site/") == nil)
  }

  // MARK: Leftovers

  @Test func `what a killed run has left is removed by the next one, and by a sweep`() throws {
    try publish(["a.txt": "a"])
    for next in ["run", "sweep"] {
      try folder.makeFolder(".site.sluice-new")
      folder.make(".site.sluice-new/.sluice-site", "sluice site 1\n")
      try folder.makeFolder(".site.sluice-new/house")
      folder.make(".site.sluice-new/house/0123456789abcdef.ics", "b")
      if next == "run" { try publish(["a.txt": "b"]) } else { OutputSet.sweep(folder("site/")) }
      #expect(folder.names == ["site"] && folder.text("site/a.txt") == "b")
    }
  }

  @Test func `a folder whose removal is cut short still says that a run has left it`() throws {
    try folder.makeFolder(".site.sluice-new")
    folder.make(".site.sluice-new/.sluice-site", "sluice site 1\n")
    // One level more than a site has: it is not removed.
    for depth in ["1", "1/2", "1/2/3"] { try folder.makeFolder(".site.sluice-new/\(depth)") }
    folder.make(".site.sluice-new/1/2/3/a.txt", "a")
    folder.make(".site.sluice-new/b.txt", "b")
    let parent = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(parent) }
    #expect(cposix_remove_tree(parent, ".site.sluice-new") == -1)
    #expect(folder.text(".site.sluice-new/.sluice-site") == "sluice site 1\n")
    #expect(folder.text(".site.sluice-new/b.txt") == nil)
  }

  @Test func `a folder that no run has left is not removed`() throws {
    try folder.makeFolder(".site.sluice-new")
    folder.make(".site.sluice-new/mine", "mine")
    #expect(fault("site/") == .temporaryInTheWay(path: folder(".site.sluice-new")))
    #expect(folder.text(".site.sluice-new/mine") == "mine")
  }

  @Test func `a folder that another program has put in its place is not replaced`() throws {
    try publish(["a.txt": "a"])
    let set = OutputSet()
    let site = try set.openSite(path: folder("site/"))
    try site.write("a.txt", "A".utf8Span.span.bytes)
    try set.prepare()
    #expect(rename(folder("site"), folder("old")) == 0)
    try folder.makeFolder("site")
    #expect(sinkFault { try set.publish() } == .changed(path: folder("site/")))
    #expect(folder.names == ["old", "site"] && folder.text("old/a.txt") == "a")
  }

  @Test func `files and sites are published together, or none of them`() throws {
    try publish(["a.txt": "a"])
    folder.make("b.csv", "b")
    let set = OutputSet()
    let site = try set.openSite(path: folder("site/"))
    try site.write("a.txt", "A".utf8Span.span.bytes)
    try set.put("B", at: folder("b.csv"))
    try set.prepare()
    #expect(rename(folder("site"), folder("old")) == 0)
    #expect(sinkFault { try set.publish() } == .changed(path: folder("site/")))
    #expect(folder.text("b.csv") == "b" && folder.names == ["b.csv", "old"])
  }
}
