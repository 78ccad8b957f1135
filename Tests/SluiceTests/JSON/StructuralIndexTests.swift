import CSluice
import Testing

@testable import Sluice

/// The index against a plain loop, in every way that this processor knows.
@Suite(.slow) struct StructuralIndexTests {
  private static let ways = StructuralIndex.Way.allCases.filter { $0 != .none && $0.isKnown }

  /// What an index is made of: the places, and the bytes that they cover.
  private struct Index: Equatable {
    var entries: [Int]
    var length: Int
  }

  /// The index of whole blocks at the very end of readable memory.
  private func index(_ piece: [UInt8], _ way: StructuralIndex.Way, _ fence: Fence) -> Index {
    var entries = [UInt16](repeating: 0, count: piece.count + Int(CINDEX_SLACK))
    let extent = cindex_make(
      fence.place(piece), piece.count / StructuralIndex.block, &entries, way.rawValue)
    return Index(entries: entries.prefix(extent.entries).map { Int($0) }, length: extent.length)
  }

  /// The same by a loop over all bytes.
  private func plainIndex(_ piece: [UInt8]) -> Index {
    var entries: [Int] = []
    var isInString = false
    var isScalar = false
    var at = 0
    var wrong: Int?
    while at < piece.count, wrong == nil {
      let byte = piece[at]
      if byte >= 0x80 {
        // A character, or as much of one as is there.
        let rest = piece[at..<min(at + 4, piece.count)]
        let length = (1...rest.count).first {
          String(validating: rest.prefix($0), as: UTF8.self) != nil
        }
        let isCut =
          at + rest.count == piece.count
          && [
            [0x80], [0x80, 0x80], [0xA0], [0xA0, 0x80], [0x90], [0x90, 0x80], [0x90, 0x80, 0x80],
          ]
          .contains { (tail: [UInt8]) in
            String(validating: Array(rest) + tail, as: UTF8.self) != nil
          }
        if length == nil, !isCut { wrong = firstWrong(piece, at) }
        if !isInString, !isScalar { entries.append(at) }
        isScalar = !isInString
        at += length ?? rest.count
        continue
      }
      if isInString {
        if byte < 0x20 { wrong = at }
        if byte == 0x22 || byte == 0x5C { entries.append(at) }
        if byte == 0x22 { isInString = false }
        if byte == 0x5C {
          at += 1
          if at < piece.count, piece[at] >= 0x80 { continue }
          if at < piece.count, piece[at] < 0x20 { wrong = at }
        }
      } else if "{}[]:,\"".utf8.contains(byte) {
        entries.append(at)
        isInString = byte == 0x22
        isScalar = false
      } else if InputFormat.isSpace(byte) {
        isScalar = false
      } else {
        if !isScalar { entries.append(at) }
        isScalar = true
        // A backslash is wrong here, and the tokenizer sees it before what it escapes.
        if byte == 0x5C, at + 1 < piece.count, [0x22, 0x5C].contains(piece[at + 1]) { at += 1 }
      }
      at += 1
    }
    let block = StructuralIndex.block
    let length = wrong.map { $0 / block * block } ?? piece.count
    return Index(entries: entries.filter { $0 < length }, length: length)
  }

  /// The byte that shows that a sequence is wrong: its first, or one that should continue it.
  private func firstWrong(_ piece: [UInt8], _ start: Int) -> Int {
    let continues: [[ClosedRange<UInt8>]] =
      switch piece[start] {
      case 0xC2...0xDF: [[0x80...0xBF]]
      case 0xE0: [[0xA0...0xBF], [0x80...0xBF]]
      case 0xED: [[0x80...0x9F], [0x80...0xBF]]
      case 0xE1...0xEF: [[0x80...0xBF], [0x80...0xBF]]
      case 0xF0: [[0x90...0xBF], [0x80...0xBF], [0x80...0xBF]]
      case 0xF1...0xF3: [[0x80...0xBF], [0x80...0xBF], [0x80...0xBF]]
      case 0xF4: [[0x80...0x8F], [0x80...0xBF], [0x80...0xBF]]
      default: []
      }
    for (place, ranges) in continues.enumerated() {
      let at = start + 1 + place
      guard at < piece.count else { return at }
      if !ranges[0].contains(piece[at]) { return at }
    }
    return start
  }

  private static let parts: [[UInt8]] =
    [
      "{", "}", "[", "]", ":", ",", "\"", "\"", "\\\"", "\\\\", "\\n", " ", "\n", "\r\n", "\t",
      "12", "-1.5",
      "true", "a", "abc", "ж", "ÿ", "€", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "😀",
      "\u{10FFFF}", "a longer text of one string",
    ].map { Array($0.utf8) }

  @Test(arguments: ways)
  func `an index has the places that a plain loop finds, and ends before what is wrong`(
    way: StructuralIndex.Way
  ) {
    let fence = Fence()
    var generator = SeededGenerator(seed: 11)
    for round in 0..<6000 {
      let size = StructuralIndex.block * (1 + round % 5)
      var piece: [UInt8] = []
      while piece.count < size { piece += generator.pick(Self.parts) }
      piece = Array(piece.prefix(size))
      if round % 3 == 0 {
        piece[Int.random(in: 0..<size, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      let found = index(piece, way, fence)
      let expected = plainIndex(piece)
      guard found == expected else {
        Issue.record("\(piece): \(found), not \(expected)")
        return
      }
    }
  }

  @Test(arguments: ways)
  func `each pair of bytes in a string is judged at each place of a block`(
    way: StructuralIndex.Way
  ) {
    let fence = Fence()
    for first in stride(from: UInt8(0), through: 255, by: 1) where first < 0x30 || first > 0x7D {
      for second: UInt8 in [
        0x00, 0x22, 0x5C, 0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xFF,
      ] {
        for place in [1, 31, 62, 63, 64] {
          var piece = [UInt8](repeating: 0x61, count: 128)
          piece[0] = 0x22
          piece[place] = first
          piece[place + 1] = second
          piece[place + 2] = 0x80
          let found = index(piece, way, fence)
          if found != plainIndex(piece) {
            Issue.record("\(first) \(second) at \(place): \(found), not \(plainIndex(piece))")
          }
        }
      }
    }
  }
}
