/// Passes every row to several outputs.
///
/// A collection cannot hold noncopyable stages, and `finish` cannot be called on an existential.
/// So each output's encoder is in a box, called through closures. They are made where the encoder's
/// type is known, so the encoder itself stays specialized. One indirect call per row costs nothing
/// compared with the row.
struct FanOut: RecordStage, ~Copyable {
  private let branches: BranchTable
  /// The branches that look ahead.
  private let ahead: BranchTable
  let checksKeys: Bool
  private let endsThem: Bool

  /// Makes the stage. Without `endsThem` the branches go on after its end, with the next input.
  init(_ branches: [Branch], endsThem: Bool = true) {
    self.endsThem = endsThem
    self.branches = BranchTable(branches)
    ahead = BranchTable(branches.filter(\.looksAhead))
    checksKeys = branches.contains(where: \.checksKeys)
  }

  mutating func take(_ row: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    if ahead.count > 0, case .wanted = fate {
      for index in 0..<ahead.count { ahead.places[index].expect(row) }
    }
    let end = branches.places + branches.count
    var place = branches.places
    while place < end {
      try place.pointee.take(row, fate)
      place += 1
    }
  }

  mutating func take(_ series: borrowing RowSeries, of record: inout Record)
    throws(PipelineError)
  {
    guard ahead.count == 0 else { return try takeRows(of: series, from: 0, &record) }
    for index in 0..<branches.count { try branches.places[index].take(series, of: &record) }
  }

  consuming func finish() throws(PipelineError) {
    guard endsThem else { return }
    for index in 0..<branches.count { try branches.places[index].finish() }
  }
}

/// Owns the branches and calls each one in place. A copy would cost reference counting for every
/// row.
private struct BranchTable: ~Copyable {
  /// A branch that is called in place, without a copy.
  struct Place: ~Copyable {
    let branch: Branch

    @inline(__always)
    borrowing func expect(_ row: borrowing Record) { branch.expect(row) }
    @inline(__always)
    borrowing func take(_ row: borrowing Record, _ fate: RowFate) throws(PipelineError) {
      try branch.take(row, fate)
    }
    borrowing func take(_ series: borrowing RowSeries, of record: inout Record)
      throws(PipelineError)
    {
      try branch.takeSeries(series, &record)
    }
    borrowing func finish() throws(PipelineError) { try branch.finish() }
  }

  let places: UnsafeMutablePointer<Place>
  let count: Int

  init(_ branches: [Branch]) {
    places = .allocate(capacity: max(1, branches.count))
    count = branches.count
    for index in 0..<count { (places + index).initialize(to: Place(branch: branches[index])) }
  }

  deinit {
    places.deinitialize(count: count)
    places.deallocate()
  }
}

/// One output of a ``FanOut``.
package struct Branch {
  fileprivate let looksAhead: Bool
  fileprivate let checksKeys: Bool
  fileprivate let expect: (borrowing Record) -> Void
  fileprivate let take: (borrowing Record, RowFate) throws(PipelineError) -> Void
  fileprivate let takeSeries: (borrowing RowSeries, inout Record) throws(PipelineError) -> Void
  fileprivate let finish: () throws(PipelineError) -> Void
  /// How its rows are encoded in several threads; nil if they all must come here.
  var rowwise: RowwiseOutput?

  /// Makes a branch from an encoder. Inlined, so that it is specialized for this encoder's type.
  @inline(__always)
  package init<Encoder: RecordStage & ~Copyable>(_ encoder: consuming Encoder) {
    self.init(Box(encoder))
  }

  /// Makes a branch from an encoder in a box.
  @inline(__always)
  init<Encoder: RecordStage & ~Copyable>(_ box: Box<Encoder>) {
    checksKeys = box.value.pointee.checksKeys
    looksAhead = Encoder.looksAhead
    expect = { row in box.value.pointee.expect(row) }
    take = { (row, fate) throws(PipelineError) in try box.value.pointee.take(row, fate) }
    takeSeries = { (series, record) throws(PipelineError) in
      try box.value.pointee.take(series, of: &record)
    }
    finish = { () throws(PipelineError) in try box.take().finish() }
  }
}

/// An output whose rows may be encoded in several threads: each is written the same whatever stands
/// before it.
///
///     thread 1   rows 1…900      ─▶ encoder ─▶ bytes ─┐
///     thread 2   rows 901…1,800  ─▶ encoder ─▶ bytes ─┴▶ the output, after its own header
///
/// CSV, TSV and NDJSON are such outputs. The elements of a JSON array have commas between them, a
/// calendar counts its events, and so on.
struct RowwiseOutput {
  /// Makes an encoder that writes the same rows, and no header, into a sink.
  let encoder: (consuming ByteSink, Counters) throws(PipelineError) -> RowwiseEncoder
  /// Writes rows that such an encoder has made, and leaves the buffer empty.
  let write: (inout ByteBuffer) throws(PipelineError) -> Void
}

/// An encoder of rows for a ``RowwiseOutput``.
struct RowwiseEncoder {
  let branch: Branch
  /// Hands on all bytes so far.
  let handOn: () throws(PipelineError) -> Void
}

/// Passes every token to several stages. Each stage reads its own table from the document.
///
/// If one stage requests raw text, the others get it too and ignore it. A value is passed only if
/// none of them wants it.
struct TokenFanOut<Next: TokenStage & ~Copyable>: TokenStage, ~Copyable {
  private let branches: [Box<Next>]

  init(_ branches: [Box<Next>]) { self.branches = branches }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    var reply = TokenReply.pass
    for branch in branches {
      var wish = try branch.value.pointee.token(kind, text, at: offset)
      // Records come as tokens to several.
      if wish == .records || wish == .values { wish = .proceed }
      if reply == .pass || (wish != .proceed && wish != .pass) { reply = wish }
    }
    return reply
  }

  var passLimit: Int { branches.map { $0.value.pointee.passLimit }.min() ?? .max }

  consuming func finish() throws(PipelineError) {
    for branch in branches { try branch.take().finish() }
  }
}

/// Keeps all bytes, or only the first ones.
package struct ByteKeeper: ByteStage, ~Copyable {
  /// The bytes kept so far.
  package final class Box {
    package var bytes: [UInt8] = []
    package init() {}
  }

  private let box: Box
  private let limit: Int

  /// Makes a stage that keeps at most `limit` bytes in `box`. It drops the bytes after them.
  package init(_ box: Box, limit: Int = .max) {
    self.box = box
    self.limit = limit
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    bytes.withUnsafeBytes { box.bytes.append(contentsOf: $0.prefix(limit - box.bytes.count)) }
  }

  package consuming func finish() throws(PipelineError) {}
}
