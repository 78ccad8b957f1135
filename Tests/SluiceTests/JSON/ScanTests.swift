import CSluice
import Testing

@testable import Sluice

/// The scanning functions against plain loops, at the very end of readable memory.
@Suite(.slow) struct ScanTests {
  /// Bytes of the kinds that strings are made of, mostly well-formed.
  private func text(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    let isWild = Int.random(in: 0...3, using: &generator) == 0
    while bytes.count < count {
      switch Int.random(in: 0...40, using: &generator) {
      case 0: bytes.append(UInt8.random(in: 0...255, using: &generator))
      case 1 where isWild: bytes += Array("\"\\\n😀ࠀ\u{D7FF}".utf8)
      case 2 where isWild:
        bytes.append(generator.pick([0xC1, 0xC2, 0xD0, 0x80, 0xBF]))
      case 3...16: bytes += [UInt8.random(in: 0xC2...0xDF, using: &generator), 0xB6]
      case 17...22: bytes += [generator.pick([0xE1, 0xE2, 0xEC, 0xEE, 0xEF]), 0x80, 0xBF]
      default: bytes.append(UInt8.random(in: 0x23...0x5B, using: &generator))
      }
    }
    return Array(bytes.prefix(count))
  }

  /// Where the run of plain characters of one to three bytes ends.
  private func plainEnd(_ bytes: [UInt8]) -> Int {
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      if byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5C {
        at += 1
      } else if 0xC2...0xEF ~= byte, byte != 0xE0, byte != 0xED {
        let end = at + (byte < 0xE0 ? 2 : 3)
        guard end <= bytes.count, bytes[at + 1..<end].allSatisfy({ 0x80...0xBF ~= $0 }) else {
          return at
        }
        at = end
      } else {
        return at
      }
    }
    return at
  }

  /// The run ends there; the last 15 bytes, and a character that they cut, may be left over.
  private func isRight(_ found: Int, _ bytes: [UInt8]) -> Bool {
    let end = plainEnd(bytes)
    guard found == end || (found < end && found > bytes.count - 18) else { return false }
    return plainEnd(Array(bytes[..<found])) == found
  }

  @Test(arguments: 0...64)
  func `plain text ends where a plain loop ends it`(count: Int) {
    let fence = Fence()
    var generator = SeededGenerator(seed: UInt64(count))
    for _ in 0..<400 {
      let bytes = text(count, &generator)
      // With room behind, every alignment is met; without, a byte read too much traps.
      for room in [0, Int.random(in: 0...63, using: &generator)] {
        let start = fence.place(bytes, room: room)
        let found = cscan_plain(start, start + count)
        if !isRight(found, bytes) { Issue.record("\(bytes): \(found), not \(plainEnd(bytes))") }
      }
    }
  }

  @Test func `each byte value stops plain text, or does not, at each place of a block`() {
    let fence = Fence()
    for filler: [UInt8] in [[0x61], [0xD0, 0xB6], [0x61, 0xD0, 0xB6], [0xE2, 0x80, 0x94]] {
      for place in 0...34 {
        for byte in UInt8.min...UInt8.max {
          var bytes: [UInt8] = []
          while bytes.count < place { bytes += filler }
          bytes.append(byte)
          while bytes.count < 64 { bytes += filler }
          let start = fence.place(bytes)
          let found = cscan_plain(start, start + bytes.count)
          if !isRight(found, bytes) {
            Issue.record("\(byte) at \(place): \(found), not \(plainEnd(bytes))")
          }
        }
      }
    }
  }

  @Test(arguments: 0...64)
  func `white space ends where a plain loop ends it`(count: Int) {
    let fence = Fence()
    var generator = SeededGenerator(seed: UInt64(1000 + count))
    let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    for round in 0..<200 {
      var bytes = (0..<count).map { _ in generator.pick(spaces) }
      if count > 0, round % 4 > 0 {
        let other = UInt8.random(in: 0...255, using: &generator)
        bytes[Int.random(in: 0..<count, using: &generator)] = other
      }
      let end = bytes.firstIndex { !spaces.contains($0) } ?? count
      for room in [0, round % 64] {
        let start = fence.place(bytes, room: room)
        #expect(cscan_space(start, start + count) == end)
      }
    }
  }

  @Test(arguments: 0...64)
  func `copies stop before the first special byte`(count: Int) {
    let source = Fence()
    let target = Fence()
    var generator = SeededGenerator(seed: UInt64(2000 + count))
    for round in 0..<200 {
      var bytes = (0..<count).map { _ in UInt8.random(in: 0x23...0x2B, using: &generator) }
      if count > 0, round % 4 > 0 {
        let special: [UInt8] = [0x2C, 0x22, 0x0A, 0x0D, 0x5C, 0x00, 0x1F, 0x20, 0x80, 0xFF, 0x7F]
        for _ in 0..<round % 4 {
          bytes[Int.random(in: 0..<count, using: &generator)] =
            generator.pick(special)
        }
      }
      // What lies behind the bytes is special, and must not be counted.
      let behind = [UInt8](repeating: 0x22, count: 16)
      let from = source.place(bytes + behind)
      let to = target.place([UInt8](repeating: 0xAA, count: count), room: 16)
      let quoted = bytes.firstIndex { [0x2C, 0x22, 0x0A, 0x0D].contains($0) } ?? count
      #expect(cscan_copy(to, from, count, 0x2C, 0x22, 0x0A, 0x0D) == quoted)
      #expect((0..<quoted).allSatisfy { to[$0] == bytes[$0] })
      target.place([UInt8](repeating: 0xAA, count: count), room: 16)
      let escaped = bytes.firstIndex { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C } ?? count
      #expect(cscan_copy_json(to, from, count) == escaped)
      #expect((0..<escaped).allSatisfy { to[$0] == bytes[$0] })
    }
  }

  /// Where well-formed text without quote, backslash and controls ends.
  private func textEnd(_ bytes: [UInt8]) -> Int {
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      guard byte >= 0x20, byte != 0x22, byte != 0x5C else { return at }
      let longest = min(4, bytes.count - at)
      guard
        let length = (1...longest).first(where: {
          String(validating: bytes[at..<at + $0], as: UTF8.self) != nil
        })
      else { return at }
      at += length
    }
    return at
  }

  @Test(arguments: 16...64)
  func `text ends where a loop over characters ends it`(count: Int) {
    let fence = Fence()
    var generator = SeededGenerator(seed: UInt64(3000 + count))
    let characters = [
      "a", "ж", "№", "–", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "🏠", "\u{10FFFF}",
    ]
    for round in 0..<400 {
      var bytes: [UInt8] = []
      while bytes.count < count { bytes += Array(generator.pick(characters).utf8) }
      bytes = Array(bytes.prefix(count))
      if round % 2 == 0 {
        bytes[Int.random(in: 0..<count, using: &generator)] = generator.pick(
          [
            0x22, 0x5C, 0x1F, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5,
            0xFF,
          ])
      }
      let start = fence.place(bytes)
      let end = textEnd(bytes)
      for found in [cscan_text(start, start + count), cscan_string(start, start + count)] {
        // The last 15 bytes, and a character that they cut, may be left over.
        let isRight =
          found == end
          || found < end && found > count - 19 && textEnd(Array(bytes[..<found])) == found
        if !isRight { Issue.record("\(bytes): \(found), not \(end)") }
      }
    }
  }

  @Test func `short numbers are known as the grammar has them`() {
    let fence = Fence()
    var generator = SeededGenerator(seed: 12)
    let parts = ["0", "1", "9", "42", "-", ".", "e", "+", "00", "123456789", " ", "]", "a"]
    for _ in 0..<20_000 {
      var text: [UInt8] = []
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        text += Array(generator.pick(parts).utf8)
      }
      var state = NumberState.start
      var end = 0
      while end < text.count, let next = state.after(text[end]) {
        state = next
        end += 1
      }
      let padding = [UInt8](repeating: 0x2C, count: 32 - min(text.count, 32))
      let number = cvalue_number(fence.place(text + padding))
      let found = Int(number.length)
      // What begins like a number with too many zeros is left to a closer look as well.
      let isCut = state == .zero && end < text.count && (0x30...0x39).contains(text[end])
      let isShort = state.mayEnd && !isCut && end <= 30
      let expected = isShort ? end : 0
      let isWhole = !text[..<end].contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") }
      if found > 0 { #expect(number.is_whole == (isWhole ? 1 : 0)) }
      if found != expected { Issue.record("\(String(decoding: text, as: UTF8.self)): \(found)") }
    }
  }

  @Test(arguments: 0...64)
  func `what two texts have in common is found to the byte`(count: Int) {
    let first = Fence()
    let second = Fence()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for place in 0...count {
      var other = bytes
      if place < count { other[place] ^= 0x80 }
      let a = first.place(bytes, room: 31)
      let b = second.place(other, room: 31)
      #expect(cscan_common(a, b, count) == place)
      #expect((cscan_is_equal(a, b, count) != 0) == (place == count))
    }
  }

  /// What is seen of a label in containers of these kinds, if this follows it.
  private func label(_ label: String, _ rest: String, in objects: UInt32) -> cvalue_found_label {
    let fence = Fence()
    let text = Array((label + rest).utf8)
    let padding = [UInt8](repeating: 0x22, count: 64 - min(text.count, 64))
    return withExtendedLifetime(fence) { cvalue_label(fence.place(text + padding), 7, objects) }
  }

  @Test(arguments: [
    (#","id":"#, 0b1, 6), (#", "id": "#, 0b1, 8), (#"{"id":"#, 0b1, 6), (#","a":{"b":"#, 0b1, 10),
    (#","a":["#, 0b1, 6), (#","a":[{"b":"#, 0b1, 11), (#","a":[["#, 0b1, 6),
    (#", "a": {"b": "#, 0b1, 13),
    (#","longer than 16 bytes":"#, 0b1, 24), (#"},"id":"#, 0b11, 7),
    (#","longer than all that is seen at once of a key, by far and away":"#, 0b1, 0),
    (#"]},"id":"#, 0b110, 8), ("\n  },\n  \"id\": ", 0b11, 14), (",\n\t\t\t\t\"id\":", 0b1, 11),
    (",\n                                \"id\":", 0b1, 39), (",", 0b10, 0), ("}", 0b1, 0),
    (",\n                                        \"id\":", 0b1, 0), ("]}", 0b10, 0),
    (",\n                                    \"longer\":{\"id\":", 0b1, 47),
  ])
  func `a label is told by its brackets and keys`(text: String, objects: UInt32, length: Int) {
    let found = label(text, "7", in: objects)
    #expect(found.length == length)
    // Whatever follows is no part of it.
    for rest in [#""x""#, "-1", "null", ",", "}"] {
      #expect(label(text, rest, in: objects).hash == found.hash, "\(rest)")
    }
  }

  @Test func `no more than 64 bytes of a label are read`() {
    // A fence is after them.
    let fence = Fence()
    let space = String(repeating: " ", count: 44)
    let all = [
      "a key of sixteen", "a key of more than sixteen", "a key of more than thirty-two bytes",
    ]
    let brackets = String(repeating: "}", count: 44)
    for label in ["\(brackets),", "{\(space)", ",\n\(space)", "}\(space),\(space)"] {
      for (cut, key) in (0..<label.utf8.count).flatMap({ cut in all.map { (cut, $0) } }) {
        let label = String(label.dropFirst(cut))
        let keys = "\"\(key)\":[{\"\(key)\": 1}]"
        let text = Array((label + keys + space + space).utf8.prefix(64))
        _ = cvalue_label(fence.place(text), 7, .max)
        _ = cvalue_label(fence.place(text), 7, 1)
      }
    }
  }

  @Test func `labels with other keys have other numbers`() {
    let keys = ["id", "ie", "i", "", "name", "eman", "temperature_2m", "temperature_3m"]
    let others = [#","a":{"b":"#, #","a":{"c":"#, #","a":"#, #"},"a":"#, #"]},"a":"#, #"}"#]
    let labels = keys.map { ",\"\($0)\":" } + others
    let hashes = Set(labels.map { label($0, "1", in: 0b111).hash &>> 54 })
    #expect(hashes.count == labels.count)
  }

  @Test(arguments: 0...64)
  func `texts of a calendar are looked at to their end`(count: Int) {
    let source = Fence()
    let target = Fence()
    for place in 0...count {
      for special: [UInt8] in [[0x5C], [0x3B], [0x2C], [0x00], [0x09], [0x1F], [0x7F]] {
        var bytes = [UInt8](repeating: 0xD0, count: count)
        if place < count { bytes[place] = special[0] }
        let from = source.place(bytes + [UInt8](repeating: 0x2C, count: 16))
        #expect(cscan_calendar(from, count) == place)
        #expect(cscan_count_calendar(from, count) == (place < count ? 1 : 0))
        let to = target.place([UInt8](repeating: 0xAA, count: count), room: 16)
        #expect(cscan_put(to, from, count) == to + count)
        #expect(Array(UnsafeBufferPointer(start: to, count: count)) == bytes)
        let all = source.place([UInt8](repeating: special[0], count: count + 16))
        #expect(cscan_count_calendar(all, count) == count)
      }
    }
  }

  @Test(arguments: 0...64)
  func `the text of HTML is looked at to its end, and no further`(count: Int) {
    let fence = Fence()
    for place in 0...count {
      for special: UInt8 in [0x3C, 0x26, 0x00, 0x09, 0x1F, 0x20] {
        var bytes = [UInt8](repeating: 0xD0, count: count)
        if place < count { bytes[place] = special }
        #expect(cscan_html_text(fence.place(bytes), count) == (special == 0x20 ? count : place))
        if special == 0x20, place > 0, place < count {
          bytes[place - 1] = 0x20
          #expect(cscan_html_text(fence.place(bytes), count) == place)
        }
      }
    }
  }

  @Test func `numbers in hexadecimal`() {
    let target = Fence()
    var generator = SeededGenerator(seed: 5)
    for number in [0, 9, 10, .max, 0x0123_4567_89AB_CDEF] + (0..<100).map({ _ in generator.next() })
    {
      let to = target.place([UInt8](repeating: 0, count: 16))
      cscan_hex(to, number)
      let digits = String(number, radix: 16)
      let expected = String(repeating: "0", count: 16 - digits.count) + digits
      #expect(
        String(decoding: UnsafeBufferPointer(start: to, count: 16), as: UTF8.self) == expected)
    }
  }

  @Test(arguments: 0...80)
  func `text that needs no tidying is known`(count: Int) {
    let fence = Fence()
    let letters = [UInt8](repeating: 0x61, count: count)
    func isTidy(_ bytes: [UInt8]) -> Bool {
      // What lies behind is white space, and must not be counted.
      cspace_is_tidy(fence.place(bytes + [UInt8](repeating: 0x20, count: 32)), bytes.count) != 0
    }
    #expect(isTidy(letters))
    for place in 0..<count {
      var spaced = letters
      spaced[place] = 0x20
      #expect(isTidy(spaced) == (place > 0 && place < count - 1))
      if place > 0 {
        spaced[place - 1] = 0x20
        #expect(!isTidy(spaced))
      }
      for byte: UInt8 in [0x09, 0x0A, 0x01] {
        var strange = letters
        strange[place] = byte
        #expect(!isTidy(strange))
      }
    }
  }

  @Test func `characters that begin like white space are tidy, and white space is not`() {
    let fence = Fence()
    let target = Fence()
    for number: UInt32 in Array(0x80...0xFF) + Array(0x1000...0x3FFF) {
      guard let scalar = Unicode.Scalar(number) else { continue }
      let character = Array(String(scalar).utf8)
      let isWhite = scalar.properties.isWhitespace
      for place in [0, 5, 14, 15, 30, 31] {
        let bytes = [UInt8](repeating: 0x61, count: place) + character + [0x61]
        let text = fence.place(bytes + [UInt8](repeating: 0x20, count: 32))
        #expect((cspace_is_tidy(text, bytes.count) != 0) == !isWhite, "\(number) at \(place)")
        let room = target.place([UInt8](repeating: 0, count: bytes.count + 16))
        let copied = cspace_copy_tidy(room, fence.place(bytes), bytes.count, 1)
        #expect(copied == (isWhite ? place : bytes.count), "\(number) at \(place)")
      }
    }
  }

  @Test func `short texts without escapes are read to their quote, unless a character is rare`() {
    let fence = Fence()
    var generator = SeededGenerator(seed: 21)
    let texts = [
      "a", "Z", "~", "\u{7F}", " ", "  ", "\"", "\\n", "\n", "\u{1F}", "0123456789",
      "é", "ж", "Ленина", "\u{7FF}", "\u{C0}", "\u{80}", "\u{A0}", "«", "»", "\u{800}", "\u{FFF}",
      "\u{1000}", "漢", "№", "—", "\u{2003}", "\u{3000}", "\u{D000}", "\u{E000}", "\u{FFFD}", "😀",
    ]
    let broken: [[UInt8]] = [
      [0x80], [0xD0], [0xC0, 0xAF], [0xC1, 0xBF], [0xE2, 0x82], [0xE2], [0xED, 0xA0, 0x80], [0xFF],
    ]
    let parts = texts.map { Array($0.utf8) } + broken
    for _ in 0..<60_000 {
      // Most are of a few parts only, so that many are plain.
      let known = (0..<3).map { _ in generator.pick(parts) }
      var text: [UInt8] = []
      for _ in 0..<Int.random(in: 0...9, using: &generator) { text += generator.pick(known) }
      text.append(0x22)
      let end = text.firstIndex(of: 0x22) ?? 0
      let inside = text[..<end]
      let isPlain =
        end < 32
        && String(validating: inside, as: UTF8.self)?.unicodeScalars.allSatisfy {
          switch $0.value {
          case 0..<0x20, 0x5C, 0x800..<0x1000, 0xD000..<0xE000, 0x10000...: false
          default: true
          }
        } ?? false
      let padding = [UInt8](repeating: 0x22, count: 32 - min(text.count, 32))
      let placed = fence.place(text + padding)
      let found = cvalue_text(placed, 1)
      #expect(found.length == (isPlain ? Int32(end) : -1))
      #expect(cvalue_text(placed, 0).length == found.length)
      guard isPlain else { continue }
      let tidy = cspace_is_tidy(fence.place(inside + [UInt8](repeating: 0x20, count: 32)), end)
      #expect((found.is_tidy != 0) == (tidy != 0))
    }
  }

  @Test func `a string with escapes is decoded, and nothing beyond its room is read`() {
    let fence = Fence()
    var generator = SeededGenerator(seed: 23)
    let pieces = [
      ("a", "a"), ("plain text of some length", "plain text of some length"), ("ж", "ж"),
      ("漢", "漢"),
      ("😀", "😀"), ("\\n", "\n"), ("\\\"", "\""), ("\\\\", "\\"), ("\\/", "/"), ("\\u0041", "A"),
      ("\\u00e9", "é"), ("\\u20AC", "€"), ("\\ud83d\\ude00", "😀"), ("\\u0000", "\0"),
    ]
    let wrong = ["\n", "\\x", "\\u12x", "\\ud83d", "\\ud83d\\u0041", "\\ude00", "\\ud83d\\n"]
    for round in 0..<4000 {
      let parts = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        generator.pick(pieces)
      }
      var raw = parts.map(\.0)
      let isWrong = round % 4 == 0
      if isWrong {
        raw.insert(generator.pick(wrong), at: Int.random(in: 0...raw.count, using: &generator))
      }
      let bytes = Array("\"\(raw.joined())\"".utf8)
      let start = fence.place(bytes + [UInt8](repeating: 0x2C, count: 32))
      var text = ByteBuffer(capacity: 1)
      text.append("<")
      let length = EscapedText.append(
        stringAt: start, before: start + bytes.count, to: &text)
      #expect(length == (isWrong ? nil : bytes.count))
      #expect(
        EscapedText.length(ofStringAt: start, plain: 0, before: start + bytes.count) == length)
      if !isWrong {
        #expect(Array(text.contents) == Array("<\(parts.map(\.1).joined())".utf8))
        let cut = EscapedText.append(
          stringAt: start, before: start + bytes.count - 1, to: &text)
        #expect(cut == nil)
      }
    }
  }

  @Test(arguments: [
    [0xC3], [0x80], [0xED, 0xA0, 0x80], [0xE0, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
  ])
  func `a string that is no UTF-8 is not decoded`(wrong: [UInt8]) {
    let fence = Fence()
    for before in 0..<40 {
      let letters = [UInt8](repeating: 0x61, count: before)
      let bytes = [0x22] + letters + wrong + Array("bcd\"".utf8)
      let start = fence.place(bytes + [UInt8](repeating: 0x2C, count: 32))
      var text = ByteBuffer(capacity: 1)
      #expect(
        EscapedText.append(stringAt: start, before: start + bytes.count, to: &text) == nil)
      #expect(
        EscapedText.length(ofStringAt: start, plain: 0, before: start + bytes.count) == nil)
    }
  }
}
