import Testing

@testable import SluiceText
@testable import sluice_cli

@Suite struct ConfigDocumentTests {
  private static let sample = """
    # nightly
    output: [a.csv, "b c.ics"]
    where:
      - street=Наличная
      - 'house=15'

    max-age: 3h # a while
    allow-rejects: true

    """

  private func entries(_ text: String) throws(ConfigFault) -> [ConfigDocument.Entry] {
    try ConfigDocument(Array(text.utf8), named: "f").entries
  }

  /// What is wrong with a text, after its line and column.
  private func fault(_ text: String) -> String { fault(Array(text.utf8)) }

  private func fault(_ bytes: [UInt8]) -> String {
    do throws(ConfigFault) {
      _ = try ConfigDocument(bytes, named: "f")
      return "understood"
    } catch {
      let problem =
        if case .yaml(let problem) = error.problem { "\(problem)" } else {
          "\(error.problem)"
        }
      return "\(error.place.line):\(error.place.column) \(problem)"
    }
  }

  @Test func `keys, texts and lists come with their places`() throws {
    let lines = try entries(Self.sample).map { entry in
      let items =
        switch entry.value {
        case .text(let text): [text]
        case .list(let list): list
        case .outputs: [ConfigDocument.Scalar]()
        }
      let values = items.map { "\($0.text)@\($0.place.line):\($0.place.column)" }
      return "\(entry.key.text)@\(entry.key.place.line) " + values.joined(separator: " ")
    }
    #expect(
      lines == [
        "output@2 a.csv@2:10 b c.ics@2:17", "where@3 street=Наличная@4:5 house=15@5:5",
        "max-age@7 3h@7:10", "allow-rejects@8 true@8:16",
      ])
  }

  @Test(arguments: ["", "\n", "# nothing\n", "---\n", "--- # nothing\n...\n", "{}", "\u{FEFF}"])
  func `a file may say nothing`(text: String) throws {
    #expect(try entries(text) == [])
  }

  @Test func `a byte order mark, a directive and CRLF do no harm`() throws {
    let plain = try entries("to: a\nfrom: b\n")
    #expect(try entries("\u{FEFF}to: a\r\nfrom: b\r\n") == plain)
    #expect(try entries("%YAML 1.2\n---\nto: a\n").map(\.key.place.line) == [3])
  }

  @Test func `what is no list of keys and values is refused where it stands`() {
    #expect(fault("- a") == "1:1 notAMapping")
    #expect(fault("\nhello") == "2:1 notAMapping")
    #expect(fault("to: a\n---\nto: b") == "2:1 severalDocuments")
    #expect(fault("to: &x a") == "1:5 alias")
    #expect(fault("to: *x") == "1:5 alias")
    #expect(fault("&x to: a") == "1:1 alias")
    #expect(fault("to: !!str a") == "1:5 tag")
    #expect(fault("!x {to: a}") == "1:1 tag")
    #expect(fault("[a]: b") == "1:1 keyNotText")
    #expect(fault("to: {a: b}") == "1:5 nested(\"to\")")
    #expect(fault("to:\n  a: b") == "2:3 nested(\"to\")")
    #expect(fault("to: [b, [c]]") == "1:9 nestedItem(\"to\")")
    #expect(fault("header:\n  - Cookie: b") == "2:5 nestedItem(\"header\")")
    #expect(fault("to: a\nfrom: b\nto: c") == "3:1 duplicateKey(\"to\", line: 1)")
  }

  @Test func `what is no YAML is refused where it stands`() {
    #expect(fault("to: \"a\nb: c") == "1:5 unclosedQuote")
    #expect(fault("to: a\nfrom b\nlang: c") == #"2:1 syntax("could not find expected \':\'")"#)
    #expect(
      fault("header: Cookie: a")
        == "1:15 syntax(\"mapping values are not allowed in this context\")")
    #expect(fault("to: [a\nfrom: b").hasPrefix("2:5 syntax("))
    #expect(fault("to: @a") == "1:5 syntax(\"found character that cannot start any token\")")
    #expect(fault("\tto: a").hasPrefix("1:1 syntax("))
  }

  @Test func `bytes that are no text are refused where they stand`() {
    #expect(fault(Array("to: é\nй: ".utf8) + [0xFF]) == "2:4 notUTF8")
    #expect(fault([0xFF, 0xFE, 0x61, 0x00]) == "1:1 notUTF8")
    #expect(fault(Array("to: ".utf8) + [0xD0]) == "1:5 notUTF8")
    #expect(fault("to: \u{1}") == "1:5 controlCharacter")
    #expect(fault("to: \"a\\0b\"") == "1:5 controlCharacter")
    #expect(fault("to: |\n  a\n") == "1:5 controlCharacter")
  }

  @Test func `a file cut anywhere, or with any byte changed, is read or refused`() {
    let bytes = Array(Self.sample.utf8)
    for end in bytes.indices { _ = fault(Array(bytes[..<end])) }
    for index in bytes.indices {
      for byte in [0x00, 0x09, 0x0A, 0x22, 0x26, 0x2D, 0x3A, 0x5B, 0x7B, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[index] = byte
        _ = fault(changed)
      }
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(fault("to: " + deep) == "1:8 nestedItem(\"to\")")
  }
}
