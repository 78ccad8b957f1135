import Testing

@testable import Sluice

/// Archives that want to cost much.
@Suite(.slow) struct ZIPBombTests {
  private static let mebibyte = [UInt8](repeating: 0x20, count: 1 << 20)
  private static let packed = ZIPBuilder.deflated(mebibyte, repeated: 256)
  private let a = EntryName("a")

  /// An entry of 256 MiB that declares `size` bytes.
  private func bomb(declaring size: Int) -> [UInt8] {
    ZIPBuilder("a", []) {
      $0.data = ZIPBombTests.packed
      $0.local.compressedSize = UInt32($0.data.count)
      $0.local.size = UInt32(size)
    }.build()
  }

  /// Says how an archive ends, at two cuts that have to agree.
  private func drain(_ archive: [UInt8], _ options: UnzipOptions = .init()) -> [PipelineError?] {
    [1 << 20, 10_007].map { (length) -> PipelineError? in
      do throws(PipelineError) {
        try ChunkCutter.feed(
          archive, inPiecesOf: length,
          to: Unzipper(into: Drain(), options: options, counters: Counters()))
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func `256 MiB that declare 1,000 bytes end at the 1,001st`() {
    let counters = Counters()
    let outcome = ChunkCutter.whole(bomb(declaring: 1000)) {
      Unzipper(into: $0, options: .init(), counters: counters)
    }
    #expect(outcome == Unzipping.fault(.moreThanDeclared(entry: a, declared: 1000), at: 31))
    #expect(outcome == Unzipping.everyCut(Array(bomb(declaring: 1000).prefix(3000))))
  }

  @Test func `more than 250 to 1 is refused behind 64 MiB`() {
    let archive = bomb(declaring: 256 << 20)
    let expected = PipelineError(.unzip(.ratio(entry: a, limit: 250)), at: 31)
    #expect(drain(archive).allSatisfy { $0 == expected })
    let counters = Counters()
    try? ChunkCutter.feed(
      archive, inPiecesOf: 65_536, to: Unzipper(into: Drain(), options: .init(), counters: counters)
    )
    #expect(counters.unzip.bytesOut.value == 64 << 20)
  }

  @Test func `more than 250 to 1 is fine below 64 MiB`() {
    let size = 60 << 20
    let content = [UInt8](repeating: 0x20, count: size)
    let archive = ZIPBuilder("a", content).build()
    #expect(size / archive.count > 900)
    #expect(drain(archive).allSatisfy { $0 == nil })
  }

  @Test func `the 64 MiB are those of all entries together`() {
    var zip = ZIPBuilder()
    for name in ["x/", "y/", "z/"] {
      zip.add(name, []) {
        $0.data = ZIPBuilder.deflated(ZIPBombTests.mebibyte, repeated: 30)
        $0.local.compressedSize = UInt32($0.data.count)
        $0.local.size = 30 << 20
        $0.local.crc = 0
        $0.local.flags = 8
        var header = $0.local
        header.crc = ZIPBombTests.crc30
        $0.descriptor = ZIPBuilder.bytes(of: .signed, header)
      }
    }
    let third = zip.entries.prefix(2).reduce(32) { $0 + 32 + $1.data.count + $1.descriptor.count }
    let expected = PipelineError(.unzip(.ratio(entry: EntryName("z/"), limit: 250)), at: third)
    #expect(drain(zip.build()).allSatisfy { $0 == expected })
  }

  private static let crc30 = ZIPBuilder.crc(Array(repeating: 0x20, count: 30 << 20))

  @Test func `the largest size is a limit, declared or not`() {
    var options = UnzipOptions()
    options.maxSize = 5000
    let content = Array(Unzipping.long.prefix(5001))
    let fault = ZIPFault.tooLarge(entry: a, limit: 5000)
    var zip = ZIPBuilder("a", content)
    #expect(Unzipping.everyCut(zip.build(), options) == Unzipping.fault(fault, at: 0))
    zip = ZIPBuilder()
    zip.add(Array("a".utf8), content, descriptor: .unsigned)
    #expect(
      Unzipping.everyCut(zip.build(), options)
        == Unzipping.fault(fault, at: 31, after: Array(content.prefix(5000))))
    options.maxSize = 5001
    #expect(Unzipping.everyCut(zip.build(), options) == Unzipping.fine(content))
    options.maxSize = .max
    #expect(Unzipping.everyCut(zip.build(), options) == Unzipping.fine(content))
  }

  @Test func `65,535 entries end at the 65th`() {
    var zip = ZIPBuilder("a", [1])
    for number in 1..<65_535 { zip.add("\(number)/", []) }
    let archive = zip.build()
    let place = zip.entries.prefix(64).reduce(0) {
      $0 + 30 + $1.local.name.count + $1.data.count
    }
    #expect(
      Unzipping.whole(archive) == Unzipping.fault(.tooManyEntries(limit: 64), at: place))
    zip.entries.removeSubrange(64...)
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fine([1]))
  }
}

/// Takes bytes and forgets them.
private struct Drain: ByteStage, ~Copyable {
  mutating func write(_ bytes: RawSpan) throws(PipelineError) {}
  consuming func finish() throws(PipelineError) {}
}
