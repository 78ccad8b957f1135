import Foundation

@testable import Sluice

/// A run of the hot-water feed into sinks that may be full, on one thread or on several.
struct ThreadedRun {
  /// Where an input is wrong, one place for each part of the way.
  enum Flaw: CaseIterable {
    case none, checksum, size, deflate, cut, trailing, otherEntry, base64, padding, status, envelope
  }

  /// Where the content is wrong: in the first, a middle or the last chunk, or as a whole;
  /// `mixed`: some records are refused.
  enum Content: CaseIterable {
    case fine, mixed, early, middle, late, cut, foreign, refused
  }

  /// When an output is full.
  enum Sink: CaseIterable {
    case fine, fullAtOnce, fullMidway, fullAtEnd
  }

  /// How a run ended.
  struct Result: Equatable, CustomStringConvertible {
    var error: PipelineError?
    var outputs: [[UInt8]]
    var isFinished: [Bool]
    var rejects: [UInt8]
    var statistics: [UInt8]

    /// What can be read of it when two are not equal.
    var description: String {
      let error = error.map { "\($0)" } ?? "no error"
      let statistics = String(decoding: statistics, as: UTF8.self)
      return "\(error), \(outputs.map(\.count)) bytes, \(rejects.count) of rejects, \(statistics)"
    }
  }

  /// The outputs, in their order.
  var outputs: [(format: OutputFormat, sink: Sink)] = [(.csv, .fine)]
  var offload = OffloadRule.never
  var writing = OffloadRule.never

  /// The same run with threads behind the archive, before the outputs, and at both places.
  func withThreads(from threshold: Int = 0, outputsFrom outputThreshold: Int = 0) -> [ThreadedRun] {
    let rule = OffloadRule(threshold: threshold, processors: 1)
    let outputRule = OffloadRule(threshold: outputThreshold, processors: 1)
    return [(rule, .never), (.never, outputRule), (rule, outputRule)].map {
      ThreadedRun(outputs: outputs, offload: $0.0, writing: $0.1)
    }
  }

  func callAsFunction(_ input: [UInt8], piece: Int) -> Result {
    let counters = Counters()
    let queue = OutputQueue(writing, counters: counters)
    let refused = Collector.Box()
    let rejects = RejectEncoder(into: QueuedOutput(into: Collector(box: refused), queue))
    queue.rejects = rejects
    let boxes = outputs.map { FillingSink.Box(room: Self.room($0)) }
    let offloading = Offloading(offload, counters: counters)
    var failure: PipelineError?
    do throws(PipelineError) {
      var branches: [Branch] = []
      for (output, box) in zip(outputs, boxes) {
        let sink = QueuedOutput(into: FillingSink(box: box), queue)
        branches.append(try Self.branch(output.format, sink, counters))
      }
      let rows = Normalizer(
        .hotWater, options: NormalizerOptions(rejects: rejects), into: FanOut(branches),
        counters: counters)
      let options = DecodingOptions(envelope: Feed.hotWater.envelope)
      let decoding = Decoding(into: rows, options: options, offloading, counters: counters)
      try ChunkCutter.feed(input, inPiecesOf: piece, to: decoding.stages)
    } catch {
      failure = offloading.settle(error)
    }
    failure = queue.end(after: failure)
    try? rejects.finish()
    return Result(
      error: failure, outputs: boxes.map(\.bytes), isFinished: boxes.map(\.isFinished),
      rejects: refused.bytes, statistics: StatisticsText.of(Statistics(counters)))
  }

  private static func branch(
    _ format: OutputFormat, _ sink: consuming QueuedOutput<FillingSink>, _ counters: Counters
  ) throws(PipelineError) -> Branch {
    let feed = Feed.hotWater
    switch format {
    case .csv: return Branch(CSVEncoder(feed, dialect: .plain, into: sink, counters: counters))
    case .ndjson: return Branch(NDJSONEncoder(feed, into: sink))
    default:
      guard let event = feed.event else { preconditionFailure("the feed has events") }
      return Branch(
        try CalendarEncoder(
          feed, event, options: CalendarOptions(language: .ru), into: sink, counters: counters))
    }
  }

  /// How much comes of the fine content.
  private static let sizes: [OutputFormat: Int] = {
    let formats: [OutputFormat] = [.csv, .ndjson, .ics]
    let run = ThreadedRun(outputs: formats.map { ($0, .fine) })
    let sizes = run(input(json(.fine), .none), piece: 1 << 20).outputs.map(\.count)
    return Dictionary(uniqueKeysWithValues: zip(formats, sizes))
  }()

  private static func room(_ output: (format: OutputFormat, sink: Sink)) -> Int {
    switch output.sink {
    case .fine: .max
    case .fullAtOnce: 0
    case .fullMidway: (sizes[output.format] ?? 0) / 2
    case .fullAtEnd: (sizes[output.format] ?? 0) - 1
    }
  }

  static func json(_ content: Content) -> [UInt8] {
    // Long streets: as many bytes of fewer records take less time.
    let count = content == .foreign ? 2500 : 800
    let filler = String(repeating: "длинная ", count: 14)
    var records = (0..<count).map { house("Улица \(filler)\($0 &* 7919 % 9973)", "\($0)") }
    switch content {
    case .fine: break
    case .mixed:
      for index in stride(from: 5, to: count, by: 12) {
        records[index] = house("А", "\(index)", period: "когда-нибудь, но не сейчас")
      }
    case .early: records[10] += "x"
    case .middle: records[count / 2] += "\u{1}"
    case .late: records[count - 1] += ","
    case .cut: records[count - 1] += ",{"
    case .foreign: records = (0..<count).map { #"{"a":\#($0),"b":"\#($0 &* 7919)"}"# }
    case .refused:
      for index in 0..<count { records[index] = house("А \(filler)", "\(index)", period: "?") }
    }
    let text = "[" + records.joined(separator: ",\n")
    return Array((content == .cut ? text : text + "]").utf8)
  }

  static func input(_ json: [UInt8], _ flaw: Flaw) -> [UInt8] {
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
}

/// Statistics as text, to be compared whole.
enum StatisticsText {
  static func of(_ statistics: Statistics) -> [UInt8] {
    let text = StatisticsEncoder.encode(statistics)
    return Array(UnsafeRawBufferPointer(start: text.start, count: text.count))
  }
}

/// Keeps what it is given until it is full, like a disk.
struct FillingSink: ByteStage, ~Copyable {
  /// What it was given.
  final class Box {
    var bytes: [UInt8] = []
    let room: Int
    var isFinished = false
    init(room: Int) { self.room = room }
  }

  let box: Box

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    bytes.withUnsafeBytes { box.bytes.append(contentsOf: $0) }
    guard box.bytes.count > box.room else { return }
    // Whoever runs ahead on another thread is to get far.
    usleep(1000)
    throw PipelineError(sink: .write(path: "disk", errno: 28), at: box.room)
  }

  consuming func finish() throws(PipelineError) { box.isFinished = true }
}
