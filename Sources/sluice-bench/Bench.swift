import Glibc
import Sluice

/// Measures the stages of the pipeline, each by itself, over one feed.
///
///     sluice-bench [FEED] [--stage NAME] [--once]
///
/// Prints a table: of several passes the fastest counts. With `--once` a stage runs a single time
/// and nothing is printed: a profiler looks on, at `measuredPass` alone.
struct Bench {
  private static let sample = "Samples/hot-water/full.json"
  /// How long a stage is measured, and how often at least.
  private static let time = Duration.seconds(1)
  private static let leastPasses = 5

  private var path = Self.sample
  private var stages = MeasuredStage.allCases
  private var isOnce = false

  init(_ arguments: [String]) throws {
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--once": isOnce = true
      case "--stage":
        guard let stage = rest.popFirst().flatMap(MeasuredStage.init(rawValue:)) else {
          let names = MeasuredStage.allCases.map(\.rawValue).joined(separator: ", ")
          throw Failure(description: "--stage is one of \(names)")
        }
        stages = [stage]
      default:
        guard !argument.hasPrefix("-") else { throw Failure(description: "what is \(argument)?") }
        path = argument
      }
    }
  }

  func run() throws {
    guard let feed = Feed.names.first.flatMap(Feed.named) else { return }
    let layers = try FeedLayers(feed, Self.read(path))
    if isOnce {
      for stage in stages { try stage.measuredPass(feed, layers) }
      return
    }
    print("\(path): \(layers.records) records, \(layers.json.count) bytes of JSON")
    print(Self.row("stage", "MB/s", "ns/record", "ms"))
    var times: [MeasuredStage: Double] = [:]
    for stage in stages where !stage.input(layers).isEmpty {
      for needed in [stage.driver, stage].compactMap({ $0 }) where times[needed] == nil {
        times[needed] = try Self.best(needed, feed, layers)
      }
      let before = stage.driver.flatMap { times[$0] } ?? 0
      let time = (times[stage] ?? 0) - before
      print(
        Self.row(
          stage.rawValue, Self.decimal(Double(stage.size(layers)) * 1e-6 / time),
          Self.decimal(time * 1e9 / Double(max(1, layers.records))), Self.decimal(time * 1e3)))
    }
  }

  /// The seconds of the fastest pass.
  private static func best(
    _ stage: MeasuredStage, _ feed: Feed, _ layers: FeedLayers
  ) throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    var best = Duration.seconds(1000)
    var passes = 0
    while passes < leastPasses || clock.now - start < time {
      let begin = clock.now
      try stage.measuredPass(feed, layers)
      best = min(best, clock.now - begin)
      passes += 1
    }
    return Double(best.components.seconds) + Double(best.components.attoseconds) * 1e-18
  }

  private static func row(_ cells: String...) -> String {
    cells.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }.joined()
  }

  /// A number with one decimal.
  private static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  private static func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else {
      throw Failure(description: "\(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while true {
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
        count = fread(buffer.baseAddress, 1, buffer.count, file)
      }
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }
}
