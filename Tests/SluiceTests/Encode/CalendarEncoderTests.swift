import Testing

@testable import Sluice

/// Calendars of the hot-water feed.
@Suite struct CalendarEncoderTests {
  private let nevsky = house("Непокорённых", "15", building: "1", letter: "А")

  /// The values of a property, event by event.
  private func values(_ name: String, _ result: FeedResult) -> [String] {
    result.lines.filter { $0.hasPrefix(name) && !$0.hasPrefix("\(name)A") }
      .map { String($0.dropFirst(name.count)) }
  }

  private func uids(_ result: FeedResult) -> [String] {
    values("UID:", result).map { String($0.dropLast("@hot-water.sluice".count)) }
  }

  @Test func `the calendar of the contract`() {
    var run = FeedRun()
    run.calendar.alarms = ["P1D"]
    run.calendar.stamp = 1_593_108_790
    let result = run(list(nevsky))
    let url =
      "https://api.gu.spb.ru/UniversalMobileService/classifiers/downloadClassifiers?classifiersId=4"
    #expect(
      result.lines
        == #"""
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//sluice//hot-water//RU
        CALSCALE:GREGORIAN
        NAME:Отключение горячей воды
        X-WR-CALNAME:Отключение горячей воды
        COLOR:dodgerblue
        SOURCE;VALUE=URI:\#(url)
        REFRESH-INTERVAL;VALUE=DURATION:P1D
        X-PUBLISHED-TTL:P1D
        BEGIN:VEVENT
        UID:c848c36e7b2fe71a-2020-1@hot-water.sluice
        DTSTAMP:20200625T181310Z
        LAST-MODIFIED:20200625T181310Z
        SEQUENCE:0
        STATUS:CONFIRMED
        DTSTART;VALUE=DATE:20200622
        DTEND;VALUE=DATE:20200706
        SUMMARY:Непокорённых\, дом 15 корпус 1 литер А: нет горячей воды
        LOCATION:Санкт-Петербург\, Непокорённых\, дом 15 корпус 1 литер А
        DESCRIPTION:22 июня 2020 - 5 июля 2020
        CATEGORIES:Горячая вода
        TRANSP:TRANSPARENT
        X-MICROSOFT-CDO-BUSYSTATUS:FREE
        BEGIN:VALARM
        ACTION:DISPLAY
        DESCRIPTION:Непокорённых\, дом 15 корпус 1 литер А: нет горячей воды
        TRIGGER:-P1D
        END:VALARM
        END:VEVENT
        END:VCALENDAR
        """#.split(separator: "\n").map(String.init))
    #expect(Unfolding.physicalLines(result.ics).allSatisfy { $0.count <= 75 })
    #expect(result.statistics.events == 1)
    #expect(result.statistics.calendarBytes == result.ics.count)
  }

  @Test func `English`() {
    var run = FeedRun()
    run.calendar = CalendarOptions(language: .en)
    let result = run(list(nevsky, house(period: "1.8.2020")))
    #expect(result.lines.contains("PRODID:-//sluice//hot-water//EN"))
    #expect(result.lines.contains("NAME:Hot water outages"))
    #expect(result.lines.contains("X-WR-CALNAME:Hot water outages"))
    #expect(values("CATEGORIES:", result) == ["Hot water", "Hot water"])
    #expect(
      values("SUMMARY:", result) == [
        #"Непокорённых\, house 15 building 1 letter А: no hot water"#,
        #"Краснопутиловская\, house 65: no hot water"#,
      ])
    #expect(values("DESCRIPTION:", result) == ["22 June 2020 - 5 July 2020", "1 August 2020"])
  }

  @Test func `missing parts drop out with their word and comma`() {
    let result = FeedRun()(
      list(
        house("А", nil, locality: nil), house("А", nil, building: "2", locality: nil),
        house("А", nil, letter: "Б"), house("А", "1", letter: "Б", locality: nil)))
    let suffix = ": нет горячей воды"
    #expect(
      values("SUMMARY:", result)
        == ["А", #"А\, корпус 2"#, #"А\, литер Б"#, #"А\, дом 1 литер Б"#].map { $0 + suffix })
    #expect(
      values("LOCATION:", result)
        == ["А", #"А\, корпус 2"#, #"Санкт-Петербург\, А\, литер Б"#, #"А\, дом 1 литер Б"#])
  }

  @Test func `a calendar of one place has titles without the address`() {
    var run = FeedRun()
    run.calendar.isOfOnePlace = true
    run.calendar.alarms = ["P1D"]
    let result = run(list(house()))
    #expect(values("SUMMARY:", result) == ["Нет горячей воды"])
    #expect(values("DESCRIPTION:", result).contains("Нет горячей воды"))
    #expect(values("LOCATION:", result) == [#"Санкт-Петербург\, Краснопутиловская\, дом 65"#])
    run.feed.tables[0].event?.ownSummary = nil
    #expect(
      values("SUMMARY:", run(list(house()))) == [#"Краснопутиловская\, дом 65: нет горячей воды"#])
  }

  @Test func `a name of one's own`() {
    var run = FeedRun()
    run.calendar.name = "Дом, милый; дом\\\nBEGIN:VEVENT\u{7}"
    let result = run("[]")
    #expect(values("NAME:", result) == [#"Дом\, милый\; дом\\\nBEGIN:VEVENT"#])
    #expect(values("X-WR-CALNAME:", result) == values("NAME:", result))
  }

  @Test func `reminders in their order`() {
    var run = FeedRun()
    run.calendar.alarms = ["P1D", "PT2H", "PT30M"]
    let result = run(list(nevsky, house()))
    #expect(values("TRIGGER:", result) == ["-P1D", "-PT2H", "-PT30M", "-P1D", "-PT2H", "-PT30M"])
    #expect(result.lines.count { $0 == "BEGIN:VALARM" } == 6)
  }

  @Test func `an empty calendar`() {
    let result = FeedRun()("[]")
    #expect(result.lines.count == 11)
    #expect(result.statistics.events == 0)
    #expect(result.statistics.calendarBytes == result.ics.count)
  }

  @Test func `every line ends with CR LF and no other control is there`() {
    let result = FeedRun()(list(nevsky, house("А\\u0000\\u001b\\u007f\\tБ")))
    #expect(result.ics.count { $0 == 0x0A } == result.ics.count { $0 == 0x0D })
    #expect(!result.ics.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x0D || $0 == 0x7F })
    #expect(values("SUMMARY:", result)[1] == #"А Б\, дом 65: нет горячей воды"#)
  }

  // MARK: Numbers

  @Test func `events are numbered in order of arrival, by address and year`() {
    let result = FeedRun()(
      list(
        house(period: "1.8.2020"), house(period: "1.6.2020"), house("А", "1", period: "1.6.2020"),
        house(period: "28.12.2020-5.1.2021"), house(period: "1.6.2021, 1.7.2020"),
        house("а", "1", period: "2.6.2020")))
    let a = "9a52bf95f4e4a500"
    let b = result.rows.map { $0.suffix(16) }[2]
    #expect(
      uids(result) == [
        "\(a)-2020-1", "\(a)-2020-2", "\(b)-2020-1", "\(a)-2020-3", "\(a)-2021-1", "\(a)-2020-4",
        "\(b)-2020-2",
      ])
  }

  @Test func `events outside of the days asked for are counted`() {
    let records = list(
      house(period: "1.6.2020"), house(period: "1.7.2020, 1.8.2020"), house(period: "1.6.2020"),
      house(period: "1.9.2020"))
    let day = Day(year: 2020, month: 7, day: 15)
    #expect(uids(FeedRun(from: day)(records)).map { $0.suffix(1) } == ["3", "4"])
    #expect(uids(FeedRun(to: day)(records)).map { $0.suffix(1) } == ["1", "2"])
    #expect(FeedRun(from: day)(records).statistics.events == 2)
  }

  @Test func `a moved period keeps its UID`() {
    let before = uids(FeedRun()(list(house(period: "1.6.2020"), house(period: "1.8.2020"))))
    let after = uids(FeedRun()(list(house(period: "1.6.2020"), house(period: "9.8.2020"))))
    #expect(before == after)
  }

  @Test func `the same address and days are written once and count once`() {
    let result = FeedRun()(
      list(
        house(period: "1.6.2020, 1.6.2020"), house("КРАСНОПУТИЛОВСКАЯ", period: "1.6.2020"),
        house(period: "1.6.2020-2.6.2020"), house(period: "1.6.2020")))
    #expect(uids(result).map { $0.suffix(6) } == ["2020-1", "2020-2"])
    #expect(result.rows.count == 5)
    #expect(result.statistics.events == 2)
  }

  @Test func `events of many houses have UIDs of their own`() {
    let records = (0..<3000).map {
      house("Улица \($0 % 70)", "\($0 % 900)", period: "\($0 % 28 + 1).6.2020")
    }
    let result = FeedRun()("[\(records.joined(separator: ","))]")
    let all = uids(result)
    #expect(Set(all).count == all.count)
    #expect(all.count == result.statistics.events)
    #expect(Set(result.rows).count == all.count)
  }

  // MARK: Days and times

  @Test(arguments: [
    ("31.12.2020", ["20201231"], ["20210101"], ["31 декабря 2020"]),
    ("28.2.2020", ["20200228"], ["20200229"], ["28 февраля 2020"]),
    ("1.1.0001-2.1.0001", ["00010101"], ["00010103"], ["1 января 1 - 2 января 1"]),
    ("30.12.9999-31.12.9999", ["99991230"], ["99991231"], ["30 декабря 9999 - 31 декабря 9999"]),
    ("31.12.9999", ["99991231"], [], ["31 декабря 9999"]),
  ])
  func `the day behind the last ends an event`(
    _ period: String, _ start: [String], _ end: [String], _ text: [String]
  ) {
    let result = FeedRun()(list(house(period: period)))
    #expect(values("DTSTART;VALUE=DATE:", result) == start)
    #expect(values("DTEND;VALUE=DATE:", result) == end)
    #expect(values("DESCRIPTION:", result) == text)
  }

  @Test func `days change from event to event`() {
    let result = FeedRun()(
      list(
        house(period: "1.6.2020"), house(period: "1.6.2020-2.6.2020"),
        house("А", period: "2.6.2020-2.6.2020"), house("Б", period: "1.6.2020")))
    #expect(
      values("DTEND;VALUE=DATE:", result) == ["20200602", "20200603", "20200603", "20200602"])
  }

  @Test(
    arguments: [
      (nil, nil, "19700101T000000Z"), (nil, 1_593_108_790, "20200625T181310Z"),
      (0, 1_593_108_790, "19700101T000000Z"), (1, nil, "19700101T000001Z"),
      (-1, nil, "19691231T235959Z"), (253_402_300_799, nil, "99991231T235959Z"),
      (Int.max, nil, "99991231T235959Z"), (Int.min, nil, "00010101T000000Z"),
      (-62_135_596_801, 5, "00010101T000000Z"), (nil, Int.min + 1, "00010101T000000Z"),
      (951_827_696, nil, "20000229T123456Z"),
    ] as [(Int?, Int?, String)])
  func `stamps are the user's, else the content's, else 1970`(
    _ stamp: Int?, _ modified: Int?, _ expected: String
  ) {
    var run = FeedRun(modified: modified)
    run.calendar.stamp = stamp
    let result = run(list(nevsky, house()))
    #expect(values("DTSTAMP:", result) == [expected, expected])
    #expect(values("LAST-MODIFIED:", result) == [expected, expected])
  }
}
