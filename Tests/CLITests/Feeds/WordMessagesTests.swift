import Sluice
import Testing

@testable import SluiceText

/// Mistakes that people make in documents, and what they are told.
@Suite struct WordMessagesTests {
  private func text(_ document: String) -> Text {
    do throws(FeedDocumentFault) {
      _ = try FeedDocument.read(Array("feed: a\nrows: d[]\n\(document)".utf8))
      return .verbatim("")
    } catch {
      return error.text(in: "a")
    }
  }

  private static let columns = "columns: {a: a, d: {kind: day}, t: {kind: time}}\nkey: [a]\n"

  /// Documents after their first two lines, and what is wrong with them.
  private static let mistakes: [(String, String)] = [
    (
      "columns: {a: {cut: x}}",
      #"3:20: "cut" is text, not a set of keys and values; write 'cut: {prefix: "Bin: "}' "#
        + "(its keys: prefix, suffix)"
    ),
    (
      "columns: {a: {map: [x]}}",
      #"3:20: "map" is a list, not a set of keys and values; write "#
        + "'map: {1: paper, 2: bio, else: keep}'"
    ),
    (
      "columns: {a: {kind: instant, zone: [x]}}",
      #"3:36: "zone" is a list, not text or a set of keys and values; write "#
        + "'zone: {from: $.timezone}' (its keys: from)"
    ),
    (
      "\(columns)event: a",
      #"5:8: "event" is text, not a set of keys and values; write "#
        + #"'event: {summary: "{bin}", start: date}'"#
    ),
    (
      "\(columns)event: {summary: x, start: d, geo: a}",
      #"5:36: "geo" is text, not a set of keys and values or a list; write "#
        + "'geo: {lat: latitude, lon: longitude}' (its keys: lat, lon)"
    ),
    (
      "\(columns)event: {summary: x, start: d, for: [2h]}",
      #"5:36: "for" is a list, not text or a set of keys and values; write "#
        + "'for: {minutes: length}' (its keys: days, hours, minutes, seconds)"
    ),
    (
      "columns: {a: a}\nclock: {from: tz}",
      #"4:8: "clock" is a set of keys and values, not text; write one zone for all, or set "#
        + "'zone: {from: $.timezone}' of a column"
    ),
    (
      "columns: {a: a}\nclock: berlin",
      #"4:8: "clock": there is no time zone "berlin"; did you mean Europe/Berlin?"#
    ),
    (
      "columns: {a: a}\nclock: UTC+3",
      #"4:8: "clock": there is no time zone "UTC+3"; write a city's, such as Europe/London, or an "#
        + #"offset, such as "+03:00""#
    ),
    (
      "columns: {a: {kind: day, format: '%d.%m.%Y'}}",
      #"3:34: the format "%d.%m.%Y" is not in the letters of Unicode; did you mean dd.MM.yyyy?"#
    ),
    (
      "columns: {a: {kind: day, format: DD/MM/YYYY}}",
      #"3:34: the format "DD/MM/YYYY" is not in the letters of Unicode; did you mean dd/MM/yyyy?"#
    ),
    (
      "columns: {a: {kind: day, format: d MMM y, names: de-AT}}",
      #"3:50: "names": "de-AT" is not one of the choices; did you mean de?"#
    ),
    (
      "\(columns)where: {not: {a: x}}",
      #"5:9: "where": "not" stands inside of a column; write 'where: {type: {not: …}}'"#
    ),
    (
      "\(columns)where: {d: {'>': 2026-01-01}}",
      #"5:13: unknown key ">" in "d"; did you mean greater?"#
    ),
    (
      "\(columns)event: {title: x, start: d}",
      #"5:9: unknown key "title" in "event"; did you mean summary?"#
    ),
    (
      "columns: {a: 'tags[]'}",
      #"3:14: the path "tags[]" leads to a whole list, and a column has one value; write [*] to "#
        + "join the elements, or [0] for the first"
    ),
    (
      "\(columns)marks: [seen]",
      #"5:8: "marks" need a key that no two rows share; write "#
        + "'key: {columns: [id], unique: true}'"
    ),
    (
      "columns: {a: {from: list[0]}}",
      "3:25: a comma or the closing bracket is missing; write [a, b], and a text with brackets in "
        + #"quotes: "list[0]""#
    ),
  ]

  @Test func `a mistake is told with what is meant`() {
    for (document, wanted) in Self.mistakes { #expect(text(document).en == "a:" + wanted) }
  }

  @Test func `a day that fits the column is no mistake, and a wrong one is told`() {
    #expect(text("\(Self.columns)where: {d: {less: 31.12.2026}, t: 9:30}").en == "")
    #expect(
      text("\(Self.columns)where: {d: 31/12/2026}").en
        == #"a:5:12: "d": "31/12/2026" is not a day; write one such as 2020-06-22"#)
  }
}
