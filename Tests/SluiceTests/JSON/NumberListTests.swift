import CSluice
import Testing

@testable import Sluice

/// Numbers that are seen together: nothing else comes of them than of each number alone.
@Suite(.slow) struct NumberListTests {
  private struct Found: Equatable {
    let start: Int
    let end: Int
    let hasFraction: Bool
  }

  private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  /// Returns the end of the number at a place, and whether it has a fraction; nil if there is none.
  private func number(_ bytes: [UInt8], at start: Int) -> (end: Int, hasFraction: Bool)? {
    var at = start
    func digits() -> Int {
      let first = at
      while at < bytes.count, isDigit(bytes[at]) { at += 1 }
      return at - first
    }
    if at < bytes.count, bytes[at] == UInt8(ascii: "-") { at += 1 }
    let first = at
    let count = digits()
    guard count == 1 || count > 1 && bytes[first] != UInt8(ascii: "0") else { return nil }
    guard at < bytes.count, bytes[at] == UInt8(ascii: ".") else { return (at, false) }
    at += 1
    return digits() > 0 ? (at, true) : nil
  }

  /// Reads numbers one by one, up to the first one that is none or that does not end in the bytes.
  private func numbers(_ bytes: [UInt8]) -> [Found] {
    var found: [Found] = []
    var start = 0
    while let (end, hasFraction) = number(bytes, at: start), end < bytes.count {
      let isLast = bytes[end] == UInt8(ascii: "]")
      guard isLast || bytes[end] == UInt8(ascii: ",") else { break }
      found.append(Found(start: start, end: end, hasFraction: hasFraction))
      start = end + 1
      while !isLast, start < bytes.count, bytes[start] == 0x20 || bytes[start] == 0x0A {
        start += 1
      }
      if isLast { break }
    }
    return found
  }

  /// Reads the numbers of 64 bytes together.
  private func together(_ p: UnsafePointer<UInt8>) -> [Found] {
    var (rest, found) = (cnumbers_at(p), [] as [Found])
    while let (start, end, traits) = rest.next() {
      found.append(Found(start: start, end: end, hasFraction: !traits.contains(.whole)))
    }
    return found
  }

  /// Bytes of a list of numbers, some of them wrong.
  private func text(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    let wrong = generator.pick([0, 2, 20])
    while bytes.count < 64 {
      if Int.random(in: 0...2, using: &generator) == 0 { bytes.append(UInt8(ascii: "-")) }
      bytes += Array("\(Int.random(in: 0...99_999, using: &generator))".utf8)
      if Bool.random(using: &generator) {
        bytes += Array(".\(Int.random(in: 0...999, using: &generator))".utf8)
      }
      if Int.random(in: 0...40, using: &generator) < wrong {
        bytes += Array(
          generator.pick(["", "0", ".", "-", "e5", "E-1", " ", ".5", "/", ":", "\""]).utf8)
      }
      bytes += Array(
        generator.pick([",", ",", ",", ", ", ",\n  ", "]", "],", "] ,", ",,", "]5,"]).utf8)
      if Int.random(in: 0...40, using: &generator) < wrong {
        bytes += Array(
          generator.pick(["00", "-", ".", " ", "\t", "x", "null,", "\u{1}", "é", "}"]).utf8)
      }
    }
    return Array(bytes.prefix(64))
  }

  @Test(arguments: 0..<40)
  func `numbers in 64 bytes are those of a plain loop`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let fence = Fence()
    for _ in 0..<2000 {
      let bytes = text(&generator)
      let isSame = together(fence.place(bytes)) == numbers(bytes)
      #expect(isSame, "\(String(decoding: bytes, as: UTF8.self))")
      if !isSame { return }
    }
  }

  @Test func `a wrong byte leaves only the numbers before it`() {
    let fence = Fence()
    let usual = Array(
      "1,-2.5,30,0.25,-0,7.0,8, 9,\n10,123456789,-1.5,0,0.0,65,66,677,68]".utf8.prefix(64))
    for place in usual.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = usual
        bytes[place] = byte
        let isSame = together(fence.place(bytes)) == numbers(bytes)
        #expect(isSame, "byte \(byte) at \(place)")
      }
    }
  }

  private static let rows = """
    feed: own
    rows: "d[].v[]"
    columns: {name: "d[].name", value: {from: $value, kind: decimal}}
    """
  private static let joined = """
    feed: own
    rows: "d[]"
    columns: {name: name, values: {from: "v[*]", separator: "; "}}
    """
  private static let unwanted = """
    feed: own
    rows: "d[]"
    columns: {name: name, w: w}
    """
  private static let zipped = """
    feed: own
    rows: "d[]"
    zip: [v, u]
    columns: {name: name, v: {kind: decimal}, u: {kind: integer}}
    """
  private static let documents = [rows, joined, unwanted, zipped]

  @Test(
    arguments: documents,
    [
      "1", "null", "\"x\"", "1e5", "-0", "-12.5E+2", "true", " 7", "7 ", "\n7", "[]", "[1,2]", "{}",
      "01", "1.",
      "-", ".5", "1.2.3", "--1", "", "1 2", "+1", "nul", "]", "1,]", "1;2",
      String(repeating: "9", count: 31), String(repeating: "8", count: 90) + ".5",
    ])
  func `among many numbers any value is read as if it stood alone`(
    document: String, strange: String
  )
    throws
  {
    let run = FeedRun(feed: try OwnFeed.read(document))
    var generator = SeededGenerator(seed: UInt64(strange.utf8.count))
    func list(_ count: Int, _ strange: String?) -> String {
      var values = (0..<count).map { _ in
        generator.pick(["\(Int.random(in: -99...9999, using: &generator))", "-1.25", "0.5", "12.0"])
      }
      if let strange { values[Int.random(in: 0..<count, using: &generator)] = strange }
      let separator = generator.pick([",", ",", ", ", ",\n    ", " , "])
      return "[\(values.joined(separator: separator))]"
    }
    for _ in 0..<6 {
      let elements = [nil, nil, strange, nil].map { strange in
        let count = generator.pick([3, 20, 64, 65, 150])
        return
          #"{"name":"A","w":1,"u":\#(list(count, nil)),"v":\#(list(count, strange)),"x":2}"#
      }
      let json =
        #"{"d":[\#(elements.joined(separator: ","))]}"#
        + String(repeating: " ", count: RecordShape.slack)
      let pieces = run(json, cut: .pieces(7))
      for cut in [.whole] + stride(from: 3, to: json.utf8.count, by: 97).map(FeedRun.Cut.split) {
        let isSame = run(json, cut: cut).isSame(as: pieces)
        #expect(isSame, "\(cut): \(json)")
        if !isSame { return }
      }
    }
  }

  @Test(arguments: documents, [1, 2, 3, 9, 63, 64, 65, 200])
  func `a comma before the bracket is an error`(document: String, count: Int) throws {
    let run = FeedRun(feed: try OwnFeed.read(document))
    let numbers = (0..<count).map { "\($0).5" }.joined(separator: ",")
    for (end, isError) in [("", false), (",", true), (", ", true)] {
      let element = #"{"name":"A","w":1,"u":[1],"v":[\#(numbers)],"x":2}"#
      let last = #"{"name":"A","w":1,"u":[1],"v":[\#(numbers)\#(end)],"x":2}"#
      let json =
        #"{"d":[\#(element),\#(element),\#(last),\#(element)]}"#
        + String(repeating: " ", count: RecordShape.slack)
      let result = run(json)
      #expect((result.error != nil) == isError, "\(count)\(end)")
      #expect(result.isSame(as: run(json, cut: .pieces(7))))
    }
  }
}
