/// Hands every row to several outputs.
///
/// A collection cannot hold stages that are not copyable, and `finish` cannot be called on an
/// existential: each output's encoder sits in a box, behind closures that are made where its type
/// is known, so that the encoder itself stays specialised. One indirect call a row costs nothing
/// beside the row.
struct FanOut: RecordStage, ~Copyable {
  private let branches: BranchTable
  /// Those that look ahead.
  private let ahead: BranchTable

  init(_ branches: [Branch]) {
    self.branches = BranchTable(branches)
    ahead = BranchTable(branches.filter(\.looksAhead))
  }

  mutating func take(_ row: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    if case .wanted = fate {
      for index in 0..<ahead.count { ahead.places[index].expect(row) }
    }
    for index in 0..<branches.count { try branches.places[index].take(row, fate) }
  }

  consuming func finish() throws(PipelineError) {
    for index in 0..<branches.count { try branches.places[index].finish() }
  }
}

/// Owns the branches, each in a place from which it is called without being copied: a copy would
/// be counted for every row.
struct BranchTable: ~Copyable {
  /// A branch that is called where it lies.
  struct Place: ~Copyable {
    let branch: Branch

    @inline(__always)
    borrowing func expect(_ row: borrowing Record) { branch.expect(row) }
    @inline(__always)
    borrowing func take(_ row: borrowing Record, _ fate: RowFate) throws(PipelineError) {
      try branch.take(row, fate)
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
  fileprivate let expect: (borrowing Record) -> Void
  fileprivate let take: (borrowing Record, RowFate) throws(PipelineError) -> Void
  fileprivate let finish: () throws(PipelineError) -> Void

  /// Makes a branch of an encoder. Inlined, so that it is made for this one type of encoder.
  @inline(__always)
  package init<Encoder: RecordStage & ~Copyable>(_ encoder: consuming Encoder) {
    let box = Box(encoder)
    looksAhead = Encoder.looksAhead
    expect = { row in box.value.pointee.expect(row) }
    take = { (row, fate) throws(PipelineError) in try box.value.pointee.take(row, fate) }
    finish = { () throws(PipelineError) in try box.take().finish() }
  }
}

/// Hands every token to several stages: each reads a table of its own out of the document.
///
/// Raw text is asked for where one of them wants it; the others get it too and take no notice.
struct TokenFanOut<Next: TokenStage & ~Copyable>: TokenStage, ~Copyable {
  private let branches: [TokenBranch<Next>]

  init(_ branches: [TokenBranch<Next>]) { self.branches = branches }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    var reply = TokenReply.proceed
    for branch in branches {
      let wish = try branch.stage?.token(kind, text, at: offset) ?? .proceed
      if wish != .proceed { reply = wish }
    }
    return reply
  }

  consuming func finish() throws(PipelineError) {
    for branch in branches { try branch.stage.take()?.finish() }
  }
}

/// Holds a stage of a ``TokenFanOut`` until it is finished.
final class TokenBranch<Stage: TokenStage & ~Copyable> {
  fileprivate var stage: Stage?
  init(_ stage: consuming Stage) { self.stage = consume stage }
}

/// Keeps all bytes, or the first.
package struct ByteKeeper: ByteStage, ~Copyable {
  /// Where they are.
  package final class Box {
    package var bytes: [UInt8] = []
    package init() {}
  }

  private let box: Box
  private let limit: Int

  /// Keeps no more than `limit` bytes; what comes behind them is dropped.
  package init(_ box: Box, limit: Int = .max) {
    self.box = box
    self.limit = limit
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    bytes.withUnsafeBytes { box.bytes.append(contentsOf: $0.prefix(limit - box.bytes.count)) }
  }

  package consuming func finish() throws(PipelineError) {}
}
