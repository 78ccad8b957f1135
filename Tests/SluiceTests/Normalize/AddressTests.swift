import Testing

@testable import Sluice

@Suite struct AddressTests {
  /// The numbers of addresses, one record each, in one run.
  private func ids(_ records: String...) -> [String] {
    FeedRun()("[\(records.joined(separator: ","))]").rows.map { String($0.suffix(16)) }
  }

  /// FNV-1a 64, written plainly.
  private func plain(_ folded: String) -> String {
    var state: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in folded.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  @Test func `the addresses of the contract`() {
    #expect(ids(house()) == ["9a52bf95f4e4a500"])
    #expect(ids(house("Непокорённых", "15", building: "1", letter: "А")) == ["c848c36e7b2fe71a"])
  }

  @Test func `the same house however it is written`() {
    let written = ids(
      house("Непокорённых", "15", building: "1", letter: "А"),
      house("НЕПОКОРЕННЫХ", "15", building: "1", letter: "а", locality: "САНКТ-ПЕТЕРБУРГ"),
      house("непокоре\u{308}нных", "15", building: "1", letter: "А"),
      house(" Непокорённых\u{A0}", " 15 ", building: "1", letter: "А\\n"),
      #"""
      {"литер":"А","корпус":1,"№ дома":15,"Период отключения ГВС":"1.8.2021",
      "Адрес жилого здания":"Непокор\u0451нных","Населенный пункт":"Санкт-Петербург","x":{"литер":1}}
      """#)
    #expect(written == Array(repeating: "c848c36e7b2fe71a", count: 5))
  }

  @Test func `other houses have other numbers`() {
    let several = ids(
      house(), house("Краснопутиловская", "66"), house("Краснопутиловская", nil),
      house("Краснопутиловская", "6", building: "5"), house("Краснопутиловская", "65", letter: "5"),
      house("Краснопутиловская", "65", building: "5"), house(locality: nil),
      house("Краснопутиловская 65", nil))
    #expect(Set(several).count == several.count)
  }

  @Test func `a missing part counts as empty`() {
    #expect(ids(house(locality: nil)) == [plain("\u{1F}краснопутиловская\u{1F}65\u{1F}\u{1F}")])
    #expect(ids(house("ё", nil, locality: nil)) == [plain("\u{1F}е\u{1F}\u{1F}\u{1F}")])
    #expect(
      ids(house("Й", "", letter: "  ", locality: nil)) == ids(house("и\u{306}", nil, locality: nil))
    )
  }

  @Test func `other scripts`() {
    #expect(ids(house("ΟΔΌΣ", locality: nil)) == [plain("\u{1F}οδόσ\u{1F}65\u{1F}\u{1F}")])
    #expect(
      ids(house("\u{130}STİKLAL", locality: nil)) == [plain("\u{1F}istiklal\u{1F}65\u{1F}\u{1F}")])
    #expect(
      ids(house("Große ÅNGSTRÖM", locality: "Älmhult"))
        == [plain("älmhult\u{1F}große ångström\u{1F}65\u{1F}\u{1F}")])
  }

  @Test func `the state kept from row to row changes nothing`() {
    let records = [
      house("А", "1", locality: "Б"), house("А", "2", locality: "Б"),
      house("АБ", "1", locality: nil), house("Б", "1", locality: "А"),
      house("А", "1", locality: "Б"),
      house("Б", "1", locality: nil), house("А", "1", locality: nil),
    ]
    let together = FeedRun()("[\(records.joined(separator: ","))]").rows.map { $0.suffix(16) }
    #expect(together == records.map { FeedRun()("[\($0)]").rows[0].suffix(16) })
  }

  @Test func `every format has the same number`() {
    let result = FeedRun()(list(house()))
    #expect(
      String(decoding: result.ndjson, as: UTF8.self).contains(#""address_id":"9a52bf95f4e4a500""#))
    #expect(result.lines.contains("UID:9a52bf95f4e4a500-2020-1@hot-water.sluice"))
  }
}
