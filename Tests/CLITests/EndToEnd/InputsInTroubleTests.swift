import Foundation
import Testing

extension EndToEnd {
  /// Runs over several inputs that end early: killed, or because an input is gone or its archive is
  /// damaged.
  @Suite struct InputsInTroubleTests {
    private static let document =
      "feed: bins\nrows: \"[]\"\ncolumns: {bin: bin, day: {kind: day}}\n"
    private static let night = #"[{"bin":"bio","day":"2026-02-02"}]"#

    private func words(_ inputs: [String], _ output: String) -> [String] {
      ["convert", "--feed", "./bins.yaml", "-o", output, "-q"] + inputs
    }

    @Test func `killed in the middle, the old file stands, and the next run replaces it`() throws {
      let inputs = Array(repeating: Samples.full, count: 8)
      let folder = try Scratch(in: Scratch.memory)
      func words(_ output: String) -> [String] {
        ["convert", "-q", "--allow-rejects", "-o", folder(output)] + inputs
      }
      #expect(try BuiltProgram.run(words("new.csv")).code == 0)
      let new = folder.bytes("new.csv")
      try folder.write("a.csv", "old\n")
      let old = folder.bytes("a.csv")
      var killed = 0
      var round = 0
      while round < 10 || (killed < 4 && round < 200) {
        round += 1
        let child = try BuiltProgram.start(
          [BuiltProgram.path] + words("a.csv") + ["--threads", "\(1 + round % 4)"])
        usleep(UInt32.random(in: 0...200_000))
        child.send(SIGKILL)
        let run = child.wait()
        if run.signal == SIGKILL { killed += 1 }
        let now = folder.bytes("a.csv")
        #expect(now == old || now == new)
        if now == new { try folder.write("a.csv", "old\n") }
      }
      #expect(killed > 3)
      #expect(try BuiltProgram.run(words("a.csv")).code == 0)
      #expect(folder.bytes("a.csv") == new)
      #expect(folder.temporaries == [])
    }

    /// The first input is a pipe, so that the second can vanish after the run has begun.
    @Test(arguments: [false, true])
    func `a file that vanishes during the run stops it, or is left out`(isSkipped: Bool) throws {
      let folder = try Scratch()
      try folder.write("bins.yaml", Self.document)
      try folder.write("2.json", Self.night)
      try folder.write("a.csv", "old\n")
      guard mkfifo(folder("1.json"), 0o644) == 0 else {
        throw SetUpFailure(what: "mkfifo", errno: errno)
      }
      let skip = isSkipped ? ["--on-error", "skip"] : []
      let child = try BuiltProgram.start(
        [BuiltProgram.path] + words(["1.json", "2.json"], "a.csv") + skip, in: folder.path)
      var pipe: Int32 = -1
      for _ in 0..<2000 where pipe < 0 {
        pipe = open(folder("1.json"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if pipe < 0 { usleep(5000) }
      }
      unlink(folder("2.json"))
      let night = Array(Self.night.utf8)
      #expect(write(pipe, night, night.count) == night.count)
      close(pipe)
      let run = child.wait()
      if isSkipped {
        #expect(run.code == 3, "\(run.errors)")
        #expect(folder.text("a.csv") == "bin,day\nbio,2026-02-02\n")
      } else {
        #expect(run.code == 66)
        #expect(run.errors.contains("there is no file \"2.json\""), "\(run.errors)")
        #expect(folder.text("a.csv") == "old\n")
      }
      #expect(folder.temporaries == [])
    }

    @Test func `a list may have thousands of names`() throws {
      let folder = try Scratch()
      try folder.write("bins.yaml", Self.document)
      try folder.write("a\nb.json", Self.night)
      let run = try BuiltProgram.run(
        words(["-0", "--files-from", "-"], "-") + ["--format", "csv"],
        reading: .bytes(Array(String(repeating: "a\nb.json\0", count: 3000).utf8)),
        in: folder.path)
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output.split(separator: "\n").count == 3001)
    }

    @Test func `an archive of many nights from a pipe`() throws {
      let folder = try Scratch()
      try folder.write("bins.yaml", Self.document)
      let zip = try BuiltProgram.tool(
        [
          "python3", "-c",
          """
          import sys, zipfile
          with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
              for night in range(200):
                  archive.writestr(f"nights/{night}.json", sys.argv[2])
              archive.writestr("nights/broken.json", sys.argv[2][:-1])
          """, folder("nights.zip"), Self.night,
        ])
      #expect(zip.code == 0, "\(zip.errors)")
      let archive = try #require(folder.bytes("nights.zip")).array
      func convert(_ more: String...) throws -> Run {
        try BuiltProgram.run(
          words(["-", "--entry", "nights/*.json"], "a.csv") + more, reading: .bytes(archive),
          in: folder.path)
      }
      let stopped = try convert()
      #expect(stopped.code == 65)
      #expect(stopped.errors.contains("-/nights/broken.json: json: byte "), "\(stopped.errors)")
      #expect(folder.bytes("a.csv") == nil)
      #expect(try convert("--on-error", "skip").code == 3)
      #expect(folder.text("a.csv").split(separator: "\n").count == 201)
      let small = try convert("--max-size", "1000")
      #expect(small.code == 65)
      #expect(small.errors.contains("are together larger than 1000 bytes"), "\(small.errors)")
    }
  }
}
