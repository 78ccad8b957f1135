import Testing

@testable import Sluice

/// The names of months, weekdays and halves of the day, against a plain search in their table.
@Suite struct TimeNamesTests {
  /// A name as the table has it.
  private struct Name {
    var text: String
    var isShort: Bool
    var value: UInt8
  }

  private static func names(_ kind: TimeNames.Kind, of languages: [String]) -> [Name] {
    var names: [Name] = []
    for language in languages {
      for (index, line) in TimeNameTable.lines(of: language).enumerated() {
        let isOfKind =
          switch kind {
          case .month: index < 12
          case .weekday: 12..<19 ~= index
          case .half: index >= 19
          }
        guard isOfKind else { continue }
        let value =
          index < 12
          ? UInt8(index + 1) : index < 19 ? 1 << UInt8(index - 12) : UInt8(index - 18)
        for name in line.split(separator: ",") {
          let isShort = name.hasSuffix(".")
          names.append(
            Name(text: String(name.dropLast(isShort ? 1 : 0)), isShort: isShort, value: value))
        }
      }
    }
    if kind == .half {
      for (text, value) in [("am", 1), ("a.m", 1), ("pm", 2), ("p.m", 2)] as [(String, UInt8)] {
        names.append(Name(text: text, isShort: true, value: value))
      }
    }
    return names
  }

  /// Returns the longest of the names that a text begins with, and the bytes after it.
  private static func longest(
    _ text: String, _ names: [Name], _ kind: TimeNames.Kind, takesDot: Bool
  ) -> (value: UInt8, rest: String)? {
    let scalars = Array(text.unicodeScalars)
    let small = scalars.map { Fold.lowercased($0.value) }
    var best: (count: Int, value: UInt8, isShort: Bool)?
    for name in names {
      let wanted = name.text.unicodeScalars.map(\.value)
      guard small.starts(with: wanted) else { continue }
      guard let known = best, known.count >= wanted.count else {
        best = (wanted.count, name.value, name.isShort)
        continue
      }
      guard known.count == wanted.count else { continue }
      best = (
        known.count, kind == .weekday ? known.value | name.value : min(known.value, name.value),
        known.isShort || name.isShort
      )
    }
    guard let best else { return nil }
    var count = best.count
    if takesDot, best.isShort, count < scalars.count, scalars[count] == "." { count += 1 }
    let rest = String(String.UnicodeScalarView(scalars[count...]))
    return (best.value, rest)
  }

  @Test(arguments: TimeNames.languages.map { [$0] } + [["en", "ru"], TimeNames.languages])
  func `the longest name is found, however it is written`(languages: [String]) {
    let names = TimeNames(of: languages)
    var generator = SeededGenerator(seed: 11)
    var found = 0
    for kind in [.month, .weekday, .half] as [TimeNames.Kind] {
      let known = Self.names(kind, of: languages)
      for _ in 0..<1500 {
        var text = generator.pick(known).text
        switch Int.random(in: 0...5, using: &generator) {
        case 0: text = text.uppercased()
        case 1: text = text.prefix(1).uppercased() + text.dropFirst()
        case 2:
          text = text.map { Bool.random(using: &generator) ? $0.uppercased() : "\($0)" }.joined()
        case 3: text = String(text.dropLast())
        default: break
        }
        text += generator.pick([
          "", ".", " 5", ",", "5", "x", "я", "\u{A0}5", "-feira", "..", "ust",
        ])
        let before = generator.pick(["", "5 ", "Я"])
        let takesDot = Bool.random(using: &generator)
        let bytes = Array((before + text).utf8)
        let match = bytes.withUnsafeBytes {
          names.match(kind, in: $0, at: before.utf8.count, takesDot: takesDot)
        }
        let expected = Self.longest(text, known, kind, takesDot: takesDot)
        #expect(match?.value == expected?.value, "\(text)")
        #expect(
          match.map { String(decoding: bytes[$0.end...], as: UTF8.self) } == expected?.rest,
          "\(text)")
        found += match == nil ? 0 : 1
      }
    }
    #expect(found > 2000)
  }

  @Test func `without languages there are no names`() {
    let found = Array("jan".utf8).withUnsafeBytes {
      TimeNames.none.match(.month, in: $0, at: 0, takesDot: true)
    }
    #expect(found == nil)
  }
}
