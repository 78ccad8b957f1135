/// Accepts a stream of bytes, one borrowed chunk at a time.
///
/// The stage before drives: it calls ``write(_:)`` any number of times, then ``finish()`` once.
/// A chunk lives only for the call and may be cut anywhere, inside a character or a number too;
/// an empty chunk is allowed. Whatever the cuts, the stage gives the same output and the same
/// error offset. After a throw nobody calls the stage again. Not calling ``finish()`` is
/// abandonment: the stage is destroyed, and what it has buffered is dropped.
package protocol ByteStage: ~Copyable, SendableMetatype {
  /// Takes the next bytes of the stream.
  mutating func write(_ bytes: RawSpan) throws(PipelineError)
  /// Takes what a buffer holds, as the next bytes of the stream, and leaves it empty.
  ///
  /// A stage that works on it later may keep the memory and leave other, of the same capacity.
  mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError)
  /// Says that the stream has ended: checks that it may end here and finishes the next stage.
  consuming func finish() throws(PipelineError)
}

extension ByteStage where Self: ~Copyable {
  /// Takes what a buffer holds. A span of a stage's own buffer would borrow the whole stage.
  package mutating func write(_ buffer: borrowing ByteBuffer) throws(PipelineError) {
    try write(RawSpan(_unsafeStart: buffer.start, byteCount: buffer.count))
  }

  package mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    try write(buffer)
    buffer.removeAll()
  }
}

/// A byte stage of any type. A call costs an indirection, which is nothing beside a chunk.
package struct ByteSink: ByteStage, ~Copyable {
  private let next: (RawSpan) throws(PipelineError) -> Void
  private let end: () throws(PipelineError) -> Void

  /// Makes a sink of a stage. Inlined, so that it is made for this one type of stage.
  @inline(__always)
  package init<Stage: ByteStage & ~Copyable>(_ stage: consuming Stage) {
    let box = Box(stage)
    next = { (bytes) throws(PipelineError) in try box.value.pointee.write(bytes) }
    end = { () throws(PipelineError) in try box.take().finish() }
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) { try next(bytes) }

  package consuming func finish() throws(PipelineError) { try end() }
}

/// What a token stage wants of what follows the token that it was given.
package enum TokenReply: UInt8, Sendable {
  /// Nothing special.
  case proceed
  /// To `beginObject` or `beginArray`: give the raw text of this value, its first 64 KiB, as the
  /// text of the token that ends it.
  case capture
  /// To `beginObject`: the same, and objects like this one may follow; see
  /// ``TokenStage/recognize(_:)``.
  case record
  /// To `key`: if the value is a string, hand it on in pieces, of any length in all.
  case pieces
}

/// Accepts the tokens of one JSON document.
///
/// The tokenizer drives, and has checked the grammar: tokens come balanced and in order. `text`
/// lives only for the call; it is empty for structure, but for the end of what was captured and for
/// the array that stands for a line of a table which is no record, and for words. `offset` is where
/// the token begins, in bytes from the start of the document. After a throw nobody calls the stage
/// again.
package protocol TokenStage: ~Copyable {
  /// Takes the next token.
  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  /// Says whether the stage takes objects with these keys, in this order, as wholes.
  ///
  /// Asked behind the end of an object for which the stage replied `record`. Objects of the same
  /// array that are written like it, some of these keys missing, may then come by
  /// ``object(_:_:at:)`` instead of as tokens.
  mutating func recognize(_ keys: [UnsafeRawBufferPointer]) -> Bool
  /// Takes a whole object with the keys that were recognized last: its values, in the keys' order,
  /// and its raw text.
  mutating func object(
    _ values: UnsafeBufferPointer<ObjectValue>, _ raw: UnsafeRawBufferPointer, at offset: Int
  ) throws(PipelineError)
  /// Says that the document is complete.
  consuming func finish() throws(PipelineError)
}

extension TokenStage where Self: ~Copyable {
  package mutating func recognize(_ keys: [UnsafeRawBufferPointer]) -> Bool { false }

  package mutating func object(
    _ values: UnsafeBufferPointer<ObjectValue>, _ raw: UnsafeRawBufferPointer, at offset: Int
  ) throws(PipelineError) {
    preconditionFailure("no objects were recognized")
  }
}

/// What became of a row.
package enum RowFate: BitwiseCopyable {
  /// Somebody asked for the row: it is to be written.
  case wanted
  /// The filter or the days left the row out. It is not written, but counts if rows are numbered.
  case leftOut
  /// The row's record was rejected, and its texts are not known. The number of its key is, if it is
  /// not nil.
  case rejected(key: UInt64?)
}

/// Accepts the rows of a feed: a row, what became of it, and the end.
///
/// The normalizer drives. A record lives only for the call: its bytes are reused for the next one.
/// After a throw nobody calls the stage again.
package protocol RecordStage: ~Copyable {
  /// Takes the next row. Throws if it cannot be written.
  mutating func take(_ row: borrowing Record, _ fate: RowFate) throws(PipelineError)
  /// Writes the end of the output and finishes its sink. Throws if that fails.
  consuming func finish() throws(PipelineError)

  /// Whether the stage gains anything from ``expect(_:)``.
  static var looksAhead: Bool { get }
  /// Announces the next wanted row before other outputs write it, so that memory can be prefetched.
  /// This makes a calendar of many events 7 % faster.
  mutating func expect(_ row: borrowing Record)
}

extension RecordStage where Self: ~Copyable {
  package static var looksAhead: Bool { false }
  package mutating func expect(_ row: borrowing Record) {}
}

/// A value of an object that is handed on as a whole: where its text lies.
///
/// The text lives only for the call. At least 32 bytes after it can be read, so that it can be copied
/// by whole vectors.
package struct ObjectValue: BitwiseCopyable {
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

/// Something that bytes come from.
protocol ByteSource: ~Copyable {
  /// Reads to the end, pushes all of it into `stage` and finishes it.
  consuming func push<S: ByteStage & ~Copyable>(into stage: consuming S, counters: Counters)
    throws(PipelineError)
}
