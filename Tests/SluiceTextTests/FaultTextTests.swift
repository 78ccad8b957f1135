import Glibc
import Sluice
import Testing

@testable import SluiceText
@testable import sluice_cli

@Suite struct FaultTextTests {
  private func isCyrillic(_ character: Character) -> Bool {
    character.unicodeScalars.contains { (0x400..<0x530).contains($0.value) }
  }

  @Test func `every fault has a text in both languages that says what to do`() {
    for text in texts("name") {
      #expect(text.en != text.ru)
      #expect(text.ru.contains(where: isCyrillic), "\(text.en)")
      #expect(!text.en.contains(where: isCyrillic), "\(text.en)")
      for line in [text.en, text.ru] {
        let parts = line.split(separator: "; ", omittingEmptySubsequences: false)
        // A list of places has more of them: its items have commas.
        let isList = line.contains("place") || line.contains("мест")
        #expect(isList ? parts.count >= 2 : parts.count == 2, "\(line)")
        #expect(parts.allSatisfy { !$0.isEmpty }, "\(line)")
        #expect(!line.contains("  ") && !line.contains(" ;") && !line.hasSuffix("."), "\(line)")
      }
    }
  }

  @Test func `a text names the values of its fault`() {
    let name = "Имя-7f.json"
    let faults = FaultSamples.all(name).map { ($0.fault.text, $0.names) }
    let problems = FaultSamples.documents(name).map { ($0.problem.message.text, $0.names) }
    for (text, names) in faults + problems {
      for name in names {
        #expect(text.en.contains(name) && text.ru.contains(name), "\(name): \(text.en)")
      }
    }
  }

  @Test func `every other sentence is in both languages`() {
    let error = PipelineError(.source(.empty))
    let sentences: [Text] = [
      .doubtful(.changed(first: 5, last: 6)), .doubtful(.count(said: 5, came: 6)), .begunAnew(3),
      .notSet(["KEY"], feed: "a"), .lastGoodStands(since: 0, because: error), .pingUnheard(error),
      .noRunYet("/state"), .none, .documentIsRight("a.yaml"), .sameKey(1, 2, ofTable: nil),
      .sameKey(1, 2, ofTable: "stops"), .noRowsInSample([]), .sampleWantsFile,
      Message.tooManyInSample(3, of: 21, table: nil).text,
      Message.tooManyInSample(3, of: 21, table: "stops").text,
      Message.tooManyInAnswer(3, of: 21, .standard).text,
    ]
    for text in sentences {
      #expect(!text.en.isEmpty && !text.en.contains(where: isCyrillic), "\(text.en)")
      #expect(text.ru.contains(where: isCyrillic), "\(text.en)")
      #expect(!(text.en + text.ru).contains("  "), "\(text.en)")
    }
  }

  @Test func `data that was read as the default feed suggests to name its own`() {
    let faults: [Fault] = [
      .normalize(.missing(path: "a", keys: [])), .envelope(.missing(field: "a", keys: [])),
    ]
    for fault in faults {
      let text = PipelineError(fault).text(readAs: "hot-water")
      #expect(text.en.contains("; it was read as hot-water, the default feed: "), "\(text.en)")
      #expect(text.ru.contains("; прочитано как hot-water, набор по умолчанию: "), "\(text.ru)")
    }
    let other = PipelineError(.json(.truncated))
    #expect(other.text(readAs: "hot-water") == other.text)
  }

  private func texts(_ name: String) -> [Text] {
    FaultSamples.all(name).map(\.fault.text)
      + FaultSamples.documents(name).map(\.problem.message.text)
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
      for (problem, _) in FaultSamples.documents(name) {
        let text = problem.message.text
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
      ("street\nLindenweg\n", "a line of at least two column names"),
      ("street", "'sluice feeds' lists"),
    ]
    for (start, remedy) in unknown {
      let text = Fault.source(.unknownForm(looksLike: nil, start: Array(start.utf8))).text
      #expect(text.en.contains(remedy), "\(text.en)")
    }
    let cyrillic = Fault.source(.unknownForm(looksLike: nil, start: [0xD3, 0xEB, 0xE8, 0x0A])).text
    #expect(
      cyrillic.en.hasSuffix(
        "; if it is text, convert it first: iconv -f WINDOWS-1251 -t UTF-8 (a guess)"))
    let unguessed = Fault.csv(.notUTF8(likely: nil)).text
    #expect(unguessed.en.hasSuffix("; convert it first: iconv -f ENCODING -t UTF-8"))
    let gzip = Fault.source(.unknownForm(looksLike: "gzip", start: [0x1F, 0x8B, 8, 0])).text
    #expect(gzip.en == "this looks like gzip, not JSON, zip or base64; unpack it first")
    #expect(gzip.ru == "похоже, это gzip, а не JSON, zip или base64; сначала распакуйте")
  }

  @Test func `base64 inside base64 is no contradiction`() {
    let text = Fault.unzip(.notContent(looksLike: "base64", start: [])).text
    #expect(
      text.en == "the base64 text seems to contain base64, not JSON or zip; "
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
