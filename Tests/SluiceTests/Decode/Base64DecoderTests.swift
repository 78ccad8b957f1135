import Testing

@testable import Sluice

@Suite struct Base64DecoderTests {
  private func decoded(_ text: String, failsAt: Int? = nil) -> Outcome {
    decoded(Array(text.utf8), failsAt: failsAt)
  }

  private func decoded(_ text: [UInt8], failsAt: Int? = nil) -> Outcome {
    ChunkCutter.everyCut(text, failsAt: failsAt) {
      Base64Decoder(into: $0, counters: Counters())
    }
  }

  private func fault(_ fault: Base64Fault, at offset: Int, after output: String = "") -> Outcome {
    Outcome(output: Array(output.utf8), error: PipelineError(.base64(fault), at: offset))
  }

  @Test(arguments: [
    ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
    ("Zm9vYmFy", "foobar"),
  ])
  func `the vectors of RFC 4648 are decoded`(text: String, expected: String) {
    #expect(decoded(text) == Outcome(output: Array(expected.utf8), error: nil))
  }

  @Test func `every value of six bits stands at every place of a group`() {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for place in 0..<4 {
      for (bits, character) in alphabet.enumerated() {
        var group = Array("AAAA".utf8)
        group[place] = character
        let value = bits << (18 - 6 * place)
        let expected = [16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
        let slow = Array(group[..<2]) + Array(" ".utf8) + Array(group[2...])
        for text in [group, slow] {
          let outcome = ChunkCutter.whole(text) { Base64Decoder(into: $0, counters: Counters()) }
          #expect(outcome == Outcome(output: expected, error: nil))
        }
      }
    }
  }

  @Test(arguments: [
    "\r\nZm9v\r\nYmFy\r\n", " Z m 9 v\tY m F y ", "Zm9vY\nmFy", "Zm9\nv\n\n\nYmFy",
  ])
  func `white space may stand anywhere`(text: String) {
    #expect(decoded(text) == Outcome(output: Array("foobar".utf8), error: nil))
  }

  @Test func `white space may stand between and behind padding`() {
    #expect(decoded("Zg=\r\n= \t\r\n").text == "f")
    #expect(decoded("Zm8 =\n").text == "fo")
  }

  @Test(arguments: [
    ("Zm9v-mFy", Base64Fault.urlAlphabet(byte: 0x2D), 4, "foo"),
    ("Zm9vYm_y", .urlAlphabet(byte: 0x5F), 6, "foo"),
    ("Zg==_", .urlAlphabet(byte: 0x5F), 4, "f"),
    ("Zm9v!", .foreign(byte: 0x21), 4, "foo"),
    ("Zm9vYm\u{0}y", .foreign(byte: 0), 6, "foo"),
    ("Zm9vYé==", .foreign(byte: 0xC3), 5, "foo"),
    ("Zm9v\u{B}", .foreign(byte: 0x0B), 4, "foo"),
    ("Zg==<", .foreign(byte: 0x3C), 4, "f"),
  ])
  func `a foreign character is named`(
    text: String, expected: Base64Fault, offset: Int, output: String
  ) {
    #expect(decoded(text) == fault(expected, at: offset, after: output))
  }

  @Test(arguments: [
    ("Zm9vYg", Base64Fault.missingPadding, 6, "foo"),
    ("Zm9vYmE", .missingPadding, 7, "foo"),
    ("Zm9vYg=", .missingPadding, 7, "foob"),
    ("Zm9vYg= \n", .missingPadding, 9, "foob"),
    ("Zm9vY", .truncated, 5, "foo"),
    ("Zm9vY\n", .truncated, 6, "foo"),
    ("=", .earlyPadding, 0, ""),
    ("Zm9vY=", .earlyPadding, 5, "foo"),
    ("Zm9v=", .excessPadding, 4, "foo"),
    ("Zm9v====", .excessPadding, 4, "foo"),
    ("Zm8==", .excessPadding, 4, "fo"),
    ("Zg== =", .excessPadding, 5, "f"),
    ("Zh==", .padBits, 1, ""),
    ("Z h \n==", .padBits, 2, ""),
    ("Zm9=", .padBits, 2, ""),
    ("Zg==Zg==", .dataAfterPadding, 4, "f"),
    ("Zg=v", .dataAfterPadding, 3, "f"),
    ("Zm8= Z", .dataAfterPadding, 5, "fo"),
  ])
  func `wrong padding is an error of its own`(
    text: String, expected: Base64Fault, offset: Int, output: String
  ) {
    #expect(decoded(text) == fault(expected, at: offset, after: output))
  }

  @Test(arguments: ["", " ", "\r\n\t "])
  func `nothing is an error`(text: String) {
    #expect(decoded(text) == fault(.empty, at: text.utf8.count))
  }

  @Test func `long text is decoded at every piece size`() {
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    var text: [UInt8] = []
    for (index, character) in Base64Samples.encoded(content).enumerated() {
      if index > 0 && index % 76 == 0 { text += [0x0D, 0x0A] }
      text.append(character)
    }
    for length in Array(1...31) + [4096, 48 << 10, 65_536, text.count] {
      let box = Collector.Box()
      #expect(throws: Never.self) {
        try ChunkCutter.feed(
          text, inPiecesOf: length,
          to: Base64Decoder(into: Collector(box: box), counters: Counters()))
      }
      #expect(box.bytes == content)
    }
  }

  @Test func `the next stage's error comes first where its byte comes first`() {
    #expect(decoded("Zm9vYmFy!", failsAt: 4).error == Collector.failure)
    #expect(decoded("Zm9vYmFy!", failsAt: 7).error?.fault == .base64(.foreign(byte: 0x21)))
  }

  @Test func `bytes in and out are counted`() throws {
    let counters = Counters()
    let decoder = Base64Decoder(into: Collector(box: .init()), counters: counters)
    try ChunkCutter.feed(Array("Zm9v\nYmE=\n".utf8), inPiecesOf: 3, to: decoder)
    #expect(counters.base64.bytesIn.value == 10)
    #expect(counters.base64.bytesOut.value == 5)
  }
}
