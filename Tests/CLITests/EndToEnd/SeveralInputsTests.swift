import Foundation
import Testing

extension EndToEnd {
  /// `convert` with several inputs.
  @Suite struct SeveralInputsTests {
    private static let head = "feed: bins\nrows: \"[]\"\ncolumns: {bin: bin, day: {kind: day}}\n"
    private static let event = "key: [bin]\nevent: {summary: \"{bin}\", start: day}\n"

    /// A folder with a document and three nights of bins.
    private func nights() throws -> Scratch {
      let folder = try Scratch()
      try folder.write("bins.yaml", Self.head + Self.event)
      _ = try folder.folder("nights")
      for (name, bin) in [("1", "paper"), ("2", "bio"), ("3", "glass")] {
        let path = "nights/2026-01-0\(name).json"
        try folder.write(path, #"[{"bin":"\#(bin)","day":"2026-02-0\#(name)"}]"#)
        folder.setTime(path, 1_767_600_000 + (name == "2" ? 86_400 : 0))
      }
      return folder
    }

    private func convert(_ words: String..., in folder: Scratch, input: String = "") throws -> Run {
      try BuiltProgram.run(
        ["convert", "--feed", "./bins.yaml"] + words, reading: .bytes(Array(input.utf8)),
        in: folder.path)
    }

    @Test func `names, a folder and a list give the same`() throws {
      let folder = try nights()
      let names = (1...3).map { "nights/2026-01-0\($0).json" }
      let wanted = "bin,day\npaper,2026-02-01\nbio,2026-02-02\nglass,2026-02-03\n"
      #expect(try convert(names[0], names[1], names[2], in: folder).output == wanted)
      #expect(try convert("nights", in: folder).output == wanted)
      #expect(try convert("nights/", in: folder).output == wanted)
      #expect(try convert("-r", ".", in: folder).code == 65, "a document is no night")
      let list = names.joined(separator: "\n")
      #expect(try convert("--files-from", "-", in: folder, input: list).output == wanted)
      #expect(
        try convert("--files-from", "-", in: folder, input: list + "\r\n").output == wanted)
      let zeros = names.joined(separator: "\0")
      #expect(try convert("-0", "--files-from", "-", in: folder, input: zeros).output == wanted)
      #expect(
        try convert(names[0], "--files-from", "-", in: folder, input: names[1]).output
          == "bin,day\npaper,2026-02-01\nbio,2026-02-02\n")
    }

    @Test func `a pipe in a folder is not waited for`() throws {
      let folder = try nights()
      let names = try convert("nights", in: folder).output
      _ = try folder.pipe("nights/2026-01-02.pipe")
      let run = try convert("nights", in: folder)
      #expect(run.code == 0 && run.output == names)
    }

    @Test func `a name may have a line break`() throws {
      let folder = try nights()
      try folder.write("nights/a\nb.json", #"[{"bin":"metal","day":"2026-02-09"}]"#)
      let run = try convert(
        "-0", "--files-from", "-", "-o", "-", in: folder, input: "nights/a\nb.json\0")
      #expect(run.output == "bin,day\nmetal,2026-02-09\n")
      #expect(try convert("nights", "-o", "all.csv", in: folder).code == 0)
      #expect(folder.text("all.csv").hasSuffix("metal,2026-02-09\n"))
    }

    @Test func `a broken one publishes nothing, or is left out and named`() throws {
      let folder = try nights()
      try folder.write("nights/2026-01-04.json", #"[{"bin":"metal","day":"2026-02-04"},{"#)
      try folder.write("bins.csv", "old\n")
      let stopped = try convert("nights", "-o", "bins.csv", in: folder)
      #expect(stopped.code == 65)
      #expect(stopped.errors.contains("nights/2026-01-04.json: json: byte 37: "))
      #expect(folder.text("bins.csv") == "old\n")
      let skipped = try convert(
        "nights", "-o", "bins.csv", "--on-error", "skip", "--stats", "stats.ndjson", in: folder)
      #expect(skipped.code == 3)
      #expect(skipped.errors.contains("left out: nights/2026-01-04.json: json"))
      #expect(folder.text("bins.csv").split(separator: "\n").count == 4)
      let lines = folder.text("stats.ndjson").split(separator: "\n")
      #expect(lines.count == 5)
      #expect(lines[0].contains("\"read\":3,\"kept\":3,"))
      #expect(lines[0].contains("\"inputs\":4,"))
      #expect(lines[1].hasPrefix("{\"input\":\"nights/2026-01-01.json\",\"bytes\":36,"))
      #expect(lines[1].hasSuffix("\"read\":1,\"kept\":1,\"rejected\":0,\"rows\":1,\"error\":null}"))
      #expect(lines[4].hasSuffix("\"error\":\"json: byte 37: truncated\"}"))
      #expect(folder.temporaries == [])
    }

    @Test func `any number of threads writes the same`() throws {
      let folder = try nights()
      _ = try folder.folder("long")
      for number in 1...7 {
        let rows = (0..<number * 900).map { row in
          #"{"bin":"\#(number).\#(row)","day":"2026-02-09"}"#
        }
        try folder.write("long/\(number).json", "[\(rows.joined(separator: ","))]")
      }
      for feed in ["nights", "long"] {
        let wanted = try convert(feed, "--threads", "1", in: folder)
        #expect(wanted.code == 0 && wanted.output.split(separator: "\n").count > 3)
        for count in ["2", "3", "64"] {
          #expect(try convert(feed, "--threads", count, in: folder).bytes == wanted.bytes)
        }
      }
      #expect(try convert("nights", "--threads", "0", in: folder).code == 64)
      try folder.write("long/5.json", "[{")
      let errors = try ["1", "2", "5"].map { count in
        let run = try convert("long", "-o", "a.csv", "--threads", count, in: folder)
        #expect(run.code == 65 && folder.bytes("a.csv") == nil && folder.temporaries == [])
        return run.errors
      }
      #expect(errors[0].contains("long/5.json: json: byte 2: "))
      #expect(Set(errors).count == 1)
    }

    @Test func `a file that is not there stops the run before it begins, or is left out`() throws {
      let folder = try nights()
      let words = ["nights/2026-01-01.json", "nights/none.json", "nights/2026-01-02.json"]
      let stopped = try BuiltProgram.run(
        ["convert", "--feed", "./bins.yaml", "-o", "a.csv"] + words, in: folder.path)
      #expect(stopped.code == 66)
      #expect(stopped.errors.contains("there is no file \"nights/none.json\""))
      #expect(folder.bytes("a.csv") == nil)
      let skipped = try BuiltProgram.run(
        ["convert", "--feed", "./bins.yaml", "--on-error", "skip"] + words, in: folder.path)
      #expect(skipped.code == 3)
      #expect(skipped.output == "bin,day\npaper,2026-02-01\nbio,2026-02-02\n")
      #expect(skipped.errors.contains("left out: source: there is no file \"nights/none.json\""))
    }

    @Test func `events of several nights are stamped by the latest`() throws {
      let folder = try nights()
      #expect(try convert("nights", "-o", "bins.ics", in: folder).code == 0)
      let stamps = folder.text("bins.ics").split(separator: "\r\n").filter {
        $0.hasPrefix("DTSTAMP:")
      }
      #expect(stamps == Array(repeating: "DTSTAMP:20260106T080000Z", count: 3))
    }

    @Test func `rejects and columns name the input`() throws {
      let folder = try nights()
      try folder.write(
        "nights/2026-01-04.json",
        #"[{"bin":"metal","day":"2026-02-04"},{"bin":"metal","day":"soon"}]"#)
      let run = try convert(
        "nights", "--max-rejects", "100%", "--rejects", "rejects.ndjson", "-o", "a.csv",
        "--with-input", "--input-date", "{yyyy-MM-dd}.json", in: folder)
      #expect(run.code == 3, "\(run.errors)")
      #expect(
        folder.text("rejects.ndjson").hasPrefix(
          "{\"input\":\"nights/2026-01-04.json\",\"record\":2,\"offset\":36,"))
      #expect(folder.text("a.csv").hasPrefix("bin,day,input,input_date\n"))
      #expect(
        folder.text("a.csv").contains("bio,2026-02-02,nights/2026-01-02.json,2026-01-02\n"))
    }

    @Test func `a document's columns may tell the input, of one too`() throws {
      let folder = try nights()
      try folder.write(
        "bins.yaml",
        """
        feed: bins
        rows: "[]"
        columns:
          night: {from: $input.name, cut: {suffix: .json}, kind: day}
          changed: $input.date
          file: $input
          bin: bin

        """)
      #expect(
        try convert("nights/2026-01-02.json", in: folder).output
          == "night,changed,file,bin\n2026-01-02,2026-01-06,nights/2026-01-02.json,bio\n")
    }

    @Test(arguments: [
      (["-", "nights"], "'-' cannot be one of several inputs"),
      (["--files-from", "none"], "there is no file \"none\""),
      (["--files-from", "empty"], "names no file"), (["-0", "nights"], "--files-from LIST"),
      (["void"], "there is no file in \"void\""), (["nights", ""], "INPUT is empty"),
      (["nights", "--input-date", "{dd}"], "has no format of a day"),
      (["nights", "--input-date", "{yyyy}/*"], "has no format of a day"),
      (["nights", "--input-date", "a-{yyyy-MM-dd}*"], "has no day where"),
      (["nights", "--offline"], "--offline is about the last copy of one input"),
      (["nights", "-o", "nights/2026-01-02.json"], "names the input"),
    ])
    func `a wrong command line says what to do`(words: [String], message: String) throws {
      let folder = try nights()
      try folder.write("empty", "\n\n")
      _ = try folder.folder("void")
      let run = try BuiltProgram.run(
        ["convert", "--feed", "./bins.yaml"] + words, in: folder.path)
      #expect(run.code == 64 || run.code == 66, "\(run.errors)")
      #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test func `a place is sought in all inputs`() throws {
      let folder = try Scratch()
      let nights = try (1...2).map { number in
        try folder.write(
          "\(number).json",
          #"[{"Адрес жилого здания":"Садовая","№ дома":"\#(number)","#
            + #""Период отключения ГВС":"1.6.2026"}]"#)
      }
      let run = try BuiltProgram.run(
        ["convert"] + nights + ["--address", "Садовая 2", "--columns", "house,start_date"])
      #expect(run.output == "house,start_date\n2,2026-06-01\n", "\(run.errors)")
      #expect(try BuiltProgram.run(["convert"] + nights + ["--address", "Садовая 3"]).code == 1)
    }
  }
}
