import Foundation
import Testing

@testable import Sluice

/// The bytes of many files that grow at the same time.
@Suite struct FileChainsTests {
  private func content(of file: Int, in chains: borrowing FileChains) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try chains.forEachPiece(of: file) { bytes += Array($0) }
    return bytes
  }

  @Test(arguments: [64, 100, 1000, 5000, 1 << 20])
  func `each file has its bytes in their order, whatever fits into memory`(limit: Int) throws {
    let folder = try ScratchFolder()
    var chains = FileChains(limit: limit, spoolingTo: folder.path)
    var expected = [[UInt8]](repeating: [], count: 50)
    for _ in expected { chains.addFile() }
    var random = SeededGenerator(seed: 7)
    for step in 0..<2000 {
      let file = Int.random(in: 0..<expected.count, using: &random)
      let piece = (0..<Int.random(in: 0...40, using: &random)).map { UInt8(($0 + step) & 0xFF) }
      try piece.withUnsafeBytes { try chains.append($0, to: file) }
      expected[file] += piece
    }
    #expect(chains.isSpooled == (limit < 1 << 20))
    for file in expected.indices {
      #expect(chains.size(of: file) == expected[file].count)
      #expect(try content(of: file, in: chains) == expected[file])
    }
    // The temporary file has no name.
    #expect(folder.names == [])
  }

  @Test func `a piece larger than the memory is kept too`() throws {
    let folder = try ScratchFolder()
    var chains = FileChains(limit: 100, spoolingTo: folder.path)
    chains.addFile()
    chains.addFile()
    let large = [UInt8](repeating: 0x78, count: 300_000)
    for file in [0, 1, 0] { try large.withUnsafeBytes { try chains.append($0, to: file) } }
    #expect(try content(of: 0, in: chains) == large + large)
    #expect(try content(of: 1, in: chains) == large)
  }

  @Test func `a folder that takes no temporary file is an error of the output`() throws {
    var chains = FileChains(limit: 10, spoolingTo: "/proc/nowhere")
    chains.addFile()
    let fault = sinkFault {
      for _ in 0..<3 {
        try Array("xxxxxxxx".utf8).withUnsafeBytes { try chains.append($0, to: 0) }
      }
    }
    guard case .write(path: "/proc/nowhere", _)? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
  }
}

/// Which file goes where.
@Suite struct FileJournalTests {
  @Test func `a journal is read as it was written`() throws {
    var journal = FileJournal()
    journal.changes = [
      .init(number: 0, name: "a.csv"), .init(number: 1, name: "Ломоносов/b\n.csv"),
    ]
    let bytes = Array(journal.encoded.contents)
    let read = try #require(FileJournal(bytes))
    #expect(read.changes.map(\.name) == ["a.csv", "Ломоносов/b\n.csv"])
    #expect(read.changes.map(\.number) == [0, 1])
    #expect(read.changes[1].folder == "Ломоносов" && read.changes[1].file == "b\n.csv")
    #expect(read.changes[0].folder == "" && read.changes[0].file == "a.csv")
    for count in 1..<bytes.count where bytes[count - 1] != 0 {
      #expect(FileJournal(Array(bytes[..<count])) == nil)
    }
  }

  @Test(arguments: ["/etc/passwd", "../x", "a/../../x", "a//b", "", "./a", "a/."])
  func `a journal names no file outside of its folder`(_ name: String) {
    #expect(FileJournal(Array("sluice files 1\u{0}0\u{0}\(name)\u{0}".utf8)) == nil)
  }
}
