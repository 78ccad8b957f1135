import Glibc

/// Takes an input from libFuzzer: its first byte chooses what is read and the size of the pieces.
///
/// Read in one piece and in small ones, and as tokens alone, the rest must come to the same output
/// and the same error. Anything else, and any trap on the way, is a find.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 0 else { return 0 }
  let subject = Subject(rawValue: start[0] >> 4) ?? .hotWater
  // Some pieces are so long that a record which one of them cuts is kept for the next.
  let size = Int(start[0] & 15)
  let length = size < 12 ? 1 + 2 * size : 150 << (size - 12)
  let input = subject.wrap(Array(UnsafeBufferPointer(start: start + 1, count: count - 1)))
  let whole = subject.read(input, inPiecesOf: max(input.count, 1))
  let cut = subject.read(input, inPiecesOf: length)
  demand(cut, whole, "pieces of \(length) made a difference", subject)
  if subject.hasWholes {
    let tokens = subject.read(input, inPiecesOf: max(input.count, 1), asTokensAlone: true)
    demand(tokens, whole, "tokens made a difference", subject)
  }
  return 0
}

private func demand(
  _ reading: Subject.Reading, _ whole: Subject.Reading, _ difference: String, _ subject: Subject
) {
  guard reading != whole else { return }
  print("\(subject), in one piece: \(whole)")
  print("\(subject), \(difference): \(reading)")
  fflush(nil)
  fatalError(difference)
}
