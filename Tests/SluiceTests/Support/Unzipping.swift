import Testing

@testable import Sluice

/// Runs the unzipper over archives, for tests.
enum Unzipping {
  /// Unzips at every cut.
  static func everyCut(
    _ archive: [UInt8], _ options: UnzipOptions = UnzipOptions(), failsAt: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    ChunkCutter.everyCut(archive, failsAt: failsAt, sourceLocation: sourceLocation) {
      Unzipper(into: $0, options: options, counters: Counters())
    }
  }

  /// Unzips in one piece.
  static func whole(
    _ archive: [UInt8], _ options: UnzipOptions = UnzipOptions(), counters: Counters = Counters()
  ) -> Outcome {
    ChunkCutter.whole(archive) { Unzipper(into: $0, options: options, counters: counters) }
  }

  /// What a good archive gives.
  static func fine(_ output: [UInt8]) -> Outcome { Outcome(output: output, error: nil) }

  /// What a bad archive gives.
  static func fault(_ fault: ZIPFault, at offset: Int, after output: [UInt8] = []) -> Outcome {
    Outcome(output: output, error: PipelineError(.unzip(fault), at: offset))
  }

  /// Text that compresses a little, longer than a symbolic link can be.
  static let long = Array(
    (0..<700).map { "line \($0 &* 7919 % 1009)\n" }.joined().utf8)
}

extension EntryName {
  init(_ text: String) { self.init(bytes: Array(text.utf8)) }
}
