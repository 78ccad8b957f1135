import Sluice
import Testing

@testable import SluiceText
@testable import sluice_cli

/// A fault of a feed's document reads as a person needs it.
@Suite struct FeedMessagesTests {
  private func text(_ document: String) -> Text {
    do throws(FeedDocumentFault) {
      _ = try FeedDocument.read(Array(document.utf8))
      return .verbatim("")
    } catch {
      return error.text(in: "bins.yaml")
    }
  }

  @Test func `the place, what was found, and what is allowed`() {
    let goldens: [(String, String, String)] = [
      (
        "feed: a\nrow: d[]",
        #"bins.yaml:2:1: unknown key "row"; did you mean rows?"#,
        "bins.yaml:2:1: неизвестный ключ «row»; возможно, имелось в виду rows?"
      ),
      (
        "feed: a\nrows: d[]\ncolumns: {a: {kind: dey}}",
        #"bins.yaml:3:21: "kind": "dey" is not one of the choices; did you mean day?"#,
        "bins.yaml:3:21: «kind»: «dey» — такого варианта нет; возможно, имелось в виду day?"
      ),
      (
        "feed: a\nrows: d[]\ncolumns: {a: {kind: Date}}",
        #"bins.yaml:3:21: "kind": "Date" is not one of the choices; did you mean day?"#,
        "bins.yaml:3:21: «kind»: «Date» — такого варианта нет; возможно, имелось в виду day?"
      ),
      (
        "feed: a\nrows: d[]\ncolumns: {a: {kind: [day]}}",
        #"bins.yaml:3:21: "kind" is a list, not text; write one value, in quotes if it begins "#
          + "with a special character",
        "bins.yaml:3:21: «kind» — список, а не текст; напишите одно значение, а если оно "
          + "начинается с особого знака — в кавычках"
      ),
      (
        "feed: a\nrows: d[]\ncolumns: {bin: b, d: {kind: day}}\nkey: [bin]\n"
          + "event: {summary: '{bon}'}",
        #"bins.yaml:5:18: "summary": there is no column "bon"; did you mean bin?"#,
        "bins.yaml:5:18: «summary»: нет столбца «bon»; возможно, имелось в виду bin?"
      ),
      (
        "feed: a\nrows: d[]\ncolumns: {bin: b, d: {kind: day}}\nkey: [bin]\n"
          + "event: {summary: x, color: tomatoe}",
        #"bins.yaml:5:28: "color": "tomatoe" is not the name of a colour; did you mean tomato?"#,
        "bins.yaml:5:28: «color»: «tomatoe» — нет такого названия цвета; "
          + "возможно, имелось в виду tomato?"
      ),
      (
        "feed: a\nrows: d[]\ncolumns: {a: a, p: {kind: share, of: a}}",
        #"bins.yaml:3:38: "of": the column "a" does not fit, it is text; if it has numbers, set "#
          + "kind: decimal there",
        "bins.yaml:3:38: «of»: столбец «a» не подходит, его вид — text; если в нём числа, укажите "
          + "для него kind: decimal"
      ),
      (
        "feed: a\nrows: d[]\ncolumns: {a: a, n: {kind: integer}, p: {kind: share, of: a}}",
        #"bins.yaml:3:58: "of": the column "a" does not fit, it is text; if it has numbers, set "#
          + "kind: decimal there, or choose from: n",
        "bins.yaml:3:58: «of»: столбец «a» не подходит, его вид — text; если в нём числа, укажите "
          + "для него kind: decimal или выберите: n"
      ),
      (
        "feed: a\nrows: d[]\ncolumns: {a: a, p: {kind: share, of: b}}",
        #"bins.yaml:3:38: "of": there is no column "b"; add it, with kind: decimal or integer"#,
        "bins.yaml:3:38: «of»: нет столбца «b»; добавьте его с kind: decimal или integer"
      ),
      (
        "feed: a\nrows: d[]\ncolumns: {a: {kind: period}}\nkey: [b]",
        #"bins.yaml:4:7: "key": there is no column "b"; add a column that fits"#,
        "bins.yaml:4:7: «key»: нет столбца «b»; добавьте подходящий столбец"
      ),
      (
        #" {"city":"B","rows":[{"day":"2026-01-05"}]}"#,
        "bins.yaml:1:1: this is data, not a feed's document; give it as INPUT, or let "
          + "'sluice feeds --new FILE' write a document for it",
        "bins.yaml:1:1: это данные, а не документ набора; укажите их как INPUT, "
          + "а документ для них напишет 'sluice feeds --new FILE'"
      ),
      (
        #"{"feed":"a","row":"d[]"}"#,
        #"bins.yaml:1:13: unknown key "row"; did you mean rows?"#,
        "bins.yaml:1:13: неизвестный ключ «row»; возможно, имелось в виду rows?"
      ),
      (
        "feed: a\nfeed: b",
        #"bins.yaml:2:1: the key "feed" is already in line 1; remove one of the lines"#,
        "bins.yaml:2:1: ключ «feed» уже есть в строке 1; уберите одну из строк"
      ),
    ]
    for (document, en, ru) in goldens {
      #expect(text(document).en == en)
      #expect(text(document).ru == ru)
    }
  }

  @Test func `every fault says what to do, in one line, in two languages`() {
    let documents = [
      "", "- a", "a: &x b", "feed:", "feed: A", "rows: x", "feed: a\nrows: x", "feed: a\nrows: '['",
      "feed: a\nrows: d[]", "feed: a\nrows: d[]\ncolumns: {1: a}",
      "feed: a\nrows: d[]\ncolumns: {a: 'e[].x'}", "feed: a\nrows: d[]\ncolumns: {a: $.d}",
      "feed: a\nrows: d[]\ncolumns: {a: x, b: x.y}", "feed: a\nrows: d[]\ncolumns: {a: {skip: x}}",
      "feed: a\nrows: d[]\ncolumns: {a: {kind: period}, b: {kind: period}}",
      "feed: a\nrows: d[]\ncolumns: {a: {kind: period, columns: [x]}}",
      "feed: a\nrows: d[]\ncolumns: {a: {kind: period}, a_end: x}",
      "feed: a\nrows: d[]\ncolumns: {a: {required: 1}}",
      "feed: a\nrows: d[]\ncolumns: {a: a}\nkey: [b]",
      "feed: a\nrows: d[]\ncolumns: {a: {kind: period}}\nkey: [a]",
      "feed: a\nrows: d[]\ncolumns: {a: a}\nevent: {summary: a}",
      "feed: a\nrows: d[]\ncolumns: {a: a}\nkey: [a]\nevent: {start: a}",
      "feed: a\nrows: d[]\ncolumns: {a: a}\nkey: [a]\nevent: {summary: a}",
      "feed: a\nrows: d[]\ncolumns: {a: a}\nkey: [a]\nevent: {summary: '{'}",
      "feed: a\nrows: d[]\ncolumns: {a: a}\nkey: [a]\nevent: {summary: '{}'}",
      "feed: a\nrows: d[]\ncolumns: {a: a}\nkey: [a]\nevent: {summary: '{a}.'}",
      "url: x", "max-age: x", "clock: 3x", "gap: x", "language: x", "guards: {max-shrink: x}",
      "headers: {a b: c}",
      "headers: {Range: c}", "envelope: {payload: 'a[].b'}",
      "envelope: {payload: 'a', match: {path: b, is: 1}}", "envelope: {payload: a.b, version: c}",
      "summary: {ru: x}", "a: [[[[[[[[[[[[[[1]]]]]]]]]]]]]]",
    ]
    for document in documents {
      // What comes first in the document need not come first in reading it.
      let whole = document.contains("feed") || document.count < 4 || document.hasPrefix("a:")
      let text = text(whole ? document : "feed: a\nrows: d[]\ncolumns: {a: a}\n" + document)
      #expect(text.en.hasPrefix("bins.yaml:"), "\(document)")
      #expect(text.en.contains("; "), "\(text.en)")
      #expect(text.ru.contains("; "), "\(text.ru)")
      #expect(text.en != text.ru && text.en.utf8.allSatisfy { $0 < 0x80 })
      #expect(!text.en.contains("\n") && !text.ru.contains("\n"))
    }
  }

  @Test func `what a document says is escaped in its description`() throws {
    let odd = #"\u202E\u200B\u2066\uFEFF\u2028"#
    let document = """
      feed: a
      summary: {en: "s\(odd)", ru: "s\(odd)"}
      rows: "d\(odd)[]"
      columns: {a: "x\(odd)", d: {kind: period, required: true, skip: "z\(odd)"}}
      key: [a]
      event: {summary: "{a}", calendar: "n\(odd)"}
      """
    let feed = try FeedDocument.read(Array(document.utf8))
    for language in Language.allCases {
      let report = FeedReport.text(of: feed, language)
      let isSafe = report.unicodeScalars.allSatisfy { scalar in
        scalar == "\n"
          || ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
            scalar.properties.generalCategory)
      }
      #expect(isSafe, "\(report.debugDescription)")
      #expect(report.contains("\\u202e\\u200b\\u2066\\ufeff\\u2028"))
    }
  }

  @Test func `secrets that are written out are not shown`() throws {
    let document =
      "feed: a\nheaders: {A: \"$KEY\", B: secret}\nrows: d[]\ncolumns: {a: a}"
    let feed = try FeedDocument.read(Array(document.utf8))
    let report = FeedReport.text(of: feed, .en)
    #expect(report.contains("A: $KEY") && report.contains("B: ***") && !report.contains("secret"))
  }
}
