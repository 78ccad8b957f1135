import Testing

@testable import Sluice

extension ChunkCutter {
  /// A way to cut an input.
  enum Cut: CustomStringConvertible {
    case whole
    case pieces(of: Int)
    case split(at: Int)

    var description: String {
      switch self {
      case .whole: "whole"
      case .pieces(let length): "in pieces of \(length)"
      case .split(let place): "split at \(place)"
      }
    }
  }

  /// Feeds `input` to a stage, cut in this way, and ends it.
  static func feed<Stage: ByteStage & ~Copyable>(
    _ input: [UInt8], _ cut: Cut, to stage: consuming Stage
  ) throws(PipelineError) {
    switch cut {
    case .whole: try feed(input, inPiecesOf: max(input.count, 1), to: stage)
    case .pieces(let length): try feed(input, inPiecesOf: length, to: stage)
    case .split(let place): try feed(input, splitAt: place, to: stage)
    }
  }

  /// The cuts that tests go through: pieces of 1 to 31 bytes and two-part splits, of which there
  /// are about `splits`, spread evenly.
  static func cuts(of count: Int, splits: Int = 4096) -> [Cut] {
    (1...31).map { .pieces(of: $0) }
      + stride(from: 0, through: count, by: 1 + count / splits).map { .split(at: $0) }
  }

  /// Runs `run` with every cut of `input` and demands that nothing else comes out than with the
  /// input in one piece, which is returned.
  static func everyCut<Result: Equatable>(
    of input: [UInt8], splits: Int = 4096, sourceLocation: SourceLocation = #_sourceLocation,
    _ run: (Cut) -> Result
  ) -> Result {
    let expected = run(.whole)
    for cut in cuts(of: input.count, splits: splits) {
      let result = run(cut)
      guard result == expected else {
        Issue.record(
          """
          \(cut): \(String("\(result)".prefix(600))); whole: \(String("\(expected)".prefix(600)))
          """, sourceLocation: sourceLocation)
        return expected
      }
    }
    return expected
  }
}

extension FeedRun.Cut {
  /// The same way to cut the input of a whole run.
  init(_ cut: ChunkCutter.Cut) {
    self =
      switch cut {
      case .whole: .whole
      case .pieces(let length): .pieces(length)
      case .split(let place): .split(place)
      }
  }
}

extension FeedRun {
  /// Runs at every cut and demands the same. Returns the result of the whole input.
  func everyCut(
    _ json: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> FeedResult {
    let bytes = Array(json.utf8)
    let whole = self(bytes)
    for length in 1...31 where !self(bytes, cut: .pieces(length)).isSame(as: whole) {
      Issue.record("pieces of \(length)", sourceLocation: sourceLocation)
    }
    for split in 0...bytes.count where !self(bytes, cut: .split(split)).isSame(as: whole) {
      Issue.record("split at \(split)", sourceLocation: sourceLocation)
    }
    return whole
  }
}
