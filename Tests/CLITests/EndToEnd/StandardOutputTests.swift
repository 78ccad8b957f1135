import Foundation
import Testing

extension EndToEnd {
  /// Standard output and what else is written directly.
  @Suite struct StandardOutputTests {
    private let full = "'\(Samples.full)'"

    @Test func `a reader that goes away ends standard output, and the files are still made`() throws
    {
      let folder = try Scratch()
      let whole = try BuiltProgram.run(["convert", Samples.full, "-o", folder("whole.csv")])
      whole.expectSilence()
      let run = try BuiltProgram.shell(
        "set -o pipefail; sluice convert \(full) -q --format csv -o - -o a.csv -o b.ics | head -2",
        in: folder.path)
      #expect(run.code == 0 && run.errors == "")
      #expect(run.output.split(separator: "\n").count == 2)
      #expect(folder.bytes("a.csv") == folder.bytes("whole.csv"))
      #expect(folder.text("b.ics").hasSuffix("END:VCALENDAR\r\n"))
      let alone = try BuiltProgram.shell("set -o pipefail; sluice convert \(full) | head -1")
      #expect(alone.code == 0 && alone.errors == "")
      #expect(alone.output.hasPrefix("locality,"))
      let gone = try BuiltProgram.shell("set -o pipefail; sluice convert \(full) | true")
      #expect(gone.code == 0 && gone.errors == "")
      #expect(folder.temporaries == [])
    }

    @Test func `broken data is an error even where nobody reads`() throws {
      let folder = try Scratch()
      try folder.write("broken", "[{\"№ дома\":1},")
      let run = try BuiltProgram.shell(
        "set -o pipefail; sluice convert broken -o a.csv -o - | true", in: folder.path)
      #expect(run.code == 65)
      run.expectOneLine("sluice: error: json: ")
      #expect(folder.names == ["broken"])
    }

    @Test func `standard output can stand beside files and is the same`() throws {
      let folder = try Scratch()
      let run = try BuiltProgram.run(
        ["convert", Samples.bonds, "--feed", "bonds", "-o", "-", "-o", folder("a.csv")])
      #expect(run.bytes == folder.bytes("a.csv"))
      let other = try BuiltProgram.run(
        [
          "convert", Samples.bonds, "--feed", "bonds", "--format", "ndjson", "-o", "-", "-o",
          folder("b.csv"), "-o", folder("c.ndjson"),
        ])
      #expect(other.bytes == folder.bytes("c.ndjson"))
      #expect(folder.bytes("b.csv") == run.bytes)
      #expect(other.errors == "" && run.errors == "")
    }

    @Test func `closed standard output is an error where it is wanted, and only there`() throws {
      let folder = try Scratch()
      let wanted = try BuiltProgram.shell(
        "sluice convert \(full) -o - -o a.csv >&-", in: folder.path)
      wanted.expectFailure(74, "sink: ")
      #expect(folder.names == [])
      let unwanted = try BuiltProgram.shell(
        "sluice convert \(full) -o a.csv >&- 2>&- <&-; echo $? > code", in: folder.path)
      #expect(unwanted.output == "" && folder.text("code") == "0\n")
      #expect(folder.text("a.csv").hasPrefix("locality,"))
      let input = try BuiltProgram.shell("sluice convert - -o b.csv <&-", in: folder.path)
      #expect(input.code == 74 || input.code == 66)
      input.expectOneLine("sluice: error: source: ")
      #expect(folder.names == ["a.csv", "code"])
    }

    @Test func `a FIFO and the null device are written directly`() throws {
      let folder = try Scratch()
      let fifo = try folder.pipe("out.csv")
      let reader = try BuiltProgram.start(["cat", fifo])
      let words = ["convert", Samples.bonds, "--feed", "bonds"]
      let run = try BuiltProgram.run(
        words + ["-o", fifo, "-o", "/dev/null", "-o", folder("a.csv"), "--format", "csv"])
      #expect(run.code == 0 && run.errors == "")
      #expect(reader.wait().bytes == folder.bytes("a.csv"))
      #expect((folder.status("out.csv")?.st_mode ?? 0) & S_IFMT == S_IFIFO)
      #expect(folder.names == ["a.csv", "out.csv"])
      // Its reader goes away.
      let hasty = try BuiltProgram.shell(
        "head -c 10 out.csv > ten & sluice convert \(full) -o out.csv -o b.csv; echo $?; wait",
        in: folder.path)
      #expect(hasty.output == "0\n" && hasty.errors == "")
      #expect(folder.text("b.csv").hasSuffix("\n") && folder.bytes("b.csv")?.count ?? 0 > 1_000_000)
    }

    @Test func `nothing is printed by a run that went well`() throws {
      let folder = try Scratch()
      for option in [[], ["-q"], ["--no-progress"], ["--quiet", "--no-progress"]] {
        let words =
          ["convert", Samples.full, "-o", folder("a.csv"), "-o", folder("c.ndjson")] + option
        try BuiltProgram.run(words).expectSilence()
        let kept = ["convert", Samples.hotWater, "--allow-rejects", "-o", folder("b.csv")] + option
        try BuiltProgram.run(kept).expectSilence()
      }
      let verbose = try BuiltProgram.run(["convert", Samples.full, "-o", folder("a.csv"), "-v"])
      #expect(verbose.output == "" && verbose.code == 0)
      #expect(verbose.errors.contains("13200") && verbose.errors.hasPrefix("sluice: "))
      // Errors are never silenced, warnings are.
      let quiet = try BuiltProgram.run(["convert", "/nowhere", "-q"])
      quiet.expectFailure(66, "source: ")
      let rejects = try BuiltProgram.run(["convert", Samples.hotWater, "-q", "-o", folder("b.csv")])
      rejects.expectSilence(code: 3)
    }
  }
}
