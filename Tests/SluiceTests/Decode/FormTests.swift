import Testing

@testable import Sluice

@Suite struct FormTests {
  /// What the first bytes tell.
  private func sniff(_ bytes: [UInt8], isWhole: Bool) -> FormatVerdict {
    bytes.withUnsafeBytes { InputFormat.sniff($0, isWhole: isWhole) }
  }

  private func base64(_ text: String) -> String {
    String(decoding: Base64Samples.encoded(Array(text.utf8)), as: UTF8.self)
  }

  /// Checks what bytes are told to be, and that fewer of them never tell something else.
  private func check(
    _ bytes: [UInt8], _ expected: FormatVerdict, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(sniff(bytes, isWhole: true) == expected, sourceLocation: sourceLocation)
    guard case .form(let form) = expected else { return }
    for count in 0..<bytes.count {
      switch sniff(Array(bytes[..<count]), isWhole: false) {
      case .undecided: break
      case .form(let early) where early == form: break
      case let other:
        Issue.record("\(other) by \(count) bytes", sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: [
    "", "\u{FEFF}", " ", "\r\n\t ", "\u{FEFF}\n ", String(repeating: " ", count: 999),
  ])
  func `JSON is told by its first bracket`(before: String) {
    check(Array((before + "{\"a\":1}").utf8), .form(.object))
    check(Array((before + "[{\"a\":1}]").utf8), .form(.array))
    check(Array((before + "{").utf8), .form(.object))
    check(Array((before + "[").utf8), .form(.array))
  }

  @Test(arguments: [
    "PK\u{3}\u{4}", "PK\u{5}\u{6}", "PK\u{7}\u{8}", "PK00", "PK\u{1}\u{2}", "PK\u{6}\u{6}",
  ])
  func `a ZIP archive is told by its signature`(start: String) {
    check(Array(start.utf8) + [1, 2, 3], .form(.zip))
    check(Array(start.utf8), .form(.zip))
    // Behind anything else it is none.
    #expect(sniff(Array((" " + start).utf8), isWhole: true) == .unknown(nil))
    #expect(sniff(Array(("\u{FEFF}" + start).utf8), isWhole: true) == .unknown(nil))
  }

  @Test func `a cut ZIP archive is one`() {
    for count in 1...3 {
      let bytes = Array("PK\u{3}\u{4}".utf8.prefix(count))
      #expect(sniff(bytes, isWhole: false) == .undecided)
      #expect(sniff(bytes, isWhole: true) == .form(.zip))
    }
    #expect(sniff(Array("PKxx".utf8), isWhole: true) == .unknown(nil))
    #expect(sniff(Array("Pass\n".utf8), isWhole: false) == .unknown(nil))
  }

  @Test(arguments: [
    "PK\u{3}\u{4}abc", "[]", "{\"a\":1}", " [1]", "\n{}", "\r\n[]", "\t[]", "\u{FEFF}[]",
  ])
  func `base64 text is told by what it decodes to`(content: String) {
    let text = base64(content)
    check(Array(text.utf8), .form(.base64))
    check(Array(("\r\n " + text).utf8), .form(.base64))
    check(Array((text.prefix(1) + "\n" + text.dropFirst()).utf8), .form(.base64))
  }

  @Test(arguments: ["<html>", "\u{1F}\u{8B}", "Rar!", "%PDF", "hello", "\u{0}\u{1}", "\"x\""])
  func `base64 text of other things is none`(content: String) {
    #expect(sniff(Array(base64(content).utf8), isWhole: true) == .unknown(nil))
  }

  @Test(arguments: [
    "a,b\n1,2", "street;house", "ID;street", "UEsD;x", "\u{FEFF}№ дома\tлитер\n", "\"a,b\";c",
    "\"a\nb\",c", "sep=;\na;b", "Pass word,x", ";",
  ])
  func `a table is told by a separator in its first line`(text: String) {
    check(Array(text.utf8), .form(.csv))
  }

  @Test(arguments: [
    "Service unavailable", "first line\na,b", "\"a,b\"", "ab\u{0},", "№ 1",
    String(repeating: "№", count: 40_000) + ",",
  ])
  func `other text is no table`(text: String) {
    check(Array(text.utf8), .unknown(nil))
  }

  private static let unknown: [(start: [UInt8], name: String?)] = [
    ([0x1F, 0x8B, 8, 0], "gzip"), (Array("Rar!\u{1A}\u{7}".utf8), "rar"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7z"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz"),
    (Array("BZh91AY".utf8), "bzip2"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
    (Array("%PDF-1.7".utf8), "PDF"), ([0xD0, 0xCF, 0x11, 0xE0], "a Microsoft Office document"),
    (Array("<!DOCTYPE html>".utf8), "HTML"), (Array("<HTML>".utf8), "HTML"),
    (Array("\n\n  <html>".utf8), "HTML"), (Array("\u{FEFF}\n<p>".utf8), "HTML"),
    (Array("<".utf8), "HTML"), (Array("<?xml version='1.0'?>".utf8), "XML"),
    (Array("\u{FEFF} <?XML".utf8), "XML"), (Array("<?php".utf8), "HTML"),
    ([0xFF, 0xFE, 0x7B, 0], "UTF-16 text"), ([0xFE, 0xFF, 0, 0x7B], "UTF-16 text"),
    ([0, 0x5B, 0, 0x5D], "UTF-16 text"), ([0, 0x7B, 0, 0x7D], "UTF-16 text"),
    (Array("hello".utf8), nil), (Array("№".utf8), nil), (Array("\"x\"".utf8), nil),
    (Array("123".utf8), nil), ([0xEF, 0xBB, 0x7B], nil), ([0xBB, 0xBF, 0x7B], nil), ([0], nil),
    (Array("-_".utf8), nil), (Array("W=".utf8), nil), (Array("W".utf8), nil),
  ]

  @Test func `other things are named where they are known`() {
    for (start, name) in Self.unknown { check(start, .unknown(name)) }
  }

  @Test(arguments: ["", " ", "\r\n\t ", "\u{FEFF}", "\u{FEFF} "])
  func `nothing tells nothing`(text: String) {
    check(Array(text.utf8), .unknown(nil))
    #expect(sniff(Array(text.utf8), isWhole: false) == .undecided)
  }

  // MARK: The router

  /// What a router sent on, or threw, at every cut.
  private func route(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation)
    -> Routed
  {
    ChunkCutter.everyCut(of: bytes, splits: 700, sourceLocation: sourceLocation) { cut in
      let box = FakeStages.Box()
      do throws(PipelineError) {
        try ChunkCutter.feed(bytes, cut, to: FakeStages.sniffer(box))
        #expect(box.isFinished)
        return Routed(form: box.form, bytes: box.bytes)
      } catch {
        return Routed(form: box.form, bytes: box.bytes, error: error)
      }
    }
  }

  @Test func `all bytes go the way of their form`() {
    for (text, form) in [
      ("{\"a\":1} ", InputFormat.object), ("\u{FEFF} \n[1]", .array), ("PK\u{3}\u{4}…", .zip),
      ("PK", .zip), (base64("[\"a\"]"), .base64), (" U E sD\r\n" + base64("abc"), .base64),
      (String(repeating: " ", count: 300) + "[1,2,3]", .array),
    ] {
      #expect(route(Array(text.utf8)) == Routed(form: form, bytes: Array(text.utf8)))
    }
  }

  @Test func `the refusal is the same at every cut`() {
    for (start, name) in Self.unknown {
      // Bytes that change nothing about what the start is.
      for length in [0, 59, 64, 200] where length == 0 || start.count > 1 {
        let text = start + [UInt8](repeating: 0x21, count: length)
        let first = text.withUnsafeBytes { InputFormat.start(of: $0) }
        let quote = Array(text[first...].prefix(64))
        #expect(route(text) == Routed(refused: name, quote: quote))
      }
    }
  }

  @Test(.slow) func `a page behind much white space is named and quoted`() {
    for space in [0, 1, 58, 59, 60, 63, 64, 65, 500] {
      for mark: [UInt8] in [[], [0xEF, 0xBB, 0xBF]] {
        for (page, name) in [("<?xml version='1.0'?>", "XML"), ("<html><title>Error", "HTML")] {
          let text = mark + [UInt8](repeating: 0x0A, count: space) + Array(page.utf8)
          #expect(route(text) == Routed(refused: name, quote: Array(page.utf8)))
          let long = text + [UInt8](repeating: 0x78, count: 100)
          let quote = Array((page + String(repeating: "x", count: 100)).utf8.prefix(64))
          #expect(route(long) == Routed(refused: name, quote: quote))
        }
      }
    }
  }

  @Test(.slow, arguments: [-2, -1, 0, 1, 5000])
  func `what tells nothing in 64 KiB is refused`(over: Int) {
    let space = [UInt8](repeating: 0x20, count: InputFormat.reach + over)
    let isInReach = over < 0
    let cuts = [1000, 65_535, 65_536, 65_537, 1 << 20].map { ChunkCutter.Cut.pieces(of: $0) }
    for (text, quote) in [(space + [0x5B], [UInt8]()), ([0x57] + space + [0x31], [0x57])] {
      for cut in cuts {
        let box = FakeStages.Box()
        let error: PipelineError?
        do throws(PipelineError) {
          try ChunkCutter.feed(text, cut, to: FakeStages.sniffer(box))
          error = nil
        } catch let thrown {
          error = thrown
        }
        if quote.isEmpty {
          #expect((error == nil) == isInReach)
          #expect(box.form == (isInReach ? .array : nil))
        } else {
          #expect((error == nil) == (over < -1))
        }
      }
    }
  }

  @Test func `an input of nothing is refused as empty`() {
    let empty = PipelineError(.source(.empty), at: 0)
    for text in ["", " ", "\r\n", "\u{FEFF} "] {
      #expect(route(Array(text.utf8)) == Routed(form: nil, bytes: [], error: empty))
    }
  }

  @Test func `an input's refusal says that it is empty, or quotes it`() throws {
    for (text, expected) in [
      ("", SourceFault.empty), ("\n\n", .empty),
      ("\n<html>", .unknownForm(looksLike: "HTML", start: Array("<html>".utf8))),
      (
        String(repeating: "\n", count: 80) + "<html>",
        .unknownForm(looksLike: "HTML", start: Array("<html>".utf8))
      ),
    ] {
      #expect(throws: PipelineError(.source(expected), at: 0)) {
        try ChunkCutter.feed(
          Array(text.utf8), .pieces(of: 7),
          to: Decoding(into: NoTokens(), options: DecodingOptions(), counters: Counters()).stages)
      }
    }
  }
}

/// What a router did.
private struct Routed: Equatable {
  var form: InputFormat?
  var bytes: [UInt8]
  var error: PipelineError?

  init(form: InputFormat?, bytes: [UInt8], error: PipelineError? = nil) {
    self.form = form
    self.bytes = bytes
    self.error = error
  }

  /// A refusal.
  init(refused name: String?, quote: [UInt8]) {
    self.init(
      form: nil, bytes: [],
      error: PipelineError(.source(.unknownForm(looksLike: name, start: quote)), at: 0))
  }
}

/// Notes the form and the bytes that a sniffer sends on.
private struct FakeStages: ByteStage, ~Copyable {
  final class Box {
    var form: InputFormat?
    var bytes: [UInt8] = []
    var isFinished = false
  }

  let box: Box

  static func sniffer(_ box: Box) -> Sniffer {
    Sniffer { form throws(PipelineError) in
      #expect(box.form == nil)
      box.form = form
      return ByteSink(FakeStages(box: box))
    }
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    bytes.withUnsafeBytes { box.bytes.append(contentsOf: $0) }
  }

  consuming func finish() throws(PipelineError) { box.isFinished = true }
}
