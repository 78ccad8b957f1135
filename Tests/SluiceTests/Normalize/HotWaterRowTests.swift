import Testing

@testable import Sluice

/// Records of the hot-water feed and the rows that they give.
@Suite struct HotWaterRowTests {
  private let header = "locality,street,house,building,letter,start_date,end_date,address_id"

  @Test func `one record in every format`() {
    let result = FeedRun()(list(house("Непокорённых", "15", building: "1", letter: "А")))
    #expect(
      result.csv
        == Array(
          """
          \(header)
          Санкт-Петербург,Непокорённых,15,1,А,2020-06-22,2020-07-05,c848c36e7b2fe71a

          """.utf8))
    let ndjson = """
      {"locality":"Санкт-Петербург","street":"Непокорённых","house":"15","building":"1",\
      "letter":"А","start_date":"2020-06-22","end_date":"2020-07-05",\
      "address_id":"c848c36e7b2fe71a"}

      """
    #expect(result.ndjson == Array(ndjson.utf8))
    #expect(result.lines.contains("UID:c848c36e7b2fe71a-2020-1@hot-water.sluice"))
    #expect(result.error == nil)
    #expect(result.counts == Counts(read: 1, kept: 1, rows: 1))
  }

  @Test func `no records at all are empty outputs`() {
    let result = FeedRun()("[]")
    #expect(result.error == nil)
    #expect(result.csv == Array("\(header)\n".utf8))
    #expect(result.ndjson == [])
    #expect(result.lines.first == "BEGIN:VCALENDAR")
    #expect(result.lines.last == "END:VCALENDAR")
    #expect(!result.lines.contains("BEGIN:VEVENT"))
    #expect(result.counts == Counts())
    #expect(result.statistics.days == nil)
  }

  @Test func `missing, null and empty are the same`() {
    let result = FeedRun()(
      list(
        house("Садовая", nil, locality: nil),
        house("Садовая", "", building: " ", letter: "\u{A0}", locality: "\\t"),
        #"""
        {"Населенный пункт":null,"Адрес жилого здания":"Садовая","№ дома":null,"корпус":null,
        "литер":null,"Период отключения ГВС":"22.06.2020-05.07.2020"}
        """#))
    #expect(result.rows.count == 3)
    #expect(Set(result.rows) == [",Садовая,,,,2020-06-22,2020-07-05,\(result.rows[0].suffix(16))"])
    #expect(
      String(decoding: result.ndjson, as: UTF8.self).contains(#""house":null,"building":null"#))
  }

  @Test func `numbers are text, digit for digit`() {
    let result = FeedRun()(
      #"""
      [{"Населенный пункт":1,"Адрес жилого здания":-0.10,"№ дома":0.1e400,
      "корпус":123456789012345678901234567890,"литер":0,
      "Период отключения ГВС":"1.6.2020"}]
      """#)
    #expect(
      result.rows.map { String($0.dropLast(17)) }
        == ["1,-0.10,0.1e400,123456789012345678901234567890,0,2020-06-01,2020-06-01"])
    #expect(
      String(decoding: result.ndjson, as: UTF8.self).contains(
        #""street":"-0.10","house":"0.1e400""#))
  }

  @Test(arguments: ["12/3", "0047", "178-180/1", "1А", "000", "1e5", "1,2"])
  func `a house is text`(_ number: String) {
    let result = FeedRun()(list(house("Садовая", number)))
    #expect(String(decoding: result.ndjson, as: UTF8.self).contains(#""house":"\#(number)""#))
  }

  @Test func `a number is no period`() {
    let result = FeedRun()(
      #"[{"Адрес жилого здания":"Садовая","Период отключения ГВС":2020}]"#)
    #expect(result.rejects.map(\.reason) == [.notAPeriod])
    #expect(result.rejects.map(\.value) == [Array("2020".utf8)])
  }

  @Test func `white space is tidied and the rest left as it came`() {
    let result = FeedRun()(
      list(house("  пр.\u{A0}\u{2009} Стачек ", " 12 / 3\\n", letter: "«А»\\r\\nб")))
    #expect(
      result.rows.map { String($0.dropLast(17)) }
        == ["Санкт-Петербург,пр. Стачек,12 / 3,,«А» б,2020-06-22,2020-07-05"])
  }

  @Test func `text is not normalised`() {
    let decomposed = "Е\u{308}лки\u{306}\u{200B}"
    let result = FeedRun()(list(house(decomposed)))
    let expected = Array(",\(decomposed),".utf8)
    #expect(result.csv.indices.contains { result.csv[$0...].starts(with: expected) })
  }

  @Test func `keys in any order, and others with values of any depth`() {
    let deep =
      String(repeating: #"{"корпус":["#, count: 200) + "1" + String(repeating: "]}", count: 200)
    let result = FeedRun()(
      #"""
      [{"x":\#(deep),"литер":"Б","":null,"Период отключения ГВС":"1.6.2020","№ дома":"7",
      "y":[[],{},[{"Период отключения ГВС":[]}]],"Адрес жилого здания":"Садовая","корпус ":"9",
      "Корпус":"8"},
      {"Адрес жилого здания":"Садовая","№ дома":"7","литер":"Б","Период отключения ГВС":"1.6.2020"}]
      """#)
    #expect(result.error == nil)
    #expect(result.rows.count == 2)
    #expect(result.rows.allSatisfy { $0.hasPrefix(",Садовая,7,,Б,2020-06-01,2020-06-01,") })
    #expect(Set(result.rows).count == 1)
  }

  @Test func `keys are told by their characters, not by how they are escaped`() {
    let result = FeedRun()(
      #"""
      [{"\u0410дрес жилого здания":"Садовая","\u2116\u0020дома":"7",
      "Период отключения\u0020ГВС":"1.6.2020"}]
      """#)
    #expect(result.rows.count == 1)
    #expect(result.rows[0].hasPrefix(",Садовая,7,,,2020-06-01"))
  }

  @Test func `a key of the same look with other characters is another key`() {
    // A Latin K, and a decomposed й in the place of a composed one.
    let result = FeedRun()(
      #"""
      [{"Адрес жилого здания":"Садовая","kорпус":"1","Населенныи\#u{306} пункт":"Пушкин",
      "Период отключения ГВС":"1.6.2020"}]
      """#)
    #expect(result.rows.map { $0.hasPrefix(",Садовая,,,,") } == [true])
  }

  @Test func `several periods are several rows in their order`() {
    let result = FeedRun()(
      list(house(period: "1.6.2020-2.6.2020, 28.12-05.01.2021 и 1.6.2020-2.6.2020"), house()))
    #expect(
      result.rows.map { $0.split(separator: ",")[3] }
        == ["2020-06-01", "2020-12-28", "2020-06-01", "2020-06-22"])
    #expect(result.counts == Counts(read: 2, kept: 2, rows: 4))
    #expect(
      result.statistics.days == Day(year: 2020, month: 6, day: 1)!...Day(
        year: 2021, month: 1, day: 5)!)
  }

  @Test func `one bad part rejects the record`() {
    let result = FeedRun()(list(house(period: "1.6.2020, 31.6.2020"), house()))
    #expect(result.rows.count == 1)
    #expect(result.rejects.map(\.reason) == [.noSuchDay])
    #expect(result.rejects.map(\.value) == [Array("1.6.2020, 31.6.2020".utf8)])
    #expect(result.counts == Counts(read: 2, kept: 1, rejected: 1, rows: 1))
  }

  @Test(arguments: ["ГВС сохранено", "гвс СОХРАНЕНО", " ГВС\u{A0} сохранено\\n"])
  func `a house that keeps its water is skipped`(_ period: String) {
    let result = FeedRun()(list(house(period: period), house("", period: period), house()))
    #expect(result.counts == Counts(read: 3, kept: 1, skipped: 2, rows: 1))
    #expect(result.rejects == [])
    #expect(result.error == nil)
  }

  @Test func `records that are skipped all make empty outputs`() {
    let result = FeedRun(conditions: [Condition(column: "house", value: "1")], limit: .count(0))(
      list(house(period: "ГВС сохранено"), house(period: "ГВС сохранено")))
    #expect(result.error == nil)
    #expect(result.counts == Counts(read: 2, skipped: 2))
  }

  @Test func `the days asked for are inclusive, and filtered records are counted`() {
    let records = list(
      house(period: "1.6.2020-9.6.2020"), house(period: "10.6.2020-14.6.2020"),
      house(period: "20.6.2020-21.6.2020"), house(period: "21.6.2020-30.6.2020"),
      house(period: "1.6.2020, 15.6.2020, 1.7.2020"))
    let result = FeedRun(
      from: Day(year: 2020, month: 6, day: 10), to: Day(year: 2020, month: 6, day: 20))(
        records)
    #expect(
      result.rows.map { $0.split(separator: ",")[3] } == ["2020-06-10", "2020-06-20", "2020-06-15"])
    #expect(result.counts == Counts(read: 5, kept: 3, filtered: 2, rows: 3))
    #expect(result.statistics.outsideOfDays == 2)
    #expect(
      result.statistics.daysRead == Day(year: 2020, month: 6, day: 1)!...Day(
        year: 2020, month: 7, day: 1)!)
    #expect(
      result.statistics.days == Day(year: 2020, month: 6, day: 10)!...Day(
        year: 2020, month: 6, day: 21)!)
  }

  @Test func `one side of the days may be open`() {
    let records = list(house(period: "1.6.2020-9.6.2020"), house(period: "9.6.2020-20.6.2020"))
    let day = Day(year: 2020, month: 6, day: 10)
    #expect(FeedRun(from: day)(records).rows.map { $0.split(separator: ",")[3] } == ["2020-06-09"])
    #expect(FeedRun(to: Day(year: 2020, month: 6, day: 8))(records).rows.count == 1)
    #expect(
      FeedRun(from: Day(year: 2020, month: 6, day: 9), to: Day(year: 2020, month: 6, day: 9))(
        records
      ).rows.count == 2)
  }

  @Test func `a byte order mark is fine`() {
    #expect(FeedRun()("\u{FEFF}" + list(house())).rows.count == 1)
  }

  @Test func `data stays data`() {
    let result = FeedRun()(
      list(
        house(
          #"А\r\nEND:VEVENT\r\n,\";\u0000\u001b=1"#, #"=2+3"#, letter: #"\"\\"#, period: "1.6.2020"),
        house()))
    #expect(result.error == nil)
    #expect(result.ndjson.count { $0 == 0x0A } == 2)
    #expect(result.lines.count { $0 == "END:VEVENT" } == 2)
    #expect(
      result.lines.contains {
        $0.hasPrefix(#"SUMMARY:А END:VEVENT \,"\;=1\, дом =2+3 литер "\\: нет"#)
      })
    #expect(RFC4180.rows(result.csv).map(\.count) == [8, 8, 8])
    #expect(RFC4180.rows(result.csv)[1][1] == Array("А END:VEVENT ,\";\u{0}\u{1B}=1".utf8))
  }
}
