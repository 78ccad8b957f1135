import Foundation
import Testing

@testable import Sluice

@Suite struct FileIdentityTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `two paths of one file are the same`() throws {
    folder.make("a.csv", "")
    folder.link("link.csv", to: "a.csv")
    try folder.makeFolder("sub")
    let file = try #require(FileIdentity(path: folder("a.csv")))
    #expect(FileIdentity(path: folder("link.csv")) == file)
    #expect(FileIdentity(path: folder("sub/../a.csv")) == file)
    let descriptor = open(folder("a.csv"), O_RDONLY)
    defer { close(descriptor) }
    #expect(FileIdentity(descriptor: descriptor) == file)
  }

  @Test func `two paths of a file still to be made are the same`() throws {
    try folder.makeFolder("sub")
    folder.link("link", to: "sub")
    let file = try #require(FileIdentity(path: folder("sub/new.csv")))
    #expect(FileIdentity(path: folder("link/new.csv")) == file)
    #expect(FileIdentity(path: folder("sub/other.csv")) != file)
    #expect(FileIdentity(path: folder("new.csv")) != file)
  }

  @Test func `what may be used twice or cannot be an output has no identity`() {
    folder.link("dangling", to: "nowhere")
    for path in ["/dev/null", folder("none/new.csv"), folder("dangling"), folder("none/"), ""] {
      #expect(FileIdentity(path: path) == nil)
    }
    #expect(FileIdentity(descriptor: -1) == nil)
  }
}
