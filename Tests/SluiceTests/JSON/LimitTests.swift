import Testing

@testable import Sluice

@Suite(.slow) struct LimitTests {
  private func fault(_ fault: JSONFault, at offset: Int) -> PipelineError {
    Tokenizing.fault(fault, at: offset)
  }

  private func repeated(_ text: String, _ count: Int) -> [UInt8] {
    Array(String(repeating: text, count: count).utf8)
  }

  @Test func `512 containers may be open, not 513`() {
    for (open, close, inner) in [("[", "]", "1"), ("{\"a\":", "}", "1"), ("[{\"\":", "}]", "[]")] {
      let each = open.utf8.filter { $0 == 0x5B || $0 == 0x7B }.count
      let fits = (512 - (inner == "[]" ? 1 : 0)) / each
      let deep = repeated(open, fits) + Array(inner.utf8) + repeated(close, fits)
      #expect(Tokenizing.everyCut(deep, splits: 64).error == nil)
    }
    let tooDeep = repeated("[", 513)
    #expect(
      Tokenizing.everyCut(tooDeep, splits: 64).error == fault(.tooDeep(limit: 512), at: 512))
    let objects = repeated("{\"a\":", 512) + Array(" {}".utf8)
    #expect(
      Tokenizing.everyCut(objects, splits: 64).error == fault(.tooDeep(limit: 512), at: 2561))
    // How many there are in all does not matter.
    let wide = Array("[".utf8) + repeated("[[]],", 600) + Array("[]]".utf8)
    #expect(Tokenizing.everyCut(wide, splits: 64).error == nil)
  }

  @Test func `what closes is what was opened, at every depth`() {
    for depth in [1, 2, 63, 64, 65, 127, 128, 129, 511, 512] {
      let isObject = { (level: Int) in (level * 7 + level / 5) % 3 == 0 }
      var text: [UInt8] = []
      for level in 0..<depth { text += Array((isObject(level) ? "{\"\":" : "[").utf8) }
      text += Array("1".utf8)
      var wrong = text
      wrong += Array((isObject(depth - 1) ? "]" : "}").utf8)
      let byte = wrong[wrong.count - 1]
      #expect(Tokenizing.verdict(wrong) == fault(.unexpected(byte), at: text.count))
      for level in (0..<depth).reversed() { text += Array((isObject(level) ? "}" : "]").utf8) }
      #expect(Tokenizing.verdict(text) == nil)
    }
  }

  @Test(arguments: [1, 7, 16, 4093])
  func `a number has 1,000 characters at most`(length: Int) {
    for number in [repeated("1", 1000), Array("-1.5e".utf8) + repeated("9", 995)] {
      for after in ["", "]", " ", ",1]"] {
        let isList = after.hasSuffix("]")
        let before: [UInt8] = isList ? [0x5B] : []
        let cut = ChunkCutter.Cut.pieces(of: length)
        let fine = Tokenizing.tokens(before + number + Array(after.utf8), cut)
        #expect(fine.error == nil)
        #expect(fine.texts.first == number)
        let long = before + number + [0x30] + Array(after.utf8)
        #expect(
          Tokenizing.verdict(long, cut) == fault(.numberTooLong(limit: 1000), at: before.count))
      }
    }
    let long = repeated("1", 1001)
    #expect(
      Tokenizing.everyCut(long, splits: 1001).error == fault(.numberTooLong(limit: 1000), at: 0))
  }

  /// Endings that reach a limit in different ways: the bytes, and what they decode to.
  private static let endings: [(bytes: String, text: String)] = [
    ("", ""), ("a", "a"), ("ж", "ж"), ("aж", "aж"), ("€", "€"), ("😀", "😀"), ("\\n", "\n"),
    ("\\u0416", "Ж"), ("\\ud83d\\ude00", "😀"), ("\\\\", "\\"), ("\\\"", "\""),
  ]

  @Test(arguments: [1, 31, 4096, 65_535, 65_536, 65_537, 1 << 20])
  func `a key has 64 KiB at most`(length: Int) {
    let limit = 64 << 10
    for ending in Self.endings {
      let content = repeated("a", limit - ending.bytes.utf8.count) + Array(ending.bytes.utf8)
      let cut = ChunkCutter.Cut.pieces(of: length)
      let fine = Tokenizing.tokens(
        Array("[{\"".utf8) + content + Array("\":1}]".utf8), cut)
      #expect(fine.error == nil)
      #expect(
        fine.texts.first
          == repeated("a", limit - ending.bytes.utf8.count) + Array(ending.text.utf8))
      for extra in ["a", "\\n"] {
        let long =
          Array("[{\"".utf8) + Array(extra.utf8) + content + Array("\":1}]".utf8)
        #expect(Tokenizing.verdict(long, cut) == fault(.keyTooLong(limit: limit), at: 2))
      }
    }
  }

  @Test(arguments: [4096, 65_537, 32 << 20])
  func `a string has 16 MiB at most`(length: Int) {
    let limit = 16 << 20
    let cut = ChunkCutter.Cut.pieces(of: length)
    let before = Array("[1,\"".utf8)
    let after = Array("\"]".utf8)
    for ending in Self.endings {
      let filler = [UInt8](repeating: 0x61, count: limit - ending.bytes.utf8.count)
      let content = filler + Array(ending.bytes.utf8)
      #expect(Tokenizing.verdict(before + content + after, cut) == nil)
      let long = before + [0x61] + content + after
      #expect(Tokenizing.verdict(long, cut) == fault(.stringTooLong(limit: limit), at: 3))
    }
    // Cut short at the limit it is only cut short.
    let full = before + [UInt8](repeating: 0x61, count: limit)
    #expect(Tokenizing.verdict(full, cut) == fault(.truncated, at: full.count))
    #expect(
      Tokenizing.verdict(full + [0x61], cut) == fault(.stringTooLong(limit: limit), at: 3))
  }

  @Test(arguments: [65_537, 40 << 20])
  func `a string in pieces has no limit`(length: Int) throws {
    let content = [UInt8](repeating: 0x61, count: 20 << 20)
    let text = Array("{\"k\":\"".utf8) + content + Array("\",\"j\":\"".utf8)
    let outcome = Tokenizing.tokens(text + Array("\"}".utf8), .pieces(of: length)) {
      $0.text == [0x6B] ? .pieces : .proceed
    }
    #expect(outcome.error == nil)
    #expect(outcome.texts[1] == content)
    // The next string has one again.
    let long = Tokenizing.tokens(text + content, .pieces(of: length)) {
      $0.text == [0x6B] ? .pieces : .proceed
    }
    #expect(long.error == fault(.stringTooLong(limit: 16 << 20), at: text.count - 1))
  }
}
