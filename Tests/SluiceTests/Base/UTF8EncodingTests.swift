import Testing

@testable import Sluice

@Suite struct UTF8EncodingTests {
  @Test func `every scalar is written and read as it should be`() {
    var buffer = ByteBuffer(capacity: 8)
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      buffer.removeAll()
      UTF8Encoding.append(value, to: &buffer)
      let isSame = buffer.contents.elementsEqual(UTF8.encode(scalar) ?? .init())
      let read = UTF8Encoding.scalar(in: buffer.contents, at: 0)
      if !isSame || read.value != value || read.length != buffer.count {
        Issue.record("U+\(String(value, radix: 16))")
      }
    }
  }

  @Test(arguments: ["", "a", "я", "‱", "🏠", "aя‱🏠", "🏠🏠", "ё\u{308}a"])
  func `a cut falls between scalars, as late as it can`(_ text: String) {
    let bytes = Array(text.utf8)
    var ends = [0]
    for scalar in text.unicodeScalars { ends.append((ends.last ?? 0) + UTF8.width(scalar)) }
    bytes.withUnsafeBytes { bytes in
      for limit in 0...bytes.count + 2 {
        let expected = ends.last { $0 <= limit }
        #expect(UTF8Encoding.cut(bytes, to: limit) == expected)
        #expect(UTF8Encoding.prefix(bytes, limit).count == expected)
        // Bytes whose end has cut a scalar before.
        let cut = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit))
        #expect(UTF8Encoding.prefix(cut, 100).count == expected)
      }
    }
  }

  @Test func `bytes that are no text are cut as well, so that a loop goes on`() {
    let bytes = [UInt8](repeating: 0x80, count: 100)
    bytes.withUnsafeBytes { bytes in
      for limit in 4...100 { #expect(UTF8Encoding.cut(bytes, to: limit) == limit) }
    }
  }
}
