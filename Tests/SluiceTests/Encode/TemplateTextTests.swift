import Testing

@testable import Sluice

/// Titles and places of events, byte for byte, against a plain way of writing them.
@Suite(.slow) struct TemplateTextTests {
  /// The parts of an address.
  private struct House {
    var locality: String?
    var street: String
    var number: String?
    var building: String?
    var letter: String?

    var record: String {
      func json(_ text: String) -> String { text.replacing("\\", with: #"\\"#) }
      return house(
        json(street), number.map(json), building: building.map(json), letter: letter.map(json),
        locality: locality.map(json))
    }

    private func line(_ start: String, _ first: [String?], _ end: String = "") -> [UInt8] {
      let parts = [
        number.map { "дом \($0)" }, building.map { "корпус \($0)" }, letter.map { "литер \($0)" },
      ]
      let clauses = (first + [parts.compactMap(\.self).joined(separator: " ")])
        .compactMap(\.self).filter { !$0.isEmpty }
      let escaped = clauses.map { clause in
        clause.map { #"\;,"#.contains($0) ? "\\\($0)" : String($0) }.joined()
      }
      return Folding.line(Folding.units(start + escaped.joined(separator: #"\, "#) + end))
    }

    var lines: [[UInt8]] {
      [
        line("SUMMARY:", [street], ": нет горячей воды"), line("LOCATION:", [locality, street]),
        line("DESCRIPTION:", [street], ": нет горячей воды"),
      ]
    }
  }

  /// Checks title, place and reminder of each of these houses.
  private func check(_ houses: [House]) {
    var run = FeedRun()
    run.calendar.alarms = ["P1D"]
    let result = run("[\(houses.map(\.record).joined(separator: ","))]")
    let found = Folding.lines(result.ics).filter { line in
      line.starts(with: "SUMMARY:".utf8) || line.starts(with: "LOCATION:".utf8)
        || line.starts(with: "DESCRIPTION:".utf8)
    }
    #expect(found.count == 4 * houses.count)
    for (index, house) in houses.enumerated() {
      // The event's own description, the third, has its days.
      var lines = Array(found.dropFirst(4 * index).prefix(4))
      if lines.count == 4 { lines.remove(at: 2) }
      if lines != house.lines { Issue.record("\(house): \(lines)") }
    }
  }

  @Test func `every part may drop out`() {
    var houses: [House] = []
    for parts in 0..<16 {
      for street in [
        "У", "Непокорённых", "Ленинский, дублёр", String(repeating: "улица", count: 40),
      ] {
        houses.append(
          House(
            locality: parts & 1 == 0 ? nil : "Санкт-Петербург", street: "\(street)\(parts)",
            number: parts & 2 == 0 ? nil : "12/3", building: parts & 4 == 0 ? nil : "1",
            letter: parts & 8 == 0 ? nil : "А"))
      }
    }
    check(houses)
  }

  @Test(arguments: ["a", "я", "‱", "🏠", ",", ";", "\\", "aя", "я\\", "🏠,"])
  func `any character at any column`(_ unit: String) {
    var houses: [House] = []
    for lead in 0...90 {
      for count in [1, 30] {
        houses.append(
          House(
            locality: "г\(count)",
            street: String(repeating: "x", count: lead + 1)
              + String(repeating: unit, count: count), number: "\(lead)",
            building: lead % 2 == 0 ? "2" : nil))
      }
    }
    check(houses)
  }

  @Test(arguments: ["a", "я", "‱", "🏠", ","])
  func `lines around the length that is put together in one piece`(_ unit: String) {
    check(
      (880...1010).map { length in
        House(
          locality: nil,
          street: String(repeating: "x", count: length % 5)
            + String(repeating: unit, count: length / unit.utf8.count),
          number: "\(length)", letter: "Б")
      })
  }

  @Test func `random addresses`() {
    var generator = SeededGenerator(seed: 5545)
    let units = ["a", "b", "я", "ё", "‱", "🏠", ",", ";", "\\", "-", "я", "я"]
    func text(_ longest: Int) -> String {
      let length = Int.random(in: 1...longest, using: &generator)
      let isPlain = Bool.random(using: &generator)
      return (0..<length).map { _ in
        generator.pick(isPlain ? units.filter { !#"\;,"#.contains($0) } : units)
      }.joined()
    }
    func some(_ longest: Int) -> String? { Bool.random(using: &generator) ? text(longest) : nil }
    check(
      (0..<3000).map { index in
        House(
          locality: some(60), street: text(60), number: "\(index)", building: some(20),
          letter: some(20))
      })
  }
}
