import Glibc
import Testing

@testable import Sluice

/// Several inputs of one run come out as if each had been read alone.
@Suite struct InputSeriesTests {
  private let feed: Feed

  init() throws {
    feed = try OwnFeed.read(
      """
      sluice: 2
      feed: visits
      rows: visits[]
      columns:
        town: {from: $.town}
        date: {kind: day, required: true}
        name: name
        amount: {kind: decimal}
        share: {kind: share, of: amount}
      key: [name]
      event: {calendar: Visits, summary: "{name}", start: date}
      """)
  }

  /// An answer whose town stands after its rows.
  private static func answer(_ town: String, _ names: [String], day: Int) -> Input {
    let rows = names.map { #"{"name":"\#($0)","date":"2026-01-0\#(day)","amount":1}"# }
    return .bytes(Array(#"{"visits":[\#(rows.joined(separator: ","))],"town":"\#(town)"}"#.utf8))
  }

  private let inputs = [
    answer("Lund", ["Anna", "Olof"], day: 1), answer("Ystad", [], day: 2),
    answer("Malmö", ["Anna", "Ebba", "Nils"], day: 3),
  ]

  private func csv(_ inputs: [Input], skips: Bool = false) throws(PipelineError) -> (
    String, Statistics
  ) {
    var conversion = Conversion(of: inputs[0], as: feed)
    conversion.moreInputs = Array(inputs.dropFirst())
    conversion.skipsBrokenInputs = skips
    let path = "/tmp/\(UInt64.random(in: .min ... .max)).csv"
    defer { unlink(path) }
    let statistics = try conversion.write(to: path)
    let box = ByteKeeper.Box()
    var keeper = ByteKeeper(box)
    try DescriptorSource(file: path).run(into: &keeper, counters: Counters())
    return (String(decoding: box.bytes, as: UTF8.self), statistics)
  }

  private func rows(_ text: String) -> [Substring] {
    Array(text.split(separator: "\n").dropFirst())
  }

  @Test func `the rows are those of each input alone, one after the other`() throws {
    var alone: [Substring] = []
    for input in inputs { alone += rows(try csv([input]).0) }
    let (text, statistics) = try csv(inputs)
    #expect(rows(text) == alone)
    #expect(alone.count == 5)
    #expect(alone.last == "Malmö,2026-01-03,Nils,1,33.333")
    #expect(statistics.read == 5)
    #expect(statistics.inputs.map(\.read) == [2, 0, 3])
    #expect(statistics.inputs.map(\.rows) == [2, 0, 3])
    #expect(statistics.inputs.allSatisfy { $0.error == nil })
  }

  @Test func `a broken input ends the run and is named`() throws {
    let broken = Input.file("/nowhere/a.json")
    let error = #expect(throws: PipelineError.self) { _ = try csv([inputs[0], broken]) }
    #expect(error?.input == "/nowhere/a.json")
    #expect(error?.fault == .source(.noFile(path: "/nowhere/a.json")))
  }

  @Test(arguments: [
    #"{"visits":[{"name":"Eva","date":"2026-01-05"},{"name":"#,
    #"{"visits":[{"name":"Eva","date":"2026-01-05","amount":1}]}]"#, "", #"{"other":[]}"#,
    #"{"visits":[{"name":"Eva","date":"never","amount":1},{"date":7},{"date":8}]}"#,
  ])
  func `a broken input that is left out has no part in the outputs`(text: String) throws {
    let broken = Input.bytes(Array(text.utf8))
    let (whole, _) = try csv(inputs)
    for place in 0...inputs.count {
      var mixed = inputs
      mixed.insert(broken, at: place)
      let (text, statistics) = try csv(mixed, skips: true)
      #expect(text == whole)
      #expect(statistics.read == 5)
      #expect(statistics.inputs.indices.filter { statistics.inputs[$0].error != nil } == [place])
      #expect(throws: PipelineError.self) { _ = try csv(mixed) }
    }
  }

  @Test func `if every input is broken, the first one's error is that of the run`() throws {
    let inputs = [Input.file("/nowhere/a.json"), .bytes(Array("{".utf8))]
    let error = #expect(throws: PipelineError.self) { _ = try csv(inputs, skips: true) }
    #expect(error?.input == "/nowhere/a.json")
  }

  @Test func `a condition that one input's records match is not reported as unmatched`() throws {
    func unmatched(_ name: String) throws -> String? {
      var conversion = Conversion(of: inputs[0], as: feed)
      conversion.moreInputs = Array(inputs.dropFirst())
      conversion.conditions = [Condition(column: "name", value: name)]
      conversion.allowsEmpty = true
      return try conversion.run().unmatched?.column
    }
    #expect(try unmatched("Olof") == nil)
    #expect(try unmatched("Nils") == nil)
    #expect(try unmatched("Otto") == "name")
  }

  /// Notes what it is told, and the rows between.
  private final class Notes: InputObserver {
    var lines: [String] = []

    func begin(_ input: InputFacts) { lines.append("begin \(input.name)") }

    func end(_ counts: Statistics.Input) {
      lines.append("end \(counts.rows) \(counts.error == nil ? "read" : "left out")")
    }
  }

  /// Notes the names of rows.
  private struct Names: RecordStage, ~Copyable {
    let notes: Notes

    mutating func take(_ record: borrowing Record, _ fate: RowFate) {
      if case .wanted = fate { notes.lines.append(String(decoding: record.text(2), as: UTF8.self)) }
    }

    consuming func finish() { notes.lines.append("all") }
  }

  @Test(arguments: [1, 4])
  func `an observer is told between the rows where an input begins and ends`(count: Int) throws {
    let all = [inputs[0], .bytes(Array("[".utf8)), inputs[1], inputs[2]]
    var conversion = Conversion(of: all[0], as: feed)
    conversion.moreInputs = Array(all[1..<count])
    conversion.skipsBrokenInputs = true
    let notes = Notes()
    let statistics = try conversion.readInputs(
      into: { _ in Branch(Names(notes: notes)) }, telling: notes)
    #expect(statistics.inputs.count == count)
    let first = ["begin -", "Anna", "Olof", "end 2 read"]
    let others = ["end 0 left out", "begin -", "end 0 read"]
    let last = ["begin -", "Anna", "Ebba", "Nils", "end 3 read"]
    #expect(notes.lines == (count == 1 ? first + ["all"] : first + others + last + ["all"]))
  }

  @Test func `columns tell the input`() throws {
    var feed = feed
    feed.addInputColumns()
    let table = feed.tables[0].reading(
      InputFacts(path: "nights/2026-01-05.json", day: Day(year: 2026, month: 1, day: 5)))
    let columns = table.fields.suffix(2)
    #expect(columns.map(\.columns) == [["input"], ["input_date"]])
    #expect(columns.map(\.made?.constant) == ["nights/2026-01-05.json", "2026-01-05"])
    #expect(InputFacts(path: "a/b.json").text(of: .name) == "b.json")
    #expect(InputFacts(path: "-").text(of: .date) == "")
  }
}

/// The day in the name of an input.
@Suite struct InputDatePatternTests {
  @Test(
    arguments: [
      ("*-{yyyy-MM-dd}.json", "hot-water-2026-01-05.json", "2026-01-05"),
      ("*-{yyyy-MM-dd}.json", "a/b/hot-water-2026-01-05.json", "2026-01-05"),
      ("{yyyyMMdd}*", "20260105T0300.zip", "2026-01-05"),
      ("{yyyyMMdd}/*", "nights/20260105/feed.zip", "2026-01-05"),
      ("*{d.M.y}*", "stand 5.1.2026 neu.json", "2026-01-05"),
      ("*{yyyy-MM-dd}*", "2026-13-01 2026-01-05", "2026-01-05"),
      ("*{yyyy-MM-dd}*", String(repeating: "1", count: 900) + "-2026-01-05", "2026-01-05"),
      ("x-{yyyy-MM-dd}", "2026-01-05", nil), ("{yyyy-MM-dd}", "2026-02-30", nil),
      ("*-{yyyy-MM-dd}", "2026-01-05/a", nil), ("{yyyy-MM-dd}", "", nil),
    ] as [(String, String, String?)])
  func `is where the pattern says`(pattern: String, name: String, day: String?) throws {
    let pattern = try #require(InputDatePattern(pattern))
    #expect(pattern.day(in: name).map { "\($0)" } == day)
  }

  @Test(arguments: ["", "*.json", "{}", "{yyyy}", "{yy-MM-dd}", "{yyyy-MM-dd}{dd}", "}{", "{MMM}"])
  func `a text without a format of a day is no pattern`(text: String) {
    #expect(InputDatePattern(text) == nil)
  }
}
