import Foundation
import Testing

@testable import Sluice

/// Whole runs end alike on one thread and on two: error, counts and outputs.
@Suite struct OffloadRunTests {
  /// Where an input is wrong, one place for each part of the way.
  enum Flaw: CaseIterable {
    case none, checksum, size, deflate, cut, trailing, otherEntry, base64, padding, status, envelope
  }

  /// Where the content is wrong: in the first, a middle or the last chunk, or as a whole.
  enum Content: CaseIterable {
    case fine, early, middle, late, cut, foreign, refused
  }

  /// What becomes of the rows.
  enum Sink: CaseIterable {
    case fine, fullAtOnce, fullMidway, fullAtEnd
  }

  /// How much comes of the fine content.
  private static let outputSize =
    OffloadRunTests().run(input(json(.fine), .none), piece: 1 << 20, .fine, .never).output.count

  private static func json(_ content: Content) -> [UInt8] {
    let count = 2500
    var records = (0..<count).map { house("Улица \($0 &* 7919 % 9973)", "\($0)") }
    switch content {
    case .fine: break
    case .early: records[10] += "x"
    case .middle: records[count / 2] += "\u{1}"
    case .late: records[count - 1] += ","
    case .cut: records[count - 1] += ",{"
    case .foreign: records = (0..<count).map { #"{"a":\#($0),"b":"\#($0 &* 7919)"}"# }
    case .refused: for index in 0..<count { records[index] = house("А", "\(index)", period: "?") }
    }
    let text = "[" + records.joined(separator: ",\n")
    return Array((content == .cut ? text : text + "]").utf8)
  }

  private static func input(_ json: [UInt8], _ flaw: Flaw) -> [UInt8] {
    // Stored, an entry's data comes in as many pieces as go out.
    var zip = ZIPBuilder()
    zip.add(Array("a".utf8), json, stored: flaw != .deflate && flaw != .size) { entry in
      if flaw == .checksum { entry.local.crc ^= 1 }
      if flaw == .size {
        entry.local.size -= 1
        entry.central.size -= 1
      }
      if flaw == .deflate { entry.data[entry.data.count * 3 / 4] ^= 0x55 }
    }
    if flaw == .otherEntry { zip.add("b", Array(repeating: 0x20, count: 5000)) }
    if flaw == .trailing { zip.trailing = [0] }
    var archive = zip.build()
    if flaw == .cut { archive.removeLast(archive.count / 8) }
    var text = Array(Data(archive).base64EncodedString().utf8)
    if flaw == .base64 { text[text.count * 7 / 8] = UInt8(ascii: "!") }
    if flaw == .padding { text += [UInt8(ascii: "=")] }
    let answer =
      #"{"status":"result","responseData":{"classifiers":[{"classifierId":4,"file":""#
    let end = flaw == .envelope ? #"","file":1}]}}"# : #""}]},"x":1}"#
    let whole = Array(answer.utf8) + text + Array(end.utf8)
    return flaw == .status ? whole.dropLast() + Array("x".utf8) : whole
  }

  /// How a run ended.
  private struct Result: Equatable {
    var error: PipelineError?
    var output: [UInt8]
    var isFinished: Bool
    var rejects: [Reject]
    var statistics: [UInt8]
  }

  private func run(_ input: [UInt8], piece: Int, _ sink: Sink, _ rule: OffloadRule) -> Result {
    let tally = Tally()
    let box = FillingSink.Box()
    box.room =
      switch sink {
      case .fine: .max
      case .fullAtOnce: 0
      case .fullMidway: 100_000
      case .fullAtEnd: Self.outputSize - 1
      }
    let rejects = RejectList()
    let offloading = Offloading(rule, tally: tally)
    var error: PipelineError?
    do throws(PipelineError) {
      let encoder = CSVEncoder(
        .hotWater, dialect: .plain, into: FillingSink(box: box), tally: tally)
      let rows = Normalizer(
        .hotWater, options: NormalizerOptions(rejects: rejects),
        into: FanOut([Branch(encoder)]), tally: tally)
      let options = DecodingOptions(envelope: Feed.hotWater.envelope)
      let stage = InputStage(InputRoutes(into: rows, options: options, offloading, tally: tally))
      try ChunkCutter.feed(input, inPiecesOf: piece, to: stage)
    } catch let thrown {
      error = offloading.settle(thrown)
    }
    return Result(
      error: error, output: box.bytes, isFinished: box.isFinished, rejects: rejects.rejects,
      statistics: StatisticsText.of(Statistics(tally)))
  }

  @Test(arguments: Content.allCases, Flaw.allCases)
  func `one thread and two agree on every end`(content: Content, flaw: Flaw) {
    let input = Self.input(Self.json(content), flaw)
    for sink in Sink.allCases {
      for (piece, threshold) in [(input.count, 0), (50_021, 200_000)] {
        let alone = run(input, piece: piece, sink, .never)
        let rule = OffloadRule(threshold: threshold, processors: 1)
        let both = run(input, piece: piece, sink, rule)
        #expect(both == alone, "\(sink), pieces of \(piece): \(Self.difference(both, alone))")
      }
    }
  }

  @Test func `small pieces make no difference`() {
    for (content, flaw) in [(Content.fine, Flaw.none), (.middle, .checksum), (.late, .cut)] {
      let input = Self.input(Self.json(content), flaw)
      let alone = run(input, piece: 131, .fullMidway, .never)
      for piece in [131, 1021] {
        let expected = piece == 131 ? alone : run(input, piece: piece, .fullMidway, .never)
        let rule = OffloadRule(threshold: 0, processors: 1)
        #expect(run(input, piece: piece, .fullMidway, rule) == expected)
      }
    }
  }

  @Test func `what each flaw is, one thread says`() {
    func error(_ content: Content, _ flaw: Flaw, _ sink: Sink = .fine) -> Stage? {
      run(Self.input(Self.json(content), flaw), piece: 128 << 10, sink, .never).error?.stage
    }
    #expect(error(.fine, .none) == nil)
    // The archive's own error says more than one of the content, which says more than nothing.
    #expect(error(.early, .checksum) == .unzip)
    #expect(error(.middle, .base64) == .base64)
    #expect(error(.early, .none) == .json)
    #expect(error(.foreign, .none) == .normalize)
    #expect(error(.refused, .none) == .normalize)
    // A full disk ends the run before the rest is read.
    for flaw in [Flaw.checksum, .cut, .base64, .status, .envelope] {
      #expect(error(.fine, flaw, .fullMidway) == .sink)
    }
    #expect(error(.fine, .none, .fullAtEnd) == .sink)
  }

  @Test(arguments: [Content.fine, .middle, .refused], [Flaw.none, .checksum, .base64])
  func `a conversion publishes, counts and says the same`(content: Content, flaw: Flaw) throws {
    let folder = try ScratchFolder()
    let input = Self.input(Self.json(content), flaw)
    #expect(FileManager.default.createFile(atPath: folder("in"), contents: Data(input)))
    func convert(_ rule: OffloadRule, _ name: String, full: Bool) -> (PipelineError?, [UInt8]) {
      var conversion = Conversion(.hotWater, .file(folder("in")))
      conversion.outputs = [
        Conversion.Output(.file(folder("\(name).csv")), .csv),
        Conversion.Output(.file(folder("\(name).ics")), .ics),
      ]
      if full { conversion.outputs.append(Conversion.Output(.file("/dev/full"), .ndjson)) }
      conversion.rejects = .file(folder("\(name).rejects"))
      conversion.offload = rule
      var outcome = Sluice.convert(conversion)
      outcome.statistics.seconds = 0
      for index in outcome.statistics.written.indices {
        outcome.statistics.written[index].path = ""
      }
      return (outcome.error, StatisticsText.of(outcome.statistics))
    }
    for full in [false, true] {
      let alone = convert(.never, "one", full: full)
      let both = convert(OffloadRule(threshold: 0, processors: 1), "two", full: full)
      #expect(both.0 == alone.0)
      #expect(both.1 == alone.1)
      for kind in ["csv", "ics", "rejects"] {
        #expect(folder.text("one.\(kind)") == folder.text("two.\(kind)"))
      }
    }
    #expect(folder.names.allSatisfy { !$0.hasPrefix(".") })
  }

  private static func difference(_ one: Result, _ other: Result) -> String {
    """
    \(String(describing: one.error)), \(one.output.count) bytes, \
    \(String(decoding: one.statistics, as: UTF8.self)); alone: \
    \(String(describing: other.error)), \(other.output.count) bytes, \
    \(String(decoding: other.statistics, as: UTF8.self))
    """
  }
}

/// Statistics as text, to be compared whole.
private enum StatisticsText {
  static func of(_ statistics: Statistics) -> [UInt8] {
    let text = StatisticsEncoder.encode(statistics)
    return Array(UnsafeRawBufferPointer(start: text.start, count: text.count))
  }
}

/// Keeps what it is given until it is full, like a disk.
private struct FillingSink: ByteStage, ~Copyable {
  /// What it was given.
  final class Box {
    var bytes: [UInt8] = []
    var room = Int.max
    var isFinished = false
  }

  let box: Box

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    bytes.withUnsafeBytes { box.bytes.append(contentsOf: $0) }
    if box.bytes.count > box.room {
      throw PipelineError(sink: .write(path: "disk", errno: 28), at: box.room)
    }
  }

  consuming func finish() throws(PipelineError) { box.isFinished = true }
}
