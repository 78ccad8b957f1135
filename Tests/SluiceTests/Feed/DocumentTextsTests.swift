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
    ("show: no", #"4:13 badValue("no", key: "show", .trueOrFalse)"#),
    ("show: false", "4:3 noShownColumn"),
    ("html: yes", #"4:13 notAChoice("yes", key: "html", choices: ["text"])"#),
    ("case: Upper", #"4:13 notAChoice("Upper", key: "case", choices: ["upper", "lower"])"#),
    (
      "split: ','",
      #"4:14 wrongKind(key: Optional("split"), found: .text, wanted: [.mapping], "#
        + #"keys: ["by", "take"])"#
    ),
    ("trim: true", #"4:13 badValue("true", key: "trim", .characters)"#),
    ("kind: decimal, decimal: ';'", #"4:31 badValue(";", key: "decimal", .decimalSign)"#),
    ("decimal: ','", #"4:16 onlyFor(Field.decimal, key: "decimal")"#),
    ("kind: integer, decimal: ','", #"4:31 onlyFor(Field.decimal, key: "decimal")"#),
    (
      "kind: day, thousands: ','",
      #"4:29 onlyForKinds([Field.decimal, Field.integer], key: "thousands")"#
    ),
    (
      "kind: decimal, thousands: .",
      #"4:33 badValue(".", key: "thousands", .thousandsSign(taken: Optional(".")))"#
    ),
    (
      "kind: integer, thousands: '-'",
      #"4:33 badValue("-", key: "thousands", .thousandsSign(taken: nil))"#
    ),
    ("kind: decimal, value: 1, decimal: ','", #"4:41 keyBeside("decimal", other: "value")"#),
    ("kind: integer, thousands: .", ""), ("kind: decimal, decimal: ., thousands: ' '", ""),
    ("split: {by: x}", #"4:14 missingKey("take", of: Optional("split"))"#),
    ("split: {take: 1}", #"4:14 missingKey("by", of: Optional("split"))"#),
    ("split: {by: x, take: 0}", #"4:28 badValue("0", key: "take", .partNumber)"#),
    ("split: {by: x, take: first}", #"4:28 badValue("first", key: "take", .partNumber)"#),
    ("split: {by: '', take: 1}", #"4:19 noValue("by")"#),
    ("cut: {}", #"4:12 noValue("cut")"#),
    (
      "cut: {start: a}",
      #"4:13 unknownKey("start", of: Optional("cut"), allowed: ["prefix", "suffix"])"#
    ),
    ("trim: [a]", #"4:13 wrongKind(key: Optional("trim"), found: .list, wanted: [.text])"#),
    ("map: {}", #"4:12 noValue("map")"#),
    ("map: [a]", #"4:12 wrongKind(key: Optional("map"), found: .list, wanted: [.mapping])"#),
    ("map: {1: [a]}", #"4:16 wrongKind(key: Optional("1"), found: .list, wanted: [.text])"#),
    ("kind: integer, map: {a: b}", #"4:31 badValue("b", key: "a", .integer)"#),
    ("kind: flag, map: {a: b}", #"4:28 badValue("b", key: "a", .trueOrFalse)"#),
    ("kind: integer, map: {a: 1, else: many}", #"4:40 badValue("many", key: "else", .integer)"#),
    ("value: x, map: {x: y}", #"4:22 keyBeside("map", other: "value")"#),
    ("map: {1: a}, kind: share, of: y", #"4:12 notForShares("map")"#),
    ("first: [a], kind: share, of: y", #"4:14 notForShares("first")"#),
  ])
  func `the wrong forms of made texts have a place`(_ column: String, _ wanted: String) {
    #expect(fault(column).replacing("Kind.", with: ".").replacing("Wanted.", with: ".") == wanted)
  }
}
