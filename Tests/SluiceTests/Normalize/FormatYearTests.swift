import Testing

@testable import Sluice

/// Formats over whole years, and names in all languages. `Tests/Interop/check-formats` compares
/// more of them with other programs.
@Suite struct FormatYearTests {
  /// The days of a column that is read in a format, one for each text.
  private func read(_ texts: [String], _ column: String) throws -> [String] {
    let feed = try OwnFeed.read(OwnFeed.document("t: {kind: day, \(column)}"))
    let rows = texts.map { "{\"t\":\"\($0)\"}" }.joined(separator: ",")
    let result = FeedRun(feed: feed)("{\"d\":[\(rows)]}")
    #expect(result.error == nil && result.rejects.isEmpty)
    return result.rows
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  @Test(arguments: [
    "yyyyMMdd", "dd/MM/yyyy", "d.M.y", "MM-dd-yy", "d MMMM yyyy", "EEE, d MMM y", "do MMM yyyy",
    "EEEE MMMM dd yy",
  ])
  func `every day of five years`(_ format: String) throws {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let first = try #require(Day(year: 1999, month: 1, day: 1))
    let days = (0..<1827).map { Day(number: first.number + $0) }
    let texts = days.map { day in
      let (year, month, date) = day.parts
      let ending = [1: "st", 21: "st", 31: "st", 2: "nd", 22: "nd", 3: "rd", 23: "rd"][date]
      let name = Self.months[month - 1]
      // 1999-01-01 was a Friday.
      let weekday = Self.weekdays[(Int(day.number - first.number) + 4) % 7]
      return switch format {
      case "yyyyMMdd": "\(year)\(two(month))\(two(date))"
      case "dd/MM/yyyy": "\(two(date))/\(two(month))/\(year)"
      case "d.M.y": "\(date).\(month).\(year)"
      case "MM-dd-yy": "\(two(month))-\(two(date))-\(two(year % 100))"
      case "d MMMM yyyy": "\(date) \(name) \(year)"
      case "EEE, d MMM y": "\(weekday.prefix(3)), \(date) \(name.prefix(3)) \(year)"
      case "do MMM yyyy": "\(date)\(ending ?? "th") \(name.prefix(3)). \(year)"
      default: "\(weekday) \(name) \(two(date)) \(two(year % 100))"
      }
    }
    #expect(
      try read(texts, "format: \"\(format)\", years: 1950-2049") == days.map(\.description))
  }

  /// The full and short names of the months, and the names of the weekdays from Monday on, as CLDR
  /// has them.
  private static let names: [(language: String, full: String, short: String, weekdays: String)] = [
    (
      "en",
      "January February March April May June July August September October November December",
      "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
      "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
    ),
    (
      "ru",
      "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
      "янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек.",
      "понедельник вторник среда четверг пятница суббота воскресенье"
    ),
    (
      "de",
      "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
      "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
      "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"
    ),
    (
      "fr",
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
      "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
      "lundi mardi mercredi jeudi vendredi samedi dimanche"
    ),
    (
      "nl",
      "januari februari maart april mei juni juli augustus september oktober november december",
      "jan. feb. mrt. apr. mei jun. jul. aug. sep. okt. nov. dec.",
      "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"
    ),
    (
      "sv",
      "januari februari mars april maj juni juli augusti september oktober november december",
      "jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.",
      "måndag tisdag onsdag torsdag fredag lördag söndag"
    ),
    (
      "es",
      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
      "ene feb mar abr may jun jul ago sept oct nov dic",
      "lunes martes miércoles jueves viernes sábado domingo"
    ),
    (
      "it",
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
      "gen feb mar apr mag giu lug ago set ott nov dic",
      "lunedì martedì mercoledì giovedì venerdì sabato domenica"
    ),
    (
      "pl",
      "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
      "sty lut mar kwi maj cze lip sie wrz paź lis gru",
      "poniedziałek wtorek środa czwartek piątek sobota niedziela"
    ),
    (
      "pt",
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
      "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.",
      "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo"
    ),
  ]

  @Test(arguments: names.indices)
  func `names of all months and weekdays`(_ index: Int) throws {
    let (language, full, short, weekdays) = Self.names[index]
    let more = "names: \(language)"
    for (names, format) in [(full, "d MMMM y"), (short, "d MMM y"), (full, "d LLL y")] {
      let names = names.split(separator: " ")
      for text in [names.map { "5 \($0) 2026" }, names.map { "5 \($0.uppercased()) 2026" }] {
        #expect(
          try read(text, "format: \(format), \(more)")
            == (1...12).map { "2026-\($0 < 10 ? "0" : "")\($0)-05" })
      }
    }
    // 2026-06-01 was a Monday.
    let days = weekdays.split(separator: " ").enumerated().map { "\($1), 2026-6-\($0 + 1)" }
    #expect(
      try read(days, "format: \"EEEE, y-M-d\", \(more)") == (1...7).map { "2026-06-0\($0)" })
  }

  @Test func `a name in another language is no day`() throws {
    for (language, full, _, _) in Self.names where language != "de" && language != "sv" {
      let feed = try OwnFeed.read(
        OwnFeed.document("t: {kind: day, format: d MMMM y, names: \(language)}"))
      let result = FeedRun(feed: feed)(#"{"d":[{"t":"5 Dezember 2026"}]}"#)
      #expect(result.rejects.map(\.reason) == [.notADay] && !full.isEmpty)
    }
  }
}
