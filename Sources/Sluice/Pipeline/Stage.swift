import Synchronization

/// Accepts a stream of bytes, one borrowed chunk at a time.
///
/// The previous stage drives. It calls ``write(_:)`` any number of times, then ``finish()`` once. A
/// chunk is valid only during the call. It may be empty, and it may be cut anywhere, even inside a
/// character or a number. The cuts change neither the output nor the error offset. After a throw
/// the stage is not called again. Without a call of ``finish()`` the stage is abandoned: it is
/// destroyed, and its buffered bytes are dropped.
package protocol ByteStage: ~Copyable, SendableMetatype {
  /// Processes the next bytes of the stream. Throws the stage's own error, or a later stage's.
  mutating func write(_ bytes: RawSpan) throws(PipelineError)
  /// Processes the contents of a buffer as the next bytes of the stream, and leaves it empty.
  /// Throws like ``write(_:)``.
  ///
  /// A stage that uses the bytes later may keep the memory and leave other memory of the same
  /// capacity.
  mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError)
  /// Ends the stream and finishes the next stage. Throws if the stream may not end here.
  consuming func finish() throws(PipelineError)
}

extension ByteStage where Self: ~Copyable {
  /// Processes the contents of a buffer. A span of a stage's own buffer would borrow the whole
  /// stage.
  package mutating func write(_ buffer: borrowing ByteBuffer) throws(PipelineError) {
    try write(RawSpan(_unsafeStart: buffer.start, byteCount: buffer.count))
  }

  package mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    try write(buffer)
    buffer.removeAll()
  }
}

/// A type-erased byte stage. The indirect call costs nothing compared with a chunk.
package struct ByteSink: ByteStage, ~Copyable {
  private let next: (RawSpan) throws(PipelineError) -> Void
  private let nextBuffer: (inout ByteBuffer) throws(PipelineError) -> Void
  private let end: () throws(PipelineError) -> Void

  /// Makes a sink from a stage. Inlined, so that it is specialized for this stage's type.
  @inline(__always)
  package init<Stage: ByteStage & ~Copyable>(_ stage: consuming Stage) {
    let box = Box(stage)
    next = { (bytes) throws(PipelineError) in try box.value.pointee.write(bytes) }
    nextBuffer = { (buffer) throws(PipelineError) in try box.value.pointee.take(&buffer) }
    end = { () throws(PipelineError) in try box.take().finish() }
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) { try next(bytes) }

  package mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    try nextBuffer(&buffer)
  }

  package consuming func finish() throws(PipelineError) { try end() }
}

/// A token stage's request for the input after a token.
package enum TokenReply: UInt8, Sendable {
  /// Nothing special.
  case proceed
  /// In reply to `beginObject` or `beginArray`: pass the raw text of this value, its first 64 KiB,
  /// as the text of the token that ends it.
  case capture
  /// In reply to `beginObject`: the same as `capture`, and similar objects may follow. See
  /// ``TokenStage/recordForm()``. In reply to `key`: its value is such a record.
  case record
  /// In reply to `beginArray` or `beginObject`: what is inside are such records too. The first may
  /// come as a whole.
  case records
  /// The same as `records`, and plain values inside may come through ``TokenStage/values(_:)``.
  case values
  /// In reply to `key`: if the value is a string, pass it in pieces. Its total length is unlimited.
  case pieces
  /// In reply to `key`: hand on no tokens of its value, up to ``TokenStage/passLimit``. A stage in
  /// between may ask for them all the same.
  case pass
}

/// Accepts the tokens of one JSON document.
///
/// The tokenizer drives. It has checked the grammar, so tokens are balanced and in order. After a
/// throw the stage is not called again. The arguments of a token:
///
/// - `text` is valid only during the call. It is empty for `null` and structural tokens, and empty or
///   the name for `true` and `false`. Two structural tokens have a text: the end of a captured value,
///   and the array that represents a table line that is not a record.
/// - `offset` is the start of the token, in bytes from the start of the document.
package protocol TokenStage: ~Copyable {
  /// Processes the next token. Throws the stage's own error, or a later stage's.
  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  /// Returns the values that the stage wants of each record; nil if records must come as tokens.
  ///
  /// Called after the end of an object for which the stage replied `record`, until there is a form.
  /// Similar objects of the same list may then arrive through ``object(_:)``.
  mutating func recordForm() -> RecordForm?
  /// Processes a whole object of this form. Its texts are valid until ``endWholes()``. Throws like
  /// ``token(_:_:at:)``.
  mutating func object(_ record: WholeRecord) throws(PipelineError)
  /// Whether records that are members of an object may come with their keys through
  /// ``object(_:key:)`` now. Asked after a record that came as a whole, and after a gap.
  var takesKeys: Bool { get }
  /// Processes a whole object of this form with its key, instead of the token of the key. The key
  /// is written without escapes. All texts are valid until ``endWholes()``. Throws like
  /// ``token(_:_:at:)``.
  mutating func object(_ record: WholeRecord, key: ObjectValue) throws(PipelineError)
  /// Ends whole objects, plain values and gaps that follow one another: their texts will not be
  /// valid any longer. Called before a token comes. Throws like ``token(_:_:at:)``.
  mutating func endWholes() throws(PipelineError)
  /// Processes plain values in a container for which the stage replied `values`, instead of their
  /// tokens. Their texts are valid until ``endWholes()``. Throws like ``token(_:_:at:)``.
  mutating func values(_ run: borrowing ValueRun) throws(PipelineError)
  /// Whether plain values may come with their keys through ``members(_:)`` now. Asked after values
  /// that came in a run, after ``nextContainer(_:at:)`` and after a gap.
  var takesMembers: Bool { get }
  /// Processes members of an object whose values are plain, instead of the tokens of their keys and
  /// values. The keys are written without escapes. All texts are valid until ``endWholes()``.
  /// Returns how many of them it took. The stage must see the next one as tokens. Throws like
  /// ``token(_:_:at:)``.
  mutating func members(_ run: borrowing ValueRun) throws(PipelineError) -> Int
  /// Processes what leads from a container of plain values that ended to the next one, which begins
  /// at this offset and is not empty: the next element of the same list, or the next member of the
  /// same object with its key. Returns false if it must come as tokens. Throws like
  /// ``token(_:_:at:)``.
  mutating func nextContainer(_ key: ObjectValue?, at offset: Int) throws(PipelineError) -> Bool
  /// Returns the tokens that the stage wants of all that stands between two lists of rows, or two
  /// objects whose members they are; nil if it must come as tokens.
  ///
  /// Called when such a list begins after another, until there is a form. The next gap may then
  /// arrive through ``gap(_:)``.
  mutating func gapForm() -> RecordForm?
  /// Processes a whole gap of this form: from the bracket that ends a list of rows to the one that
  /// begins the next, in which there is one at least if it is an object. Throws like
  /// ``token(_:_:at:)``.
  mutating func gap(_ gap: WholeRecord) throws(PipelineError)
  /// The offset after which even tokens of a passed value are handed on, without their texts. Read
  /// after each reply `pass`.
  var passLimit: Int { get }
  /// Ends the document. Throws if something is missing in it, or if a later stage fails.
  consuming func finish() throws(PipelineError)
}

extension TokenStage where Self: ~Copyable {
  package var passLimit: Int { .max }

  package mutating func recordForm() -> RecordForm? { nil }

  package mutating func object(_ record: WholeRecord) throws(PipelineError) {
    preconditionFailure("no objects were asked for")
  }

  package var takesKeys: Bool { false }

  package mutating func object(_ record: WholeRecord, key: ObjectValue) throws(PipelineError) {
    preconditionFailure("no keys were asked for")
  }

  package mutating func endWholes() throws(PipelineError) {}

  package mutating func values(_ run: borrowing ValueRun) throws(PipelineError) {
    for index in 0..<run.count {
      let value = run[index]
      _ = try token(value.kind, RawSpan(_unsafeBytes: value.text), at: run.offset(of: index))
    }
  }

  package var takesMembers: Bool { false }

  package mutating func members(_ run: borrowing ValueRun) throws(PipelineError) -> Int { 0 }

  package mutating func nextContainer(_ key: ObjectValue?, at offset: Int)
    throws(PipelineError) -> Bool
  { false }

  package mutating func gapForm() -> RecordForm? { nil }

  package mutating func gap(_ gap: WholeRecord) throws(PipelineError) {
    preconditionFailure("no gaps were asked for")
  }
}

/// The outcome of a row.
package enum RowFate: BitwiseCopyable {
  /// The row was requested and must be written.
  case wanted
  /// The filter or the days exclude the row. It is not written, but it counts if rows are numbered.
  case leftOut
  /// The row's record was rejected and its texts are unknown. `key` is the number of its key, or
  /// nil if that is unknown too.
  case rejected(key: UInt64?)
}

/// Accepts the rows of a feed: each row with its outcome, and the end.
///
/// The normalizer drives. A record is valid only during the call: its bytes are reused for the next
/// one. After a throw the stage is not called again.
package protocol RecordStage: ~Copyable {
  /// Processes the next row. Throws if it cannot be written.
  mutating func take(_ row: borrowing Record, _ fate: RowFate) throws(PipelineError)
  /// Processes several wanted rows that differ from a record in few columns. The record may become
  /// one of them. Throws if they cannot be written.
  mutating func take(_ series: borrowing RowSeries, of record: inout Record) throws(PipelineError)
  /// Writes the end of the output and finishes its sink. Throws if that fails.
  consuming func finish() throws(PipelineError)

  /// Whether the stage needs ``Record/keyCheck``.
  var checksKeys: Bool { get }
  /// Whether the stage benefits from ``expect(_:)``.
  static var looksAhead: Bool { get }
  /// Announces the next wanted row before other outputs write it, so that memory can be prefetched.
  /// This makes a calendar of many events 7 % faster.
  mutating func expect(_ row: borrowing Record)
}

extension RecordStage where Self: ~Copyable {
  package var checksKeys: Bool { false }
  package static var looksAhead: Bool { false }
  package mutating func expect(_ row: borrowing Record) {}
}

/// A value of a record that is passed as a whole: the location of its text.
///
/// The text is valid only during the call, unless that says more. At least 32 bytes after it are
/// readable, so that it can be copied in whole vectors.
package struct ObjectValue: BitwiseCopyable {
  /// The first byte of the text. Escapes of a string are decoded.
  var start: UnsafePointer<UInt8>
  /// Its length in bytes; 0 for null.
  var count: Int
  /// The first byte of the value in the raw text of its record.
  var written: UnsafePointer<UInt8>
  /// How often the place had a value; 0 if the record has none. Only elements that are counted come
  /// more than once.
  var times: Int32 = 1
  /// `string`, `number`, `true`, `false` or `null`. A missing value is `null` too.
  var kind: TokenKind
  var traits: ValueTraits = []

  /// The bytes of the text.
  @inline(__always)
  var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Whether it is `true` or `false`.
  @inline(__always)
  var isFlag: Bool { kind == .true || kind == .false }

  /// Whether its text is known to be tidy.
  @inline(__always)
  var isTidy: Bool { traits.contains(.tidy) }
}

/// What is known of a value.
struct ValueTraits: OptionSet, BitwiseCopyable {
  let rawValue: UInt8

  /// It is a number without a fraction and an exponent.
  static var whole: Self { Self(rawValue: 1) }
  /// Its text may stay as it is where white space is tidied: it is a number or null, or a string
  /// without white space but single spaces inside. Some of these are not known.
  static var tidy: Self { Self(rawValue: 2) }
}

extension ObjectValue {
  /// Makes `true` or `false`, which is written nowhere.
  init(flag: Bool) {
    // The room after it that a text of a row needs.
    let name: StaticString =
      flag
      ? "true                                    " : "false                                   "
    self.init(
      start: name.utf8Start, count: flag ? 4 : 5, written: name.utf8Start,
      kind: flag ? .true : .false)
  }

  /// Makes a missing value.
  init() {
    let nowhere: StaticString = ""
    self.init(
      start: nowhere.utf8Start, count: 0, written: nowhere.utf8Start, times: 0, kind: .null,
      traits: .tidy)
  }
}

/// A source of bytes.
protocol ByteSource: ~Copyable {
  /// Reads to the end, pushes all bytes into `stage` and finishes it. Throws the first error of the
  /// source or of a stage. Sets `date` before the first byte, if the source knows it.
  consuming func push<S: ByteStage & ~Copyable>(
    into stage: consuming S, counters: Counters, date: ContentDate
  ) throws(PipelineError)
}

/// When the content of an input last changed.
///
/// The source sets it, or an archive inside, before the first row. So it is known to the stages
/// that write rows. Another thread may read it.
package final class ContentDate: Sendable {
  private let store = Atomic<Int>(.min)
  private let sum: ContentDate?

  /// Makes an unknown date. `sum` is that of several contents, the latest of them.
  package init(raising sum: ContentDate? = nil) { self.sum = sum }

  /// Seconds since 1970 (UTC); nil while it is unknown.
  package var seconds: Int? {
    let seconds = store.load(ordering: .relaxed)
    return seconds == .min ? nil : seconds
  }

  /// Makes the date known.
  package func set(_ seconds: Int) {
    store.store(seconds, ordering: .relaxed)
    sum?.raise(to: seconds)
  }

  /// Makes the date that of a later content, if it is later. Only one thread does so.
  func raise(to seconds: Int) { set(max(seconds, self.seconds ?? .min)) }
}
