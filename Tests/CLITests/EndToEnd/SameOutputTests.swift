import Foundation
import Testing

extension EndToEnd {
  /// Two runs on one output.
  @Suite struct SameOutputTests {
    @Test(arguments: ["a.csv", "link.csv", "./a.csv", "there/./a.csv", "there/a.csv"])
    func `the second run is told to try later, and the first is whole`(name: String) throws {
      let old = try OldOutputs(in: try Scratch())
      let folder = old.folder
      try folder.link("link.csv", to: "a.csv")
      try folder.link("there", to: ".")
      let fifo = try folder.pipe("feed")
      let first = try BuiltProgram.start(
        [BuiltProgram.path, "convert", fifo, "--allow-rejects"] + old.options)
      // Opening waits for the reader; its outputs are open before it reads.
      let writer = try BuiltProgram.start(
        ["bash", "-c", "exec 3> '\(fifo)'; echo open; read; cat '\(Samples.hotWater)' >&3"],
        reading: .pipe)
      #expect(writer.firstLine() == "open")
      waitForTemporaries(OldOutputs.names.count, in: folder)
      let second = try BuiltProgram.run(
        ["convert", Samples.full, "-o", "new.ndjson", "-o", name], in: folder.path)
      second.expectFailure(75, "sink: ")
      #expect(folder.bytes("new.ndjson") == nil)
      #expect(folder.bytes("a.csv") == OldOutputs.content("a.csv"))
      writer.closeInput()
      #expect(writer.wait().code == 0)
      first.wait().expectSilence()
      let alone = try BuiltProgram.run(["convert", Samples.hotWater, "--allow-rejects"])
      #expect(folder.bytes("a.csv") == alone.bytes)
      #expect(folder.temporaries == [])
      let third = try BuiltProgram.run([
        "convert", Samples.bonds, "--feed", "bonds", "-o", folder("a.csv"),
      ])
      third.expectSilence()
    }

    private func waitForTemporaries(_ count: Int, in folder: Scratch) {
      for _ in 0..<2000 where folder.temporaries.count < count { usleep(5000) }
      #expect(folder.temporaries.count == count)
    }

    @Test func `many runs at once leave one whole file`() throws {
      let folder = try Scratch()
      let words = [BuiltProgram.path, "convert", "--allow-rejects", "-o", folder("a.csv")]
      let inputs = [Samples.hotWater, Samples.full]
      let whole = try inputs.map {
        try BuiltProgram.run(["convert", $0, "--allow-rejects"]).bytes
      }
      for _ in 0..<5 {
        let children = try (0..<8).map { try BuiltProgram.start(words + [inputs[$0 % 2]]) }
        let runs = children.map { $0.wait() }
        #expect(runs.contains { $0.code == 0 })
        for run in runs where run.code != 0 { run.expectFailure(75, "sink: ") }
        let now = try #require(folder.bytes("a.csv"))
        #expect(whole.contains(now))
        #expect(folder.names == ["a.csv"])
      }
    }
  }
}
