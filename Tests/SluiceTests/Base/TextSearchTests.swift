import Testing

@testable import Sluice

@Suite struct TextSearchTests {
  @Test(arguments: [
    ("https://a", "://", 5), ("://", "://", 0), ("a:/", "://", nil), ("", "://", nil),
    ("::///", "://", 1), ("я://", "://", 2), ("a", "", 0), ("", "", 0), ("a://\u{301}", "://", 1),
    ("ключ{table}{table}", "{table}", 8), ("{table", "{table}", nil), ("ё", "е", nil),
  ])
  func `the first place of a text`(_ text: String, _ wanted: String, _ place: Int?) {
    let range = text.firstPlace(of: wanted)
    #expect(range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == place)
    if let range { #expect(Array(text[range].utf8) == Array(wanted.utf8)) }
    #expect(
      (("x" + text + "y").dropFirst().dropLast().firstPlace(of: wanted) != nil) == (place != nil))
  }

  @Test(arguments: [
    ("a.csv", "a.csv"), ("{table}.csv", "posts.csv"), ("{table}/{table}", "posts/posts"),
    ("x{table}{table}", "xpostsposts"), ("{tabl}{table", "{tabl}{table"),
    ("{{table}}", "{posts}"),
  ])
  func `the places of a table's name in a path`(_ path: String, _ named: String) {
    var table = Feed.hotWater.table
    table.name = "posts"
    let destination = Conversion.Destination.file(path)
    #expect(destination.named(by: table) == .file(named))
    #expect(destination.namesTables == (path != named))
  }
}
