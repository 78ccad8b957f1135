import Foundation
import Testing

extension EndToEnd {
  /// `diff`: what differs between two inputs.
  @Suite struct DiffTests {
    private func record(_ street: String, _ period: String) -> String {
      """
      {"Населенный пункт":"П","Адрес жилого здания":"\(street)","№ дома":"1",\
      "Период отключения ГВС":"\(period)"}
      """
    }

    private func write(_ name: String, _ records: String..., in folder: Scratch) throws {
      try folder.write(name, "[\(records.joined(separator: ","))]")
    }

    private func diff(_ words: String..., in folder: Scratch, input: String = "") throws -> Run {
      try BuiltProgram.run(
        ["diff", "--lang", "en"] + words, reading: .bytes(Array(input.utf8)), in: folder.path)
    }

    /// Two inputs with one change of each kind, one event that stays, and one that is over.
    private func pair() throws -> Scratch {
      let folder = try Scratch()
      try write(
        "2020-06-01.json", record("Стоит", "10.06.2020"), record("Едет", "10.06.2020-12.06.2020"),
        record("Нет", "10.06.2020"), record("Имя", "10.06.2020"), record("Был", "01.06.2020"),
        in: folder)
      try write(
        "2020-06-02.json", record("Нов", "20.06.2020"), record("Стоит", "10.06.2020"),
        record("Едет", "11.06.2020-12.06.2020"), record("ИМЯ", "10.06.2020"), in: folder)
      return folder
    }

    @Test func `changes are shown by their kinds, and the code is 1`() throws {
      let run = try diff("2020-06-01.json", "2020-06-02.json", in: try pair())
      #expect(run.code == 1)
      #expect(
        run.output == """
          new: 1
            П, Нов, house 1: 20 June 2020
          moved: 1
            П, Едет, house 1: 10–12 June 2020 → 11–12 June 2020
          cancelled: 1
            П, Нет, house 1: 10 June 2020
          reworded: 1
            П, ИМЯ, house 1: 10 June 2020; Street "Имя" → "ИМЯ"

          """)
      #expect(run.errors == "")
    }

    @Test func `equal inputs show nothing, and the code is 0`() throws {
      let folder = try pair()
      for words in [["-q"], ["--format", "ndjson"], []] {
        let run = try BuiltProgram.run(
          ["diff", "2020-06-01.json", "2020-06-01.json"] + words, in: folder.path)
        #expect(run.code == 0 && run.output == "" && run.errors == "")
      }
      #expect(try diff("-q", "2020-06-01.json", "2020-06-02.json", in: folder).code == 1)
    }

    @Test func `the list has the form of sync's`() throws {
      let folder = try pair()
      let run = try diff(
        "2020-06-01.json", "2020-06-02.json", "-o", "changes.ndjson", in: folder)
      #expect(run.code == 1 && run.output == "")
      let lines = folder.text("changes.ndjson").split(separator: "\n").map(String.init)
      for name in ["2020-06-01", "2020-06-02"] {
        try folder.write("feed.json", folder.text("\(name).json"))
        _ = try BuiltProgram.run(
          [
            "sync", "feed.json", "-o", "a.ics", "--state", "state", "--today", name, "--changes",
            "kept.ndjson",
          ], in: folder.path)
      }
      let kept = folder.text("kept.ndjson").split(separator: "\n").map(String.init)
      #expect(kept.count == 3)
      #expect(lines.filter { !$0.hasPrefix(#"{"change":"reworded""#) } == kept)
      #expect(lines.count == 4)
    }

    @Test func `what is over by the day of the second input is no difference`() throws {
      let folder = try pair()
      let (a, b) = ("2020-06-01.json", "2020-06-02.json")
      #expect(try diff(a, b, "--today", "2020-06-01", in: folder).output.contains("Был"))
      #expect(try !diff(a, b, "--today", "2020-06-02", in: folder).output.contains("Был"))
      try folder.write("a", folder.text(a))
      try folder.write("b", folder.text(b))
      // The whole input is years ago: the clock says nothing about it.
      let run = try diff("a", "b", "-v", in: folder)
      #expect(run.output.contains("Был") && run.output.contains("moved: 1"))
      #expect(run.errors.contains("nothing counts as past"))
    }

    @Test
    func `one of them may be standard input, and with one input the last good copy is the other`()
      throws
    {
      let folder = try pair()
      let second = folder.text("2020-06-02.json")
      let run = try diff(
        "2020-06-01.json", "-", "--today", "2020-06-02", in: folder, input: second)
      #expect(run.code == 1 && run.output.hasPrefix("new: 1\n"))
      #expect(try diff("-", "-", in: folder).code == 64)
      try folder.write("feed.json", folder.text("2020-06-01.json"))
      #expect(try diff("feed.json", "--state", "state", in: folder).code == 66)
      _ = try BuiltProgram.run(
        ["sync", "feed.json", "-o", "a.csv", "--state", "state", "--today", "2020-06-01"],
        in: folder.path)
      #expect(try diff("feed.json", "--state", "state", in: folder).code == 0)
      try folder.write("feed.json", second)
      let later = try diff(
        "feed.json", "--state", "state", "--today", "2020-06-02", in: folder)
      #expect(later.code == 1 && later.output == run.output)
    }

    @Test func `a rejected record cancels nothing, and equality is then not certain`() throws {
      let folder = try Scratch()
      try write("2020-06-01.json", record("А", "10.06.2020"), record("Б", "10.06.2020"), in: folder)
      try write("2020-06-02.json", record("А", "31.06.2020"), record("Б", "10.06.2020"), in: folder)
      let words = ["diff", "2020-06-01.json", "2020-06-02.json", "--max-rejects", "1"]
      let run = try BuiltProgram.run(words, in: folder.path)
      #expect(run.code == 3 && run.output == "")
      #expect(run.errors.contains("1 record rejected"))
      #expect(try BuiltProgram.run(words + ["--allow-rejects"], in: folder.path).code == 0)
      #expect(try diff("2020-06-01.json", "2020-06-02.json", in: folder).code == 65)
    }

    @Test func `what cannot be compared or written is refused`() throws {
      let folder = try pair()
      let (a, b) = ("2020-06-01.json", "2020-06-02.json")
      #expect(try diff(a, b, b, in: folder).code == 64)
      #expect(try diff(a, "none.json", in: folder).code == 66)
      #expect(try diff(a, b, "--feed", "bonds", in: folder).code == 64)
      for output in ["x.ics", "site/", b] {
        #expect(try diff(a, b, "-o", output, in: folder).code == 64, "\(output)")
      }
      #expect(folder.text(b).hasPrefix("["))
    }
  }
}
