import Sluice

extension Text {
  /// The name of a place: `Санкт-Петербург, Непокорённых, дом 15 корпус 1`.
  package static func name(of place: FoundPlace) -> Text { name(of: place.parts) }

  /// The name of a place with these parts.
  package static func name(of parts: [PlacePart]) -> Text {
    var (clauses, house): ([Text], [Text]) = ([], [])
    for part in parts where !part.text.isEmpty {
      let text = Text.verbatim(escaped(part.text, limit: 200))
      switch part.part {
      case .house: house.append(Text(en: "house \(text)", ru: "дом \(text)"))
      case .building: house.append(Text(en: "building \(text)", ru: "корпус \(text)"))
      case .letter: house.append(Text(en: "letter \(text)", ru: "литер \(text)"))
      case .locality, .street, nil: clauses.append(text)
      }
    }
    if !house.isEmpty { clauses.append(.joined(house, by: " ")) }
    return .joined(clauses, by: ", ")
  }

  /// Days as people write them: `18–31 мая 2020`.
  package static func days(_ days: ClosedRange<Day>) -> Text {
    Text(
      en: "\(text(of: days, .en))", ru: "\(text(of: days, .ru))")
  }

  private static func text(of days: ClosedRange<Day>, _ language: Language) -> String {
    var first = CalendarTime.text(days.lowerBound, language).split(separator: " ")[...]
    let last = CalendarTime.text(days.upperBound, language).split(separator: " ")
    guard days.lowerBound != days.upperBound else { return last.joined(separator: " ") }
    // What both have in common is said once: the year, or the month and the year.
    for word in last.reversed() where first.last == word && first.count > 1 { first.removeLast() }
    let start = first.joined(separator: " ")
    return start + (first.count == 1 ? "–" : " – ") + last.joined(separator: " ")
  }

  /// Where days are from a day's point of view: `ещё 5 дней`, `через 12 дней`, `закончилась вчера`.
  ///
  /// Days that are left include this day and the last one.
  package static func distance(of days: ClosedRange<Day>, from today: Day) -> Text {
    let until = Int(days.lowerBound.number) - Int(today.number)
    let left = Int(days.upperBound.number) - Int(today.number) + 1
    let isOne = days.lowerBound == days.upperBound
    if until == 1 { return Text(en: "tomorrow", ru: "завтра") }
    if until > 1 {
      return Text(
        en: "in \(count: until, "day", "days")",
        ru: "через \(count: until, "день", "дня", "дней")")
    }
    if left >= 1 {
      if isOne { return Text(en: "today", ru: "сегодня") }
      if left == 1 { return Text(en: "last day today", ru: "сегодня последний день") }
      return Text(
        en: "\(count: left, "day", "days") left",
        ru: "ещё \(count: left, "день", "дня", "дней")")
    }
    return past(by: 1 - left, isOne: isOne)
  }

  /// Days that ended so many days ago.
  private static func past(by ago: Int, isOne: Bool) -> Text {
    let when =
      ago == 1
      ? Text(en: "yesterday", ru: "вчера")
      : ago <= 365
        ? Text(
          en: "\(count: ago, "day", "days") ago",
          ru: "\(count: ago, "день", "дня", "дней") назад")
        : Text(en: "more than a year ago", ru: "больше года назад")
    return isOne ? when : Text(en: "ended \(when)", ru: "закончилась \(when)")
  }

  /// In what a place differs from what was typed, if its name does not show it.
  package static func missing(in near: NamedPlace) -> Text? {
    func isMissing(_ part: AddressPart) -> Bool {
      near.parts.contains { $0.part == part && $0.text.isEmpty }
    }
    return switch near.difference {
    case .letter where isMissing(.letter):
      Text(en: "is there without a letter", ru: "есть без литера")
    case .building where isMissing(.building):
      Text(en: "is there without a building", ru: "есть без корпуса")
    case .letter, .building, .house, .name, nil: nil
    }
  }

  /// Continues a message with the places that come nearest.
  package static func nearest(_ near: [NamedPlace]) -> Text {
    guard !near.isEmpty else {
      return Text(
        en: "; search with other words: 'sluice find TEXT'",
        ru: "; поищите другими словами: «sluice find TEXT»")
    }
    let names = near.map { near in
      missing(in: near).map { name(of: near.parts) + .verbatim(" ") + $0 } ?? name(of: near.parts)
    }
    let list = Text.joined(names, by: "; ")
    return Text(en: "; the nearest places: \(list)", ru: "; самые похожие места: \(list)")
  }

  /// How to find one place instead of several. `isMore` says that not all of them are listed.
  package static func narrower(_ places: [NamedPlace], isMore: Bool) -> Text? {
    guard places.count > 1 else { return nil }
    func texts(_ part: AddressPart?) -> [String] {
      places.map { place in
        place.parts.filter { $0.part == part }.map(\.text).joined(separator: " ")
      }
    }
    func differ(_ part: AddressPart?) -> Bool { Set(texts(part)).count > 1 }
    let more = isMore ? Text(en: "there are more; ", ru: "есть и другие; ") : .verbatim("")
    if differ(.locality), !differ(.street) {
      return more + Text(en: "add the town", ru: "добавьте город или посёлок")
    }
    if differ(.street) || differ(nil) {
      return more + Text(en: "write more of the name", ru: "напишите название полнее")
    }
    if differ(.house) { return more + Text(en: "add the house", ru: "добавьте номер дома") }
    if differ(.building) {
      return more
        + Text(en: "add the building: 15к1 or 15/1", ru: "добавьте корпус: 15к1 или 15/1")
    }
    return more + Text(en: "add the letter: 15А", ru: "добавьте литер: 15А")
  }
}

extension PlaceFault {
  /// The problem and the remedy.
  var message: Message {
    switch self {
    case .absent(let text, let near):
      Message(
        en: "nothing is found for \(quoted: text)\(Text.nearest(near))",
        ru: "по запросу \(quoted: text) ничего не найдено\(Text.nearest(near))")
    case .several(let text, let places, let isMore):
      Message(
        en: "\(quoted: text) may be one of several places: \(Text.names(of: places))"
          + "\(Text.narrowing(places, isMore: isMore))",
        ru: "под \(quoted: text) подходит несколько мест: \(Text.names(of: places))"
          + "\(Text.narrowing(places, isMore: isMore))")
    }
  }
}

extension Text {
  /// The most places of a message.
  private static let mostNames = 5

  /// The names of places in a row. A long row is cut.
  fileprivate static func names(of places: [NamedPlace]) -> Text {
    var names = places.prefix(mostNames).map { name(of: $0.parts) }
    if places.count > mostNames { names.append(.verbatim("…")) }
    return .joined(names, by: "; ")
  }

  /// Continues a message with how to find one place instead of several.
  fileprivate static func narrowing(_ places: [NamedPlace], isMore: Bool) -> Text {
    narrower(places, isMore: isMore).map { .verbatim("; ") + $0 } ?? .verbatim("")
  }
}
