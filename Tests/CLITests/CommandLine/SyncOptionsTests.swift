import Sluice
import SluiceSync
import Testing

@testable import sluice_cli

@Suite struct SyncOptionsTests {
  private func sync(_ line: String) throws -> SyncOptions {
    try #require(try understand("sync " + line) as? SyncOptions)
  }

  @Test func `sync takes what convert takes`() throws {
    let options = try sync("x.json -o a.csv -o b.ics --where house=5 --alarm 1d --rejects r")
    #expect(
      try options.convert
        == convert("x.json -o a.csv -o b.ics --where house=5 --alarm 1d --rejects r"))
    #expect(options.maxShrink == .standard && !options.accepts)
    #expect(options.maxAge == nil && options.staleOK == nil && options.today == nil)
  }

  @Test func `its own options are read`() throws {
    let options = try sync(
      "-o a.csv --max-age 90s --stale-ok 7d --max-shrink 12.5% --accept --today 2020-06-22 "
        + "--state /s --header X:1 --header Y:2")
    #expect(options.maxAge == 90 && options.staleOK == 604_800)
    #expect(options.maxShrink == ShrinkLimit(millionths: 125_000))
    #expect(options.accepts && options.convert.state == "/s")
    #expect("\(options.today.map { "\($0)" } ?? "")" == "2020-06-22")
    #expect(options.convert.reading.headers == ["X: 1", "Y: 2"])
    #expect(try sync("-o a.csv --max-age 0").maxAge == 0)
    #expect(try sync("-o a.csv --max-time 90s").convert.maxTime == 90)
    #expect(try sync("-o a.csv --max-time 90s").convert.conversion.maxSeconds == 90)
    #expect(try sync("-o a.csv --max-time 0").convert.conversion.maxSeconds == nil)
    #expect(try convert("x.json").conversion.maxSeconds == nil)
    #expect(try sync("-o a.csv --ping http://h/k").ping == Ping("http://h/k"))
  }

  @Test(arguments: ["", "-o -", "-o /dev/stdout", "-o a.csv -o - --format csv"])
  func `it wants files`(line: String) {
    #expect(problem("sync " + line) == .noFileToSync)
  }

  @Test func `values that cannot be read are refused`() {
    for value in ["5", "5y", "-5h", "h", "1000000d", "1.5h"] {
      #expect(problem("sync -o a.csv --max-age \(value)") == .badValue(.maxAge, value: value))
      #expect(problem("sync -o a.csv --stale-ok \(value)") == .badValue(.staleOK, value: value))
      #expect(problem("sync -o a.csv --max-time \(value)") == .badValue(.maxTime, value: value))
    }
    for value in ["25", "101%", "x%", "%"] {
      #expect(
        problem("sync -o a.csv --max-shrink \(value)") == .badValue(.maxShrink, value: value))
    }
    for value in [
      "X", "X:", ":1", "X\u{1}:1", "Х:1", "Range:1", "ACCEPT-ENCODING:gzip", "X:1\r\nY:2",
    ] {
      let invocation = Invocation(["convert", "--header", value]) { _ in nil }
      #expect(throws: UsageError.badValue(.header, value: value)) {
        try invocation.request.get()
      }
    }
    #expect(problem("sync -o a.csv --today yesterday") == .badValue(.today, value: "yesterday"))
    #expect(problem("sync -o a.csv --ping h/k") == .badValue(.ping, value: "***"))
    #expect(problem("convert --accept") != nil && problem("sync -o a.csv --offline") != nil)
    #expect(problem("status x") == .excessOperand("x"))
  }
}
