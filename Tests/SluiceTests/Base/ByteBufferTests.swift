import Testing

@testable import Sluice

@Suite struct ByteBufferTests {
  @Test func `bytes are kept in their order while it grows`() {
    var buffer = ByteBuffer(capacity: 1)
    var expected: [UInt8] = []
    for round in 0..<200 {
      buffer.append(UInt8(round))
      let bytes = Array(repeating: UInt8(round), count: round * 7)
      bytes.withUnsafeBytes { buffer.append($0) }
      buffer.append("ё")
      buffer.append(string: "\(round)")
      expected += [UInt8(round)] + bytes + Array("ё\(round)".utf8)
    }
    #expect(Array(buffer.contents) == expected)
    #expect(buffer.count == expected.count)
    #expect(buffer.room == buffer.capacity - buffer.count)
  }

  @Test func `it grows by half at least, so that appending stays cheap`() {
    var buffer = ByteBuffer(capacity: 64)
    var capacities: Set<Int> = [64]
    for _ in 0..<1_000_000 {
      buffer.append(0)
      capacities.insert(buffer.capacity)
    }
    #expect(capacities.count < 30)
    #expect(buffer.capacity < 2_000_000)
  }

  @Test func `room that is there is not made again`() {
    var buffer = ByteBuffer(capacity: 16)
    buffer.reserve(16)
    #expect(buffer.capacity == 16)
    buffer.reserve(17)
    let capacity = buffer.capacity
    #expect(capacity >= 17)
    buffer.append("0123456789abcdef")
    buffer.truncate(to: 4)
    #expect(Array(buffer.contents) == Array("0123".utf8))
    buffer.removeAll()
    #expect(buffer.count == 0)
    #expect(buffer.capacity == capacity)
  }

  @Test func `nothing may be appended`() {
    var buffer = ByteBuffer(capacity: 1)
    buffer.append(UnsafeRawBufferPointer(start: nil, count: 0))
    buffer.append("")
    buffer.append(string: "")
    #expect(buffer.count == 0)
  }

  @Test func `what was written behind the bytes is counted in`() {
    var buffer = ByteBuffer(capacity: 8)
    buffer.append("ab")
    buffer.start.storeBytes(of: UInt8(ascii: "c"), toByteOffset: 2, as: UInt8.self)
    buffer.commit(1)
    #expect(Array(buffer.contents) == Array("abc".utf8))
  }
}
