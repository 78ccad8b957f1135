import Testing

@testable import Sluice

/// Large feeds: what is counted, and what memory holds.
@Suite struct WholeFeedTests {
  /// Pushes `count` records of the hot-water feed, piece by piece, into counters.
  private func push(_ count: Int, period: String = "22.06.2020-05.07.2020") throws(PipelineError)
    -> (counters: Counters, boxes: [PieceCounter.Box])
  {
    let counters = Counters()
    let boxes = (0..<3).map { _ in PieceCounter.Box() }
    let feed = Feed.hotWater
    var branches: [Branch] = [
      Branch(
        CSVEncoder(feed, dialect: .plain, into: PieceCounter(box: boxes[0]), counters: counters)),
      Branch(NDJSONEncoder(feed, into: PieceCounter(box: boxes[1]))),
    ]
    if let event = feed.event {
      branches.append(
        Branch(
          try CalendarEncoder(
            feed, event, options: CalendarOptions(language: .ru),
            into: PieceCounter(box: boxes[2]), counters: counters)))
    }
    var tokenizer = Tokenizer(
      into: Normalizer(
        feed, options: NormalizerOptions(), into: FanOut(branches), counters: counters),
      counters: counters)
    for index in 0..<count {
      let record =
        (index == 0 ? "[" : ",") + house("Улица \(index % 900)", "\(index)", period: period)
      try tokenizer.write(Array(record.utf8).span.bytes)
    }
    try tokenizer.write([UInt8(ascii: count == 0 ? "[" : " "), UInt8(ascii: "]")].span.bytes)
    try tokenizer.finish()
    return (counters, boxes)
  }

  @Test func `every record gives its row and event, and pieces stay small`() throws {
    let (counters, boxes) = try push(20_000)
    #expect(Counts(Statistics(counters)) == Counts(read: 20_000, kept: 20_000, rows: 20_000))
    #expect(counters.events.value == 20_000)
    #expect(counters.calendarBytes.value == boxes[2].count)
    #expect(boxes.allSatisfy { $0.count > 1_000_000 && $0.longest <= 128 << 10 })
  }

  @Test func `the same feed gives the same bytes however often it is read`() throws {
    let json = (0..<300).map { house("Улица \($0 % 9)", "\($0)", period: "1.6.2020, 2.7.2020") }
    let text = "[\(json.joined(separator: ","))]"
    let first = FeedRun()(text)
    #expect(FeedRun()(text).isSame(as: first))
    #expect(FeedRun()(text, cut: .pieces(997)).isSame(as: first))
  }

  @Test func `a cell has a hundred periods at most, or its record is refused`() throws {
    let cell = Array(repeating: "1.6.2020", count: 100).joined(separator: ",")
    let (counters, _) = try push(2, period: cell)
    #expect(Counts(Statistics(counters)) == Counts(read: 2, kept: 2, rows: 200))
    #expect(counters.events.value == 2)
    let result = FeedRun()("[\(house("А", "1", period: cell + ",2.6.2020"))]")
    #expect(result.rejects.map(\.reason) == [.tooManyPeriods])
    #expect(result.rows.isEmpty)
  }

  @Test func `counters run along`() throws {
    let counters = Counters()
    let count = 10
    var tokenizer = Tokenizer(
      into: Normalizer(
        .hotWater, options: NormalizerOptions(), into: FanOut([]), counters: counters),
      counters: counters)
    for index in 0..<count {
      let record = (index == 0 ? "[" : ",") + house()
      try tokenizer.write(Array(record.utf8).span.bytes)
      #expect(counters.read.value == index + 1)
      #expect(counters.progress.records == index + 1)
      #expect(counters.json.bytesIn.value == (index + 1) * (house().utf8.count + 1))
    }
  }
}
