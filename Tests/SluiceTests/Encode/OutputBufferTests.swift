import Testing

@testable import Sluice

@Suite struct OutputBufferTests {
  /// Keeps what it is given piece by piece.
  private struct Pieces: ByteStage, ~Copyable {
    final class Box {
      var pieces: [[UInt8]] = []
    }

    let box: Box

    mutating func write(_ bytes: RawSpan) throws(PipelineError) {
      bytes.withUnsafeBytes { box.pieces.append(Array($0)) }
    }

    consuming func finish() throws(PipelineError) {}
  }

  @Test(arguments: [1, 7, 4096, 16_383, 16_384])
  func `all pieces but the last are whole pages`(_ longest: Int) throws {
    var generator = SeededGenerator(seed: UInt64(longest))
    let box = Pieces.Box()
    var buffer = OutputBuffer(into: Pieces(box: box))
    var expected: [UInt8] = []
    while expected.count < 700_000 {
      let length = Int.random(in: 1...longest, using: &generator)
      let text = [UInt8](repeating: UInt8.random(in: 0...255, using: &generator), count: length)
      text.withUnsafeBytes { buffer.bytes.append($0) }
      try buffer.flushIfFull()
      expected += text
      #expect(buffer.count == expected.count)
    }
    try buffer.finish()
    #expect(box.pieces.flatMap(\.self) == expected)
    #expect(box.pieces.count > 3)
    #expect(box.pieces.dropLast().allSatisfy { $0.count > 0 && $0.count % 4096 == 0 })
  }
}
