import Testing

@testable import Sluice

/// Titles that are ordinary sentences.
@Suite struct SentenceTests {
  /// The title of an event of these values; a missing one is empty.
  private func title(_ template: String, _ values: [String]) throws -> String {
    let names = ["a", "b", "c", "d"]
    let columns = names.map { "\($0): \($0)" }.joined(separator: ", ")
    let feed = try OwnFeed.read(
      OwnFeed.document(
        "\(columns), day: {kind: day}", "key: [a]\nevent: {summary: \"\(template)\"}"))
    let json = zip(names, values).map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
    let result = FeedRun(feed: feed)("{\"d\":[{\(json),\"day\":\"2026-01-05\"}]}")
    let line = result.lines.first { $0.hasPrefix("SUMMARY:") } ?? ""
    return String(line.dropFirst(8)).replacing("\\,", with: ",").replacing("\\;", with: ";")
      .replacing("\\n", with: "⏎")
  }

  @Test(arguments: [
    ("A B C", "a at b – c"), ("A B -", "a at b"), ("A - C", "a – c"), ("- B C", "b – c"),
    ("A - -", "a"), ("- B -", "b"), ("- - C", "c"), ("- - -", "own"),
  ])
  func `a separator stands between parts that have a text`(
    _ given: String, _ wanted: String
  ) throws {
    let values = given.split(separator: " ").map { $0 == "-" ? "" : $0.lowercased() }
    #expect(try title("{a} at {b} – {c}", values) == wanted)
  }

  @Test(arguments: [
    ("{a}: {b} °C, {c}", "a,b,", "a: b °C"), ("{a}: {b} °C, {c}", "a,,c", "a, c"),
    ("{a}: {b} °C, {c}", "a,b,c", "a: b °C, c"), ("{a}: {b} km/h, {c}", ",b,", "b km/h"),
    ("{a} ({b})", "a,b", "a (b)"), ("{a} ({b})", "a,", "a"), ("{a} ({b})", ",b", "(b)"),
    ("{a} (in {b} °C), {c}", "a,b,c", "a (in b °C), c"), ("{a} (in {b} °C), {c}", "a,,c", "a, c"),
    ("{a} ({b}, {c})!", "a,b,c", "a (b, c)!"), ("{a} ({b}, {c})!", "a,,c", "a (c)!"),
    ("{a} ({b}, {c})!", "a,b,", "a (b)!"), ("{a} ({b}, {c})!", "a,,", "a!"),
    ("({a}) {b}", "a,b", "(a) b"), ("({a}) {b}", ",b", "b"), ("«{a}» – {b}", "a,b", "«a» – b"),
    ("«{a}» – {b}", ",b", "b"), ("{a}{b}", "a,b", "ab"), ("{a} ", "a", "a"),
    ("{a} in {no. b}, {c}", "a,,c", "a, c"), ("{a} in {no. b}", "a,b", "a in no. b"),
    ("Bus {a} at {b} h", ",b", "Bus b h"), ("Bus {a} at {b} h", "a,", "Bus a h"),
    ("{a} at {b}, {c} {d}", "a,,,d", "a, d"), ("{a} - {b}", "a,b", "a - b"),
    ("{a} - {b}", "a,", "a"), ("{a} :) {b}", "a,b", "a :) b"), ("{a} ({b}", "a,b", "a (b"),
    ("{a}) at {b}", "a,b", "a) at b"), ("{a} [{b}] ({c})", "a,,c", "a (c)"),
    ("{a}/{b}", "a,b", "a/b"), ("{a} at {b}", "x;y,z", "x;y at z"),
  ])
  func `what is around a part goes with it`(
    _ template: String, _ given: String, _ wanted: String
  ) throws {
    let values = given.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    #expect(try title(template, values) == wanted)
  }

  @Test func `clauses mean what they meant`() throws {
    #expect(
      try Template.read("A {b}, {c d} {e} f")
        == Template(
          prefix: "A ",
          clauses: [
            [Template.Part(words: "", column: "b")],
            [Template.Part(words: "c ", column: "d"), Template.Part(words: "", column: "e")],
          ], suffix: " f"))
    #expect(try Template.read("({a})").joints.isEmpty)
    #expect(try title("({a})", [""]) == "()")
  }

  @Test func `a template of many brackets is read in one go`() throws {
    let template = try Template.read(String(repeating: "({a} ", count: 40_000))
    #expect(template.joints.count == 40_000)
  }

  @Test func `every choice of missing parts leaves no space twice and none at the ends`() throws {
    for template in [
      "{a} at {b} – {c} in {d}", "{a}: {b} ({c}), {d}", "{a}{b} | {c} / {d}", "«{a}» ({b} {c}) {d}",
    ] {
      for choice in 0..<16 {
        let values = (0..<4).map { choice & 1 << $0 == 0 ? "" : "v\($0)" }
        let title = try title(template, values)
        #expect(!title.contains("  ") && !title.hasPrefix(" ") && !title.hasSuffix(" "))
        for end in ["–", "at", ":", "|", "/", "in", "(", "«", ","] {
          #expect(!title.hasSuffix(end), "\(template): \(title)")
        }
      }
    }
  }
}
