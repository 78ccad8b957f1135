import Foundation
import Testing

extension EndToEnd {
  /// The commands beside `convert`, as a person runs them.
  @Suite struct OtherCommandsTests {
    private func output(_ words: [String], _ environment: [String: String] = [:]) throws -> String {
      let run = try BuiltProgram.run(words, environment: environment)
      #expect(run.code == 0 && run.errors == "", "\(words): \(run.errors)")
      #expect(run.output.hasSuffix("\n"))
      return run.output
    }

    @Test func `inspect says what is inside`() throws {
      let feed = try output(["inspect", Samples.hotWater])
      for text in [
        "API envelope > base64 > zip > JSON", "disconnect_teploset.json, 13103 bytes",
        "2020-06-25T18:13:10Z",
        "43 (kept 38, skipped 2, rejected 3), rows 42", "2020-02-29 … 2021-01-03",
        "Период отключения ГВС: 43", "record 41, byte 12243, no-such-day",
      ] {
        #expect(feed.contains(text))
      }
      let bonds = try output(
        ["inspect", Samples.bonds, "--feed", "bonds"], ["LANG": "ru_RU.UTF-8"])
      #expect(bonds.contains("JSON") && bonds.contains("activities[].items[].price: 12"))
    }

    @Test func `inspect of something broken shows what it found, then the error`() throws {
      let folder = try Scratch()
      let data = try Data(contentsOf: URL(fileURLWithPath: Samples.full))
      try folder.write("cut", data.prefix(50_000))
      let run = try BuiltProgram.run(["inspect", folder("cut")])
      #expect(run.code == 65 && run.output.contains("API envelope > base64 > zip"))
      run.expectOneLine("sluice: error: envelope: byte 50000: ")
      let page = try BuiltProgram.run(["inspect", "-"], reading: .bytes(Array("<html>".utf8)))
      page.expectFailure(65, "source: byte 0: ")
      #expect(try BuiltProgram.run(["inspect", folder("none")]).code == 66)
      #expect(try BuiltProgram.shell("sluice inspect '\(Samples.full)' > /dev/full").code == 74)
      // Raw text of a feed is shown escaped.
      let escape = SmallFeed.record(period: "\"\\u001b[2J\"")
      let hostile = try BuiltProgram.run(
        ["inspect", "-"], reading: .bytes(Array("[\(escape),{\"\\u001b\\n\":1}]".utf8)))
      #expect(!hostile.output.contains("\u{1B}") && hostile.code == 0)
    }

    @Test(arguments: [
      (#"{"foo":[{"a":1}]}"#, "envelope: there is no field \"status\""),
      (#"[{"a":1}]"#, "normalize: no record has any of this feed's keys"),
      ("a,b\n1,2\n", "csv: byte 0: the first line has none of this feed's columns"),
    ])
    func `unknown data is said to be read as the default feed, unless one was chosen`(
      data: String, start: String
    ) throws {
      let folder = try Scratch()
      let input = try folder.write("data", data)
      let told = "; it was read as hot-water, the default feed: choose another with --feed NAME"
      for command in ["convert", "inspect"] {
        let run = try BuiltProgram.run([command, input])
        #expect(run.code == 65)
        run.expectOneLine("sluice: error: \(start)")
        #expect(run.errors.contains(told) && run.errors.contains("'sluice feeds --new FILE'"))
        let chosen = try BuiltProgram.run([command, input, "--feed", "hot-water"])
        #expect(chosen.code == 65 && !chosen.errors.contains("the default feed"))
        #expect(chosen.errors.contains("--feed NAME"))
      }
    }

    @Test func `feeds lists what is known, and tells all of one`() throws {
      let documents = Samples.names(in: "Sources/Sluice/Feed/BuiltIn").map {
        $0.replacing(".yaml", with: "")
      }
      let list = try output(["feeds"])
      #expect(
        list.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
          == documents.filter { $0 == "hot-water" } + documents.filter { $0 != "hot-water" })
      let one = try output(["feeds", "hot-water"])
      #expect(one.contains("https://api.gu.spb.ru/") && one.contains("address_id"))
      let wrong = try BuiltProgram.run(["feeds", "hot-wter"])
      wrong.expectFailure(64, "unknown feed \"hot-wter\"")
      #expect(wrong.errors.contains("hot-water"))
    }

    @Test func `help, completions and the man page are whole`() throws {
      for language in ["C", "ru_RU.UTF-8"] {
        let environment = ["LC_ALL": language]
        #expect(try output(["--help"], environment).contains("convert"))
        for command in ["convert", "inspect", "feeds", "completions", "help"] {
          let help = try output([command, "--help"], environment)
          #expect(help.contains("sluice \(command)"))
          #expect(try output(["help", command], environment) == help)
          #expect(!help.contains { $0 == "\t" || $0 == "\u{1B}" })
        }
        #expect(try output(["man"], environment).hasPrefix(".Dd "))
      }
      let convert = try output(["convert", "--help"])
      for option in [
        "--feed", "--format", "--where", "--from", "--to", "--csv-dialect", "--lang", "--alarm",
        "--calendar-name", "--rejects", "--max-rejects", "--allow-rejects", "--entry", "--max-size",
        "--cacert", "--stats", "--no-progress", "-q", "-v",
      ] {
        #expect(convert.contains(option))
      }
      let help = try output(["--help"])
      for code in [0, 3, 64, 65, 66, 69, 73, 74, 75] { #expect(help.contains("\n  \(code) ")) }
      for shell in ["bash", "zsh", "fish"] {
        #expect(try output(["completions", shell]).contains("csv-dialect"))
      }
      let wrong = try BuiltProgram.run(["completions", "csh"])
      #expect(wrong.code == 64)
      #expect(try output(["--version"]).hasPrefix("sluice "))
    }

    @Test(arguments: ["--help", "feeds", "man", "inspect '\(Samples.full)'", "completions bash"])
    func `a closed pipe is no error`(line: String) throws {
      let run = try BuiltProgram.shell("{ sleep 0.1; sluice \(line); echo $? >&2; } | true")
      #expect(run.errors == "0\n")
    }
  }
}
