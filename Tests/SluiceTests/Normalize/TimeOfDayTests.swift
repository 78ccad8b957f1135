import Testing

@testable import Sluice

/// Times of day as columns.
@Suite struct TimeOfDayTests {
  private func read(
    _ value: String, _ column: String = "kind: time", where condition: Condition? = nil
  ) throws -> String {
    let feed = try OwnFeed.read(OwnFeed.document("t: {\(column)}"))
    var run = FeedRun(feed: feed)
    if let condition { run.conditions = [condition] }
    let result = run("{\"d\":[{\"t\":\(value)}]}")
    #expect(result.error == nil)
    return result.rows.first ?? result.rejects.first?.reason.rawValue ?? "-"
  }

  @Test(arguments: [
    ("\"14:30\"", "14:30"), ("\"9:05\"", "09:05"), ("\"14:30:15\"", "14:30:15"),
    ("\"14:30:00\"", "14:30"), ("1155", "11:55"), ("850", "08:50"), ("\"0905\"", "09:05"),
    ("\"24:00\"", "24:00"), ("2400", "24:00"), ("\"00:00\"", "00:00"), ("\" 8:00 \"", "08:00"),

  ])
  func `a time of day`(_ value: String, _ time: String) throws {
    #expect(try read(value) == time)
  }

  @Test(arguments: [
    "\"24:01\"", "\"25:00\"", "\"14:60\"", "\"14:30:60\"", "\"14\"", "14", "\"14:3\"", "\"143015\"",
    "\"14:30:\"", "\":30\"", "\"14-30\"", "\"noon\"", "\"014:30\"", "14.5", "-850", "\"14:30Z\"",
    "\"1:2:3\"", "\"14:30:15:00\"",
  ])
  func `no time of day`(_ value: String) throws {
    #expect(try read(value) == "not-a-time")
  }

  @Test func `a missing time of day is no reject`() throws {
    let feed = try OwnFeed.read(OwnFeed.document("t: {kind: time}, n: n"))
    let result = FeedRun(feed: feed)(
      #"{"d":[{"t":"9:05","n":1},{"t":null,"n":2},{"n":3},{"t":"","n":4}]}"#)
    #expect(result.rows == ["09:05,1", ",2", ",3", ",4"] && result.rejects.isEmpty)
  }

  @Test func `numbers that count from midnight`() throws {
    #expect(try read("870", "kind: time, unit: minutes") == "14:30")
    #expect(try read("1440", "kind: time, unit: minutes") == "24:00")
    #expect(try read("\"52215\"", "kind: time, unit: seconds") == "14:30:15")
    for value in ["1441", "-1", "1.5", "\"x\"", "99999999999999999999"] {
      #expect(try read(value, "kind: time, unit: minutes") == "not-a-time")
    }
  }

  @Test(arguments: [
    ("2:30 pm", "h:mm a", "14:30"), ("12 AM", "h a", "00:00"), ("14h30", "H'h'mm", "14:30"),
    ("14.30 Uhr", "HH.mm 'Uhr'", "14:30"), ("143015", "HHmmss", "14:30:15"),
    ("14:30:15.000", "HH:mm:ss.SSS", "14:30:15"), ("08:00 am", "HH:mm a", "08:00"),
  ])
  func `a time of day in a format`(_ text: String, _ format: String, _ time: String) throws {
    #expect(try read("\"\(text)\"", "kind: time, format: \"\(format)\"") == time)
  }

  @Test func `halves of the day in other languages`() throws {
    #expect(try read("\"2:30 em\"", "kind: time, format: \"h:mm a\", names: sv") == "14:30")
    #expect(try read("\"2:30 p. m.\"", "kind: time, format: \"h:mm a\", names: es") == "14:30")
  }

  @Test func `an hour that does not fit its half is refused`() throws {
    #expect(try read("\"08:00 pm\"", "kind: time, format: \"HH:mm a\"") == "not-a-time")
    #expect(try read("\"13:00 pm\"", "kind: time, format: \"hh:mm a\"") == "not-a-time")
  }

  @Test func `the text of a column as seconds after midnight`() {
    func seconds(_ text: String) -> Int? {
      Array(text.utf8).withUnsafeBytes { TimeOfDay.seconds($0) }
    }
    #expect(seconds("14:30") == 52_200 && seconds("14:30:15") == 52_215)
    #expect(seconds("24:00") == 86_400 && seconds("00:00") == 0)
    #expect(seconds("") == nil && seconds("1:30") == nil && seconds("xx:yy") == nil)
  }

  @Test(arguments: [
    (">12:00", true), (">14:30", false), (">=1430", true), ("<9:00", false), ("=14:30", true),
    ("!=14:30", false), ("<24:00", true),
  ])
  func `conditions compare times`(_ text: String, _ isKept: Bool) throws {
    let signs: [(String, Condition.Comparison)] = [
      (">=", .greaterOrEqual), ("!=", .notEqual), (">", .greater), ("<", .less), ("=", .equal),
    ]
    let sign = try #require(signs.first { text.hasPrefix($0.0) })
    let condition = Condition(
      column: "t", sign.1, value: String(text.dropFirst(sign.0.count)))
    #expect(try read("\"14:30\"", where: condition) == (isKept ? "14:30" : "-"))
  }

  @Test func `times are sorted by time`() throws {
    let times = ["00:00", "09:05", "14:30", "14:30:15", "14:31", "24:00", ""]
    var key = SortKey()
    let keys = times.map { text in
      var bytes = ByteBuffer(capacity: 64)
      Array(text.utf8).withUnsafeBytes { key.append($0, .time, isDescending: false, to: &bytes) }
      return Array(bytes.contents)
    }
    for (first, second) in zip(keys, keys.dropFirst()) {
      #expect(first.lexicographicallyPrecedes(second))
    }
  }
}
