import Sluice
import Testing

@testable import sluice_cli

@Suite struct ValuesTests {
  @Test func `alarms become durations`() {
    #expect(Alarm("1d")?.duration == "P1D")
    #expect(Alarm("2h")?.duration == "PT2H")
    #expect(Alarm("30m")?.duration == "PT30M")
    #expect(Alarm("1w")?.duration == "P1W")
    #expect(Alarm("007d")?.duration == "P7D")
  }

  @Test(arguments: [
    "", "d", "0d", "-1d", "+1d", "1", "1 d", "1.5h", "1y", "1D", "1d2h", "1000000m",
  ])
  func `other lengths of time are refused`(text: String) {
    #expect(Alarm(text) == nil)
  }

  @Test func `limits of rejects are counts or percentages`() {
    #expect(RejectLimit("0") == .count(0))
    #expect(RejectLimit("12") == .count(12))
    #expect(RejectLimit("10%") == .standard)
    #expect(RejectLimit("0%") == .share(millionths: 0))
    #expect(RejectLimit("0.5%") == .share(millionths: 5_000))
    #expect(RejectLimit("0.0001%") == .share(millionths: 1))
    #expect(RejectLimit("100%") == .share(millionths: 1_000_000))
  }

  @Test(arguments: ["", "%", "-1", "1.5", "5 %", ".5%", "1.%", "0.00001%", "100.1%", "101%", "x"])
  func `other limits are refused`(text: String) {
    #expect(RejectLimit(text) == nil)
  }

  @Test func `sizes may have units of 1024`() {
    #expect(byteCount("1") == 1)
    #expect(byteCount("1000000") == 1_000_000)
    #expect(byteCount("2K") == 2048)
    #expect(byteCount("2k") == 2048)
    #expect(byteCount("64MiB") == 67_108_864)
    #expect(byteCount("2G") == 2_147_483_648)
    #expect(byteCount("1TiB") == 1_099_511_627_776)
  }

  @Test(arguments: [
    "", "0", "0K", "K", "-1", "1.5G", "1KB", "1 K", "1P", "9223372036854775807K", "٣",
  ])
  func `other sizes are refused`(text: String) {
    #expect(byteCount(text) == nil)
  }

  @Test func `days are written in full`() {
    #expect(Day(iso: "2020-06-22") == Day(year: 2020, month: 6, day: 22))
    #expect(Day(iso: "2020-02-29") != nil)
  }

  @Test(
    arguments: [
      "", "2020", "2020-6-22", "20-06-22", "22.06.2020", "2020-02-30", "2019-02-29", "2020-13-01",
      "2020-00-01", "0000-01-01", "2020-06-22 ", "2020-06-22-", "+020-06-22",
    ])
  func `other days are refused`(text: String) {
    #expect(Day(iso: text) == nil)
  }

  @Test func `inputs are told apart by how they are written`() throws {
    let hotWater = try Feed.known(as: "hot-water")
    #expect(try Input(nil, of: hotWater) == hotWater.url.map(Input.url))
    #expect(throws: UsageError.noInput(feed: "bonds")) {
      try Input(nil, of: Feed.known(as: "bonds"))
    }
    #expect(try Input("-", of: hotWater) == .standardInput)
    #expect(try Input("http://a", of: hotWater) == .url("http://a"))
    #expect(try Input("HTTPS://a", of: hotWater) == .url("HTTPS://a"))
    #expect(try Input("a/b.zip", of: hotWater) == .file("a/b.zip"))
    #expect(try Input("./ftp://a", of: hotWater) == .file("./ftp://a"))
    #expect(try Input("a:b", of: hotWater) == .file("a:b"))
    #expect(try Input("://a", of: hotWater) == .file("://a"))
    #expect(throws: UsageError.unknownScheme("ftp://a")) { try Input("ftp://a", of: hotWater) }
    #expect(throws: UsageError.unknownScheme("file:///a")) { try Input("file:///a", of: hotWater) }
  }
}
