import Foundation
import Testing

@testable import Sluice

/// Whole runs end alike on one thread and on several: error, counts, outputs and rejects.
@Suite(.slow) struct OffloadRunTests {
  typealias Flaw = ThreadedRun.Flaw
  typealias Content = ThreadedRun.Content
  typealias Sink = ThreadedRun.Sink

  @Test(arguments: Content.allCases, Flaw.allCases)
  func `one thread and several agree on every end`(content: Content, flaw: Flaw) {
    let input = ThreadedRun.input(ThreadedRun.json(content), flaw)
    for sink in Sink.allCases {
      let run = ThreadedRun(outputs: [(.csv, sink)])
      let alone = run(input, piece: input.count)
      for threads in run.withThreads().dropFirst() {
        #expect(threads(input, piece: input.count) == alone, "\(sink)")
      }
      guard sink == .fine || sink == .fullMidway else { continue }
      let inPieces = run(input, piece: 50_021)
      for threads in run.withThreads(from: 200_000, outputsFrom: 100_000).dropLast() {
        #expect(threads(input, piece: 50_021) == inPieces, "\(sink), in pieces")
      }
    }
  }

  @Test func `small pieces make no difference`() {
    for (content, flaw) in [(Content.fine, Flaw.none), (.middle, .checksum), (.late, .cut)] {
      let input = ThreadedRun.input(ThreadedRun.json(content), flaw)
      let run = ThreadedRun(outputs: [(.csv, .fullMidway)])
      for piece in [131, 1021] {
        let alone = run(input, piece: piece)
        for threads in run.withThreads() { #expect(threads(input, piece: piece) == alone) }
      }
    }
  }

  @Test(arguments: [(Content.fine, Flaw.none), (.mixed, .trailing)])
  func `of several outputs the same one fails, at the same place`(content: Content, flaw: Flaw) {
    let input = ThreadedRun.input(ThreadedRun.json(content), flaw)
    let orders: [[OutputFormat]] = [
      [.csv, .ndjson, .ics], [.csv, .ics, .ndjson], [.ndjson, .csv, .ics], [.ndjson, .ics, .csv],
      [.ics, .csv, .ndjson], [.ics, .ndjson, .csv],
    ]
    for order in orders {
      for (first, second) in [
        (Sink.fullMidway, Sink.fine), (.fine, .fullMidway), (.fullMidway, .fullAtOnce),
      ] {
        let run = ThreadedRun(outputs: Array(zip(order, [first, second, .fine])))
        let alone = run(input, piece: 100_003)
        #expect(alone.error?.stage == .sink)
        for threads in run.withThreads() {
          #expect(threads(input, piece: 100_003) == alone, "\(order), \(first), \(second)")
        }
      }
    }
  }

  @Test func `what each flaw is, one thread says`() {
    func error(_ content: Content, _ flaw: Flaw, _ sink: Sink = .fine) -> Stage? {
      let run = ThreadedRun(outputs: [(.csv, sink)])
      return run(ThreadedRun.input(ThreadedRun.json(content), flaw), piece: 128 << 10).error?.stage
    }
    #expect(error(.fine, .none) == nil)
    #expect(error(.mixed, .none) == nil)
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

  @Test(arguments: [Content.fine, .mixed, .middle, .refused], [Flaw.none, .checksum, .base64])
  func `a conversion publishes, counts and says the same`(content: Content, flaw: Flaw) throws {
    let folder = try ScratchFolder()
    let input = ThreadedRun.input(ThreadedRun.json(content), flaw)
    #expect(FileManager.default.createFile(atPath: folder("in"), contents: Data(input)))
    func result(
      _ offload: OffloadRule, _ writing: OffloadRule, _ name: String, full: Int?
    ) -> (PipelineError?, String) {
      var conversion = Conversion(of: .file(folder("in")), as: .hotWater)
      conversion.outputs = [
        Conversion.Output(.file(folder("\(name).csv")), .csv),
        Conversion.Output(.file(folder("\(name).ics")), .ics),
      ]
      if let full {
        conversion.outputs.insert(Conversion.Output(.file("/dev/full"), .ndjson), at: full)
      }
      conversion.rejects = .file(folder("\(name).rejects"))
      conversion.offload = offload
      conversion.writing = writing
      var outcome = convert(conversion, counters: Counters()) { () throws(PipelineError) in
        try conversion.source()
      }
      outcome.statistics.seconds = 0
      for index in outcome.statistics.written.indices {
        outcome.statistics.written[index].path = ""
      }
      let statistics = StatisticsText.of(outcome.statistics)
      return (outcome.error, String(decoding: statistics, as: UTF8.self))
    }
    let threads = OffloadRule(threshold: 0, processors: 1)
    for full in [nil, 0, 1, 2] {
      let alone = result(.never, .never, "one", full: full)
      for (offload, writing) in [(threads, .never), (.never, threads), (threads, threads)] {
        let several = result(offload, writing, "two", full: full)
        #expect(several.0 == alone.0)
        #expect(several.1 == alone.1)
        for kind in ["csv", "ics", "rejects"] {
          #expect(folder.text("one.\(kind)") == folder.text("two.\(kind)"))
        }
      }
    }
    #expect(folder.names.allSatisfy { !$0.hasPrefix(".") })
  }
}
