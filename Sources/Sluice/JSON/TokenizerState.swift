/// The memory of one chunk.
struct Bounds {
  let base: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
}

/// What the grammar allows next.
enum Place: UInt8 {
  case value, firstElement, firstKey, key, colon, separator, end
}

/// The token that a chunk's end has cut.
enum Inside: UInt8 {
  case none, start, mark, string, number, word
}
