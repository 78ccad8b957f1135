import Foundation
import Testing

extension EndToEnd {
  /// Whatever the keys of a sample are, the document that is made of it can be read, and converts
  /// the sample.
  @Suite struct StrangeKeyTests {
    private static let words = [
      "null", "Null", "NULL", "~", "true", "false", "yes", "no", "on", "1", "0x1F", "1e3", ".inf",
      "2026-01-05", "- a", "-", "---", "...", "? a", ": a", "a: b", "a:", "#", "a #b", "{a}", "[a]",
      "[]", "[0]", "[1", "a]", "{", "}", "'", "''", "\"", "\\", "a'b\"c", " a", "a ", "  ", "", ".",
      "a.b", "a..b", ".a", "a.", "$", "$.a", "$request", "$a", "a$b", "&a", "*a", "!a", "!!str a",
      "|", ">", "%a", "@a", "`a", ",", "a,b", "<<", "=", "a\nb", "a\tb", "a\r\nb", "\u{85}",
      "\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{202E}a", "\u{200B}", "\u{FFFE}",
      "\u{FFFF}", "\u{E000}", "\u{E0001}", "\u{10FFFF}", "\u{1F3E0}", "\u{0}", "\u{7F}", "e\u{301}",
      "\u{E9}", "days", "key", "column", "date", "DATE", "Date", "a_b", "a b", "A-B", "ъ", "日本",
      "id", "ID", "i\u{307}d", "column_2", "x_start", "x_end",
    ]

    private func quoted(_ text: String) -> String { SmallFeed.quoted(text) }

    private func check(_ json: String, rows: Int, _ name: String = "sample.json") throws -> String {
      let folder = try Scratch()
      let sample = try folder.write(name, json)
      let new = try BuiltProgram.run(["feeds", "--new", sample])
      #expect(new.code == 0 && new.errors == "", "\(new.errors)")
      let document = try folder.write("d.yaml", new.output)
      let check = try BuiltProgram.run(["feeds", "--check", document, sample])
      #expect(check.code == 0 && check.errors == "", "\(check.errors)\n\(new.output)")
      let run = try BuiltProgram.run(["convert", sample, "--feed", document, "--format", "ndjson"])
      #expect(run.code == 0 && run.errors == "", "\(run.errors)")
      #expect(run.output.split(separator: "\n").count == rows)
      return run.output
    }

    private static let day = #""day":"2026-01-05""#

    @Test func `each strange key alone`() throws {
      for word in Self.words {
        let rows = (1...3).map { #"{\#(quoted(word)):"v\#($0)","z":"z\#($0)",\#(Self.day)}"# }
        let output = try check(SmallFeed.list(rows), rows: 3)
        // What can be written is read.
        if ["null", "a: b", "a.b", " a", "", "[1", "-", "'", "\\", "\u{2028}"].contains(word) {
          #expect(output.contains("\"v1\""), "\(word)")
        }
      }
    }

    @Test func `all strange keys together, in rows, around rows and on the way to rows`() throws {
      let members = Self.words.map { "\(quoted($0)):\"v\"" }.joined(separator: ",")
      let row = "{\"own\":\"r\",\(Self.day),\(members)}"
      _ = try check("[\(row),\(row.replacing("\"r\"", with: "\"s\""))]", rows: 2)
      _ = try check("{\(members),\"rows\":[{\"own\":\"r\",\(Self.day)}]}", rows: 1)
      for word in ["null", "a.b", "", " ", "a: b", "{", "1"] {
        _ = try check("{\(quoted(word)):[{\"own\":\"r\",\(Self.day)}]}", rows: 1)
      }
    }

    @Test func `a column of periods keeps its two names for itself`() throws {
      let period = #""x":"01.06.2026-14.06.2026""#
      for other in ["x_start", "x_end", "X-Start"] {
        for members in ["\(quoted(other)):\"v\",\(period)", "\(period),\(quoted(other)):\"v\""] {
          let output = try check("[{\"own\":\"r\",\(members)}]", rows: 1)
          #expect(output.contains("\"v\""), "\(output)")
        }
      }
    }

    @Test func `rows whose keys cannot be written give way to rows whose keys can`() throws {
      let output = try check(
        #"{"z":"1","a":[{"[]":"2026-01-05"},{"[]":"2026-01-06"}],"b":[{"own":"r"}]}"#, rows: 1)
      #expect(output.contains("\"r\""), "\(output)")
    }

    @Test(arguments: ["null.json", "true.json", "1.json", "~.json", "- a.json"])
    func `strange names of the sample`(_ name: String) throws {
      _ = try check("[{\"own\":\"r\",\(Self.day)}]", rows: 1, name)
    }

    @Test func `values that YAML does not allow are shown, not written`() throws {
      let values = ["\u{FFFE}", "\u{FFFF}x", "a\u{1}b", "\u{85}", "\u{2028}"]
      let rows = values.map { "{\"own\":\(quoted($0)),\(Self.day)}" }
      _ = try check(SmallFeed.list(rows), rows: values.count)
    }

    @Test func `long keys are left out, and their number and length do not matter`() throws {
      let long = (0..<60).map { "\"\($0)\(String(repeating: "ж", count: 15_000))\":\"v\"" }
      let members = long.joined(separator: ",")
      let row = "{\"own\":\"r\",\(Self.day),\(members)}"
      let output = try check("[\(row)]", rows: 1)
      #expect(output.utf8.count < 100)
    }

    @Test(arguments: 196...206)
    func `a key is read whole or not at all`(_ length: Int) throws {
      // The limit is in bytes, and may fall inside a letter.
      for letters in ["🏠", "ж", "a"] {
        let key = "a" + String(repeating: letters, count: (length - 1) / letters.utf8.count)
        let output = try check("[{\"own\":\"r\",\(Self.day),\(quoted(key)):\"v1\"}]", rows: 1)
        #expect(output.contains("\"v1\"") == (key.utf8.count <= 200))
      }
    }
  }
}
