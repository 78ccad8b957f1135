import CLibraries
import Testing

@testable import Sluice

@Suite struct CRC32Tests {
  @Test func `the check value of the standard polynomial`() {
    Array("123456789".utf8).withUnsafeBytes {
      #expect(CRC32.over($0) == 0xCBF4_3926)
    }
  }

  @Test func `nothing changes nothing`() {
    #expect(CRC32.over(UnsafeRawBufferPointer(start: nil, count: 0), after: 0x1234) == 0x1234)
    withUnsafeBytes(of: UInt64(7)) {
      #expect(CRC32.over(UnsafeRawBufferPointer(rebasing: $0.prefix(0)), after: 5) == 5)
    }
  }

  @Test(arguments: 0...16)
  func `zlib says the same of every length, wherever it begins`(start: Int) {
    var generator = SeededGenerator(seed: UInt64(start))
    let bytes = (0..<700).map { _ in UInt8.random(in: 0...255, using: &generator) }
    bytes.withUnsafeBytes { all in
      for length in [0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 511, 512, 600] {
        let part = UnsafeRawBufferPointer(rebasing: all[start..<start + length])
        let reference = Array(part).withUnsafeBufferPointer {
          UInt32(crc32_z(0, $0.baseAddress, $0.count))
        }
        #expect(CRC32.over(part) == reference)
        let cut = length / 3
        let first = CRC32.over(UnsafeRawBufferPointer(rebasing: part.prefix(cut)))
        let rest = UnsafeRawBufferPointer(rebasing: part.dropFirst(cut))
        #expect(CRC32.over(rest, after: first) == reference)
      }
    }
  }
}
