import Testing

@testable import Sluice

/// The formats of days and times that a sample suggests.
@Suite struct SampleFormsTests {
  private func draft(_ json: String) throws -> FeedDraft {
    try draftFeed(.bytes(Array(json.utf8)))
  }

  /// The first column of rows with these values under a key.
  private func column(_ key: String, _ values: [String]) throws -> FeedDraft.Column {
    let rows = values.enumerated().map { "{\"\(key)\":\($1),\"t\":\"x\($0)\"}" }
    return try draft("[" + rows.joined(separator: ",") + "]").columns[0]
  }

  @Test(arguments: [
    (["05/01/2026", "19/01/2026"], "dd/MM/yyyy", nil),
    (["5/1/2026", "19/1/2026"], "d/M/yyyy", nil),
    (["01/19/2026", "01/05/2026"], "MM/dd/yyyy", nil), (["31-12-2026"], "dd-MM-yyyy", nil),
    (["2026/01/05"], "yyyy/MM/dd", nil), (["2026.01.05"], "yyyy.MM.dd", nil),
    (["5 January 2026", "6 Feb 2026"], "d MMM yyyy", "en"),
    (["5. Januar 2026", "6. März 2026"], "d. MMM yyyy", "de"),
    (["Mo, 5. Jan. 2026"], "EEE, d. MMM yyyy", "de"),
    (["Mon, 5 Jan 2026"], "EEE, d MMM yyyy", "en"), (["5 января 2026"], "d MMM yyyy", "ru"),
    (["January 5, 2026"], "MMM d, yyyy", "en"), (["5th January 2026"], "do MMM yyyy", "en"),
    (["5 de enero de 2026"], "d 'de' MMM 'de' yyyy", "es"),
    (["19/01/2026 18:30"], "dd/MM/yyyy HH:mm", nil),
    (["19.01.2026 18:30:15"], "d.M.yyyy HH:mm:ss", nil),
  ])
  func `days in one format that fits all are proposed with it`(
    _ values: [String], _ format: String, _ names: String?
  ) throws {
    let column = try column("collection", values.map { "\"\($0)\"" })
    #expect(column.kind == .day)
    #expect(column.reading == .day(format: format, names: names))
  }

  @Test func `days of either order stay a text`() throws {
    let column = try column("d", [#""05/01/2026""#, #""06/02/2026""#])
    #expect(column.kind == .text)
    #expect(column.reading == .either("dd/MM/yyyy", "MM/dd/yyyy"))
    let draft = try draft(#"[{"d":"05/01/2026","bin":"bio","on":"2026-01-05"}]"#)
    #expect(draft.key == ["bin"] && draft.event?.title == ["bin"])
  }

  @Test(arguments: [
    ("startTime", ["1155", "800"], FeedDraft.Reading.time(format: nil)),
    ("at", [#""14:30""#, #""9:05""#], .time(format: nil)),
    ("at", [#""24:00""#, #""14:30:15""#], .time(format: nil)),
    ("at", [#""6:00 pm""#, #""11:30 AM""#], .time(format: "h:mm a")),
    ("date", ["20121026", "20121027"], .day(format: "yyyyMMdd", names: nil)),
    ("date", [#""20121026""#], .day(format: "yyyyMMdd", names: nil)),
    ("at", [#""2026-01-05T10:00:00""#, #""2026-01-06 00:00""#], .local),
  ])
  func `digits, times of day and local times`(
    _ key: String, _ values: [String], _ reading: FeedDraft.Reading
  ) throws {
    let column = try column(key, values)
    #expect(column.reading == reading)
    #expect(column.kind == (key == "date" || reading == .local ? .day : .time))
  }

  @Test(arguments: [
    ("id", ["20121026"], FieldKind.integer), ("price", ["1155", "800"], .integer),
    ("startTime", ["1155", "860"], .integer), ("d", [#""05/01/2026""#, #""soon""#], .text),
    ("d", [#""13/13/2026""#], .text), ("d", [#""19/01/26""#], .text),
    ("d", [#""5 Foo 2026""#], .text), ("d", [#""14:30""#, #""25:00""#], .text),
    ("d", [#""2026-01-05T10:00:00""#, #""2026-01-05T10:00:00Z""#], .text),
    ("date", ["99999999"], .integer), ("d", [#""1:2""#], .text), ("d", [#""01/19/1026""#], .text),
    ("d", [#""2026-01-05T00:00:00""#], .day), ("d", [#""5.1.2026""#], .day),
  ])
  func `whatever else there is stays as it was`(
    _ key: String, _ values: [String], _ kind: FieldKind
  ) throws {
    let column = try column(key, values)
    #expect(column.reading == nil)
    #expect(column.kind == kind)
  }

  @Test func `an event ends with its own end, not with one around all rows`() throws {
    let draft = try draft(
      #"{"end":"2026-02-01T00:00:00Z","l":[{"t":"x","at":"2026-01-05T10:00:00Z","#
        + #""until":"2026-01-05T11:00:00Z"}]}"#)
    #expect(draft.event?.end == "until")
  }

  @Test func `an event of days names the times of day beside it`() throws {
    let draft = try draft(
      #"[{"date":"19/01/2026","from":"18:00","to":"19:30","course":"Yoga"}]"#)
    #expect(
      draft.event
        == FeedDraft.Event(
          start: "date", end: nil, startTime: "from", endTime: "to", title: ["course"]))
  }
}
