import Foundation
import Testing

@testable import Sluice

/// The files of a site.
@Suite struct SiteTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Converts a feed to a site.
  @discardableResult
  private func site(
    _ json: String, of feed: Feed = .hotWater, _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> Statistics {
    var conversion = Conversion(of: .bytes(Array(json.utf8)), as: feed)
    conversion.outputs = [.init(.file(folder("site/")), .site)]
    conversion.stamp = 1_590_000_000
    change(&conversion)
    return try conversion.run()
  }

  /// Reads a script of data as a browser would.
  private func script(_ name: String) throws -> [String: Any] {
    let text = try #require(folder.text("site/\(name).js"))
    let start = "window.sluice = window.sluice || {}; window.sluice.\(name) = "
    #expect(text.hasPrefix(start) && text.hasSuffix(";\n"))
    let json = text.dropFirst(start.count).dropLast(2)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  /// The names of the places, in their order, without what is missing.
  private func places() throws -> [String] {
    let data = try script("data")
    let texts = try #require(data["texts"] as? [String])
    return try #require(data["places"] as? [[Any]]).map { place in
      place.dropFirst().compactMap { ($0 as? Int).map { texts[$0] } }.filter { !$0.isEmpty }
        .joined(separator: " ")
    }
  }

  private func record(
    _ house: String, street: String = "Наличная", period: String = "22.06.2020-05.07.2020",
    more: String = ""
  ) -> String {
    """
    {"Населенный пункт":"Колпино","Адрес жилого здания":"\(street)","№ дома":"\(house)",\
    "Период отключения ГВС":"\(period)"\(more)}
    """
  }

  @Test func `places come in the order of people`() throws {
    try site(
      "[\(["10", "2", "2а", "1/2", "12"].map { record($0) }.joined(separator: ",")),"
        + "\(record("1", street: "Аптекарская")),\(record("2", more: ",\"корпус\":\"3\""))]")
    #expect(
      try places() == [
        "Колпино Аптекарская 1", "Колпино Наличная 1/2", "Колпино Наличная 2",
        "Колпино Наличная 2 3", "Колпино Наличная 2а", "Колпино Наличная 10", "Колпино Наличная 12",
      ])
  }

  @Test func `texts stand once, and events have their days`() throws {
    try site("[\(record("1")),\(record("2", period: "01.07.2020-02.07.2020, 03.08.2020"))]")
    let data = try script("data")
    #expect(data["texts"] as? [String] == ["Колпино", "Наличная", "1", "", "2"])
    #expect(
      data["events"] as? [[Int]] == [[0, 18435, 18448], [1, 18444, 18445], [1, 18477, 18477]])
    #expect(data["made"] as? Int == 1_590_000_000 && data["clock"] as? Int == 10_800)
    #expect(
      data["title"] as? [String: String] == [
        "ru": "Отключение горячей воды", "en": "Hot water outages",
      ])
    #expect(
      data["summary"] as? [String: String] == ["ru": "Нет горячей воды", "en": "No hot water"])
    #expect(data["history"] as? [Int] == [])
    let files = try #require(data["files"] as? [[String: Any]])
    #expect(
      files.map { $0["path"] as? String } == [
        "hot-water.csv", "hot-water.ndjson", "hot-water.xlsx",
      ])
    #expect(files[0]["size"] as? Int == folder.text("site/hot-water.csv")?.utf8.count)
    let streets = try #require(data["streets"] as? [String: String])
    let street = try #require(streets["0/1"])
    #expect(folder.text("site/\(street)")?.components(separatedBy: "BEGIN:VEVENT").count == 4)
  }

  @Test func `the calendar of a house has its events only, and the UIDs of the city's`() throws {
    let json =
      "[\(record("1")),\(record("2")),\(record("1", period: "01.08.2020")),\(record("1"))]"
    try site(json) { $0.outputs.append(.init(.file(folder("all.ics")), .ics)) }
    let id = try #require(try script("data")["places"] as? [[Any]])[0][0] as? String ?? ""
    let calendar = try #require(folder.text("site/house/\(id).ics"))
    func uids(_ text: String) -> [Substring] {
      text.split(separator: "\r\n").filter { $0.hasPrefix("UID:") }
    }
    let all = uids(try #require(folder.text("all.ics")))
    #expect(
      uids(calendar) == all.filter { $0.hasPrefix("UID:\(id)-") } && uids(calendar).count == 2)
    #expect(calendar.contains("NAME:Отключение горячей воды: Колпино\\,"))
    // The titles of one house need no address.
    #expect(calendar.contains("SUMMARY:Нет горячей воды\r\n"))
    #expect(calendar.hasPrefix("BEGIN:VCALENDAR\r\n") && calendar.hasSuffix("END:VCALENDAR\r\n"))
  }

  @Test func `spellings of one place are one place`() throws {
    try site("[\(record("1", street: "Пискарёвский")),\(record("1", street: "ПИСКАРЕВСКИЙ"))]")
    let data = try script("data")
    #expect((data["places"] as? [[Any]])?.count == 1 && (data["events"] as? [[Int]])?.count == 1)
  }

  @Test func `no text of a feed can end the script`() throws {
    let street = #"</script><img onerror=x>\u2028\u2029\"><!--"#
    try site("[\(record("1", street: street))]")
    let text = try #require(folder.text("site/data.js"))
    #expect(!text.contains("</") && !text.contains("<!") && !text.contains("<img"))
    #expect(!text.unicodeScalars.contains("\u{2028}") && !text.unicodeScalars.contains("\u{2029}"))
    // White space is one space in the feed's own rules.
    #expect(
      (try script("data")["texts"] as? [String])?[1].hasPrefix("</script><img onerror=x>") == true)
  }

  @Test func `rows without days or a key have places without calendars`() throws {
    try site(
      #"""
      {"activities":[{"title":"A","currency":"USD","isin":"X","items":[
        {"date":"2018-09-01T13:00:00+0300","price":56.177}]}]}
      """#, of: .bonds)
    let data = try script("data")
    let place = try #require((data["places"] as? [[Any]])?.first)
    #expect(place[0] is NSNull)
    #expect(!FileManager.default.fileExists(atPath: folder("site/house")))
    #expect((data["details"] as? [[String: Any]])?.last?["kind"] as? String == "decimal")
    #expect(data["summary"] as? [String: String] == [:])
  }

  @Test func `a second run writes nothing, and one changed house changes what it is in`() throws {
    let houses = (1...300).map { record("\($0)") }
    try site("[\(houses.joined(separator: ","))]")
    let before = folder.status("site").st_ino
    try site("[\(houses.joined(separator: ","))]")
    #expect(folder.status("site").st_ino == before)
    let old = try inodes()
    var moved = houses
    moved[17] = record("18", period: "01.07.2020")
    try site("[\(moved.joined(separator: ","))]")
    let new = try inodes()
    #expect(old.count == new.count)
    // The house, its street, the data, the three tables, and the marker.
    #expect(old.filter { new[$0.key] != $0.value }.count == 7)
  }

  /// The inodes of all files.
  private func inodes() throws -> [String: UInt] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder("site"))
    return names.reduce(into: [:]) { all, name in
      let status = folder.status("site/\(name)")
      if status.st_mode & S_IFMT == S_IFREG { all[name] = UInt(status.st_ino) }
    }
  }

  @Test func `a run of its own says nothing about when the source was asked`() throws {
    try site("[\(record("1")),\(record("2", period: "31.02.2020"))]") {
      $0.rejectLimit = .unlimited
    }
    let status = try script("status")
    #expect(status["records"] as? Int == 2 && status["rejected"] as? Int == 1)
    #expect(status["confirmed"] is NSNull && status["ran"] is NSNull && status["error"] is NSNull)
    #expect(folder.text("site/status.json")?.hasPrefix("{\"format\":1,") == true)
  }

  @Test func `a selection that keeps nothing leaves the site`() throws {
    try site("[\(record("1"))]")
    let before = folder.status("site").st_ino
    let statistics = try site("[\(record("1"))]") {
      $0.conditions = [Condition(column: "house", value: "9")]
    }
    #expect(statistics.isSelectionEmpty && statistics.unchanged == [folder("site/")])
    #expect(folder.status("site").st_ino == before)
  }

  @Test func `a site has a limit of rows`() throws {
    let houses = (1...SiteRows.limit + 1).map { record("\($0)") }
    let fault = sinkFault { try site("[\(houses.joined(separator: ","))]") }
    #expect(fault == .siteTooLarge(limit: 50_000))
    #expect(folder.names == [])
  }

  @Test func `texts have numbers, whatever their number`() {
    var table = TextTable()
    for turn in 0..<2 {
      for number in 0..<3000 {
        let text = String(number)
        let found = text.utf8Span.span.bytes.withUnsafeBytes { table.number(of: $0) }
        #expect(found == number, "\(turn)")
      }
    }
    #expect(table.count == 3000 && String(decoding: table.text(2999), as: UTF8.self) == "2999")
  }
}
