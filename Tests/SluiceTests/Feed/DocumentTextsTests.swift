import Testing

@testable import Sluice

/// The wrong forms of the keys that make texts, with their places.
@Suite struct DocumentTextsTests {
  /// What is wrong with a document of one column.
  private func fault(_ column: String) -> String {
    OwnFeed.fault("feed: a\nrows: d[]\ncolumns:\n  x: {\(column)}")
  }

  @Test(arguments: [
    ("first: a", #"4:14 wrongKind(key: Optional("first"), found: .text, wanted: [.list])"#),
    ("first: []", #"4:14 noValue("first")"#),
    ("first: [a, a]", #"4:18 duplicateItem("d[].a")"#),
    ("first: [a, 'd[]']", #"4:18 badPath("d[]", PathFlaw.onTheWay)"#),
    ("first: [a], from: b", #"4:14 keyBeside("first", other: "from")"#),
    ("value: 1, from: b", #"4:14 keyBeside("value", other: "from")"#),
    ("value: 1, first: [b]", #"4:14 keyBeside("value", other: "first")"#),
    ("value: {}", #"4:14 wrongKind(key: Optional("value"), found: .mapping, wanted: [.text])"#),
    ("value: x, kind: integer", #"4:14 badValue("x", key: "value", .integer)"#),
    ("value: 31.2.2026, kind: day", #"4:14 badValue("31.2.2026", key: "value", .day)"#),
    ("value: 1, kind: share, of: y", #"4:14 notForShares("value")"#),
    ("first: [a], kind: share, of: y", #"4:14 notForShares("first")"#),
  ])
  func `the wrong forms of made texts have a place`(_ column: String, _ wanted: String) {
    #expect(fault(column).replacing("Kind.", with: ".").replacing("Wanted.", with: ".") == wanted)
  }
}
