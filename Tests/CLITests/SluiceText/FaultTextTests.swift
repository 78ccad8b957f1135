import Glibc
import Sluice
import Testing

@testable import sluice_cli

@Suite struct FaultTextTests {
  private func isCyrillic(_ character: Character) -> Bool {
    character.unicodeScalars.contains { (0x400..<0x530).contains($0.value) }
  }

  @Test func `every fault has a text in both languages that says what to do`() {
    for (fault, _) in FaultSamples.all("name") {
      let text = fault.text
      #expect(text.en != text.ru, "\(fault)")
      #expect(text.ru.contains(where: isCyrillic), "\(fault)")
      #expect(!text.en.contains(where: isCyrillic), "\(text.en)")
      for line in [text.en, text.ru] {
        let parts = line.split(separator: "; ", omittingEmptySubsequences: false)
        #expect(parts.count == 2 && parts.allSatisfy { !$0.isEmpty }, "\(line)")
        #expect(!line.contains("  ") && !line.contains(" ;") && !line.hasSuffix("."), "\(line)")
      }
    }
  }

  @Test func `a text names the values of its fault`() {
    for (fault, names) in FaultSamples.all("Имя-7f.json") {
      let text = fault.text
      for name in names {
        #expect(text.en.contains(name) && text.ru.contains(name), "\(name): \(text)")
      }
    }
  }

  @Test func `a text is one line and acts on no terminal, whatever is in the data`() {
    // No arguments of the test: these would be shown as they are.
    let names = [
      "a\nb\r\tc", "\u{1B}[2J\u{1B}]0;x\u{7}", "\u{202E}txt\u{2066}\u{200F}",
      "\u{2028}\u{2029}\u{85}", "\u{9B}31m\u{7F}\0", "\u{FEFF}\u{E0041}\u{AD}",
    ]
    for name in names {
      for (fault, _) in FaultSamples.all(name) {
        let text = PipelineError(fault, at: 1, record: 2, field: name).text
        #expect(isSafe(text.en) && isSafe(text.ru), "\(text.en.debugDescription)")
      }
    }
  }

  private func isSafe(_ line: String) -> Bool {
    line.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
  }

  @Test func `a text stays short, however long names and lists are`() {
    let long = String(repeating: "й", count: 5000)
    let many = Array(repeating: long, count: 100)
    let entries = many.map { EntryName(bytes: Array($0.utf8)) }
    let lists: [Fault] = [
      .envelope(.missing(field: long, keys: many)),
      .envelope(.noMatch(field: long, value: long, found: many)),
      .normalize(.noKnownKey(expected: many, keys: many)),
      .unzip(.severalEntries(names: entries)),
    ]
    for fault in FaultSamples.all(long).map(\.fault) + lists {
      let text = fault.text
      #expect(text.en.count < 1300 && text.ru.count < 1300, "\(text.en.count)")
      #expect(text.en.contains("; ") && text.ru.contains("; "))
    }
  }

  @Test func `a foreign form is named with what to do about it`() {
    let html = Array("<!DOCTYPE html>\n<title>403".utf8)
    let text = Fault.source(.unknownForm(looksLike: "HTML", start: html)).text
    #expect(
      text.en == #"this looks like HTML, not JSON, zip or base64: it starts with "#
        + #""<!DOCTYPE html>\n<title>403"; it may be a server's error page: open it in a browser"#)
    let unknown = [
      ("street\nLindenweg\n", "names of two columns at least"), ("street", "'sluice feeds' lists"),
    ]
    for (start, remedy) in unknown {
      let text = Fault.source(.unknownForm(looksLike: nil, start: Array(start.utf8))).text
      #expect(text.en.contains(remedy), "\(text.en)")
    }
    let cyrillic = Fault.source(.unknownForm(looksLike: nil, start: [0xD3, 0xEB, 0xE8, 0x0A])).text
    #expect(
      cyrillic.en.hasSuffix(
        "; if it is a text, convert it first: iconv -f WINDOWS-1251 -t UTF-8 (a guess)"))
    let unguessed = Fault.csv(.notUTF8(likely: nil)).text
    #expect(unguessed.en.hasSuffix("; convert it first: iconv -f ENCODING -t UTF-8"))
    let gzip = Fault.source(.unknownForm(looksLike: "gzip", start: [0x1F, 0x8B, 8, 0])).text
    #expect(gzip.en == "this looks like gzip, not JSON, zip or base64; unpack it first")
    #expect(gzip.ru == "похоже, это gzip, а не JSON, zip или base64; сначала распакуйте")
  }

  @Test func `base64 inside base64 is no contradiction`() {
    let text = Fault.unzip(.notContent(looksLike: "base64", start: [])).text
    #expect(
      text.en == "the base64 text seems to hold base64, not JSON or zip; "
        + "decode it first: base64 -d")
    #expect(
      text.ru == "внутри base64, похоже, base64, а не JSON или zip; "
        + "сначала раскодируйте: base64 -d")
  }

  @Test func `first bytes that end inside a character are text all the same`() {
    let cut = Array("Ошибка".utf8.dropLast())
    #expect(Text.start(cut).ru == "«Ошибк»")
    #expect(Text.start([0xD0, 0x9E, 0x00]).en == "the bytes D0 9E 00")
    #expect(Text.start(Array(repeating: 0xFF, count: 9)).en.hasSuffix("FF FF …"))
  }
}
