/// A value of an object that is handed on as a whole: where its text lies.
///
/// The text lives only for the call and has 31 bytes of readable memory behind it, so that it can
/// be read by whole vectors.
struct ObjectValue: BitwiseCopyable {
  /// The first byte of the text: behind the quote, or of the number.
  var start: UnsafePointer<UInt8>
  /// Its length in bytes; 0 of null.
  var count: Int
  /// `string`, `number` or `null`, which stands for a missing member too. A string holds no escapes.
  var kind: TokenKind
  /// The last object that had a value here had the same: of those that were handed on so, or by
  /// which they are recognized.
  var isRepeated = false

  /// The bytes of the text.
  @inline(__always)
  var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}

extension ObjectValue {
  /// Makes a null.
  init() {
    let nowhere: StaticString = ""
    self.init(start: nowhere.utf8Start, count: 0, kind: .null)
  }
}
