import Testing

@testable import Sluice

/// What a stage made of an input: its output, and how it ended.
struct Outcome: Equatable {
  var output: [UInt8]
  var error: PipelineError?

  /// The output as text.
  var text: String { String(decoding: output, as: UTF8.self) }
}

/// Feeds bytes to a stage, cut in pieces.
enum ChunkCutter {
  /// Feeds `input` in pieces of `length` bytes.
  static func feed<Stage: ByteStage & ~Copyable>(
    _ input: [UInt8], inPiecesOf length: Int, to stage: consuming Stage
  ) throws(PipelineError) {
    var stage = stage
    var at = 0
    while at < input.count {
      let end = min(at + length, input.count)
      try stage.write(input.span.bytes.extracting(at..<end))
      at = end
    }
    try stage.finish()
  }

  /// Feeds `input` in two parts; each of them may be empty.
  static func feed<Stage: ByteStage & ~Copyable>(
    _ input: [UInt8], splitAt split: Int, to stage: consuming Stage
  ) throws(PipelineError) {
    var stage = stage
    try stage.write(input.span.bytes.extracting(0..<split))
    try stage.write(input.span.bytes.extracting(split..<input.count))
    try stage.finish()
  }

  /// Runs a stage over `input` in one piece.
  static func whole<Stage: ByteStage & ~Copyable>(
    _ input: [UInt8], failsAt: Int? = nil, _ make: (consuming Collector) -> Stage
  ) -> Outcome {
    pieces(input, of: max(input.count, 1), failsAt: failsAt, make)
  }

  /// Runs a stage over `input` in pieces of `length` bytes.
  static func pieces<Stage: ByteStage & ~Copyable>(
    _ input: [UInt8], of length: Int, failsAt: Int? = nil, _ make: (consuming Collector) -> Stage
  ) -> Outcome {
    collect(failsAt) { (collector) throws(PipelineError) in
      try feed(input, inPiecesOf: length, to: make(collector))
    }
  }

  /// Runs a stage over `input` whole, in pieces of 1 to 31 bytes, and in every two-part split
  /// (of inputs above 4 KiB, in some), and demands the same output and the same error, offset
  /// included.
  static func everyCut<Stage: ByteStage & ~Copyable>(
    _ input: [UInt8], failsAt: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ make: (consuming Collector) -> Stage
  ) -> Outcome {
    let expected = whole(input, failsAt: failsAt, make)
    for length in 1...31 {
      let outcome = pieces(input, of: length, failsAt: failsAt, make)
      guard outcome == expected else {
        Issue.record(
          "pieces of \(length): \(difference(outcome, expected))", sourceLocation: sourceLocation)
        return expected
      }
    }
    for split in stride(from: 0, through: input.count, by: 1 + input.count / 4096) {
      let outcome = collect(failsAt) { (collector) throws(PipelineError) in
        try feed(input, splitAt: split, to: make(collector))
      }
      guard outcome == expected else {
        Issue.record(
          "split at \(split): \(difference(outcome, expected))", sourceLocation: sourceLocation)
        return expected
      }
    }
    return expected
  }

  private static func collect(
    _ failsAt: Int?, _ run: (consuming Collector) throws(PipelineError) -> Void
  ) -> Outcome {
    let box = Collector.Box()
    box.failsAt = failsAt
    do {
      try run(Collector(box: box))
      #expect(box.isFinished)
      return Outcome(output: box.bytes, error: nil)
    } catch {
      #expect(!box.isFinished)
      return Outcome(output: box.bytes, error: error)
    }
  }

  private static func difference(_ outcome: Outcome, _ expected: Outcome) -> String {
    """
    \(outcome.output.count) bytes, \(String(describing: outcome.error)); in one piece \
    \(expected.output.count) bytes, \(String(describing: expected.error))
    """
  }
}
