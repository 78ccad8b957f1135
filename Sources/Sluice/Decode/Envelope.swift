/// Finds the payload in an API's answer and hands it on, in pieces.
///
/// Where it is, an ``Envelope`` says: in that element of a list whose mark has the right value,
/// wherever in the list it stands. A payload that comes before its mark waits in an unlinked
/// temporary file.
///
///     {"status":"result","responseData":{"classifiers":[{"file":"UEsD…","classifierId":4}, …
///      ^ must be this one                                ^ spooled      ^ it is the one: hand it on
///
/// Throws ``EnvelopeFault`` where the way to the payload is broken, and
/// ``SourceFault/refused(status:)`` where the answer says that it is none: other faults wait
/// until the status is known.
struct EnvelopeReader<Next: ByteStage & ~Copyable>: TokenStage, ~Copyable {
  /// The paths' places in the tree.
  private enum Node {
    static var status: Int { 0 }
    static var mark: Int { 1 }
    static var payload: Int { 2 }
    static var element: Int { 3 }
    /// The payload's version; where the feed has none, the element again.
    static var version: Int { 4 }
    /// The first of those on the way to the list.
    static var way: Int { 5 }
  }

  /// What is known of the element in hand.
  private struct Element {
    var isMarked: Bool?
    var payloads = 0
    /// What the payload is, where it is no string, and where.
    var wrong: (kind: TokenKind, offset: Int)?
    var keys: [String] = []
    var version: String?
  }

  private var gate: PayloadGate<Next>
  let envelope: Envelope
  private let facts: PayloadFacts?
  private var cursor: PathCursor
  private let ends: [Int]
  /// The places of the status and the mark; no place at all where there is none.
  private let statusNode: Int
  private let markNode: Int
  private let elementDepth: Int
  var way: EnvelopeWay
  var status: Bool?
  /// The first fault, where the status is still to come.
  var late: PipelineError?
  private var element = Element()
  var isFound = false
  var marks: [String] = []
  /// The keys of the first element without a mark.
  var markless: [String]?
  var keys = KeysSeen()

  init(
    _ envelope: Envelope, into next: consuming Next, facts: PayloadFacts? = nil, counters: Counters
  ) {
    self.envelope = envelope
    self.facts = facts
    gate = PayloadGate(into: next, counters: counters)
    let around = Path(Array(envelope.payload.steps.dropLast()))
    way = EnvelopeWay(to: envelope.payload)
    let tree = PathTree(
      [
        envelope.status?.path ?? around, envelope.match?.path ?? around, envelope.payload, around,
        envelope.version ?? around,
      ] + way.paths)
    ends = tree.ends
    statusNode = envelope.status == nil ? .min : tree.ends[Node.status]
    markNode = envelope.match == nil ? .min : tree.ends[Node.mark]
    elementDepth = around.steps.count + 1
    if envelope.status == nil { status = true }
    cursor = PathCursor(tree)
  }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    let node = cursor.step(kind, text)
    if kind == .key { return key(text, node) }
    switch node {
    case statusNode: try readStatus(kind, text, at: offset)
    case markNode: try readMark(kind, text, at: offset)
    case ends[Node.payload]: try readPayload(kind, text, at: offset)
    case ends[Node.element]:
      if kind == .beginObject {
        // Where nothing has to match, the only element is the right one.
        element = Element(isMarked: envelope.match == nil ? true : nil)
        if envelope.match == nil { isFound = true }
      } else if kind == .endObject {
        try endElement(at: offset)
      }
    case ends[Node.version]:
      if kind == .string || kind == .number { element.version = Self.string(text) }
    default: try readWay(node, kind, at: offset)
    }
    return .proceed
  }

  consuming func finish() throws(PipelineError) {
    try checkEnd()
    try gate.finish()
  }

  private mutating func key(_ text: RawSpan, _ node: Int) -> TokenReply {
    if cursor.isOnWay {
      if cursor.depth < elementDepth {
        keys.see(text, depth: cursor.depth)
      } else if cursor.depth == elementDepth, element.keys.count < 20 {
        element.keys.append(Self.string(text))
      }
    }
    // Payloads of other elements may be as long as ours.
    return node == ends[Node.payload] ? .pieces : .proceed
  }

  // MARK: The fields

  private mutating func readStatus(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError)
  {
    guard let test = envelope.status else { return }
    let name = test.path.lastKey
    guard kind == .string else {
      throw wrongKind(name, kind, at: offset, keys.at(depth: test.path.steps.count))
    }
    guard status == nil else { throw fault(.twice(field: name), at: offset) }
    let value = Self.string(text)
    guard value == test.value else {
      throw PipelineError(.source(.refused(status: value)), at: offset)
    }
    status = true
  }

  private mutating func readWay(_ node: Int, _ kind: TokenKind, at offset: Int)
    throws(PipelineError)
  {
    guard node >= 0, kind != .endObject, kind != .endArray,
      let index = ends[Node.way...].firstIndex(of: node)
    else { return }
    guard let fault = way.read(index - Node.way, kind, keys) else { return }
    try report(self.fault(fault, at: offset))
  }

  private mutating func readMark(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError)
  {
    guard let test = envelope.match else { return }
    let name = test.path.lastKey
    if kind == .endObject || kind == .endArray { return }
    guard element.isMarked == nil else { return try report(fault(.twice(field: name), at: offset)) }
    let value = kind == .string || kind == .number ? Self.string(text) : ""
    element.isMarked = value == test.value
    if marks.count < 20 { marks.append(value) }
    guard value == test.value else { return }
    guard !isFound else {
      return try report(fault(.twoMatches(field: name, value: test.value), at: offset))
    }
    isFound = true
    try checkPayloads(at: offset)
    if late == nil { try gate.open() }
  }

  private mutating func readPayload(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError)
  {
    switch kind {
    case .stringPiece, .string:
      if element.payloads == 0, element.isMarked != false, late == nil {
        try gate.write(text, mayPass: element.isMarked == true)
      }
      if kind == .string { try endPayload(at: offset) }
    case .endObject, .endArray: break
    default:
      element.wrong = element.wrong ?? (kind, offset)
      try endPayload(at: offset)
    }
  }

  private mutating func endPayload(at offset: Int) throws(PipelineError) {
    element.payloads += 1
    if element.isMarked == true { try checkPayloads(at: offset) }
  }

  /// Checks what came as payload of the right element, so far.
  private mutating func checkPayloads(at offset: Int) throws(PipelineError) {
    let name = envelope.payload.lastKey
    if let wrong = element.wrong {
      try report(wrongKind(name, wrong.kind, at: wrong.offset, element.keys))
    } else if element.payloads > 1 {
      try report(fault(.twice(field: name), at: offset))
    }
  }

  private mutating func endElement(at offset: Int) throws(PipelineError) {
    if element.isMarked == true, element.payloads == 0 {
      try report(
        fault(.missing(field: envelope.payload.lastKey, keys: element.keys), at: offset))
    }
    if element.isMarked == true, let version = element.version { facts?.note(version: version) }
    if element.isMarked == nil {
      // Without a mark it cannot be told apart: where it is the only one, its keys say what is wrong.
      markless = markless ?? element.keys
    }
    gate.drop()
  }

  // MARK: Faults

  /// Throws a fault, or keeps it until the status is known: that of an answer which is none says
  /// more.
  private mutating func report(_ error: PipelineError) throws(PipelineError) {
    guard status == nil else { throw error }
    late = late ?? error
  }

  func fault(_ fault: EnvelopeFault, at offset: Int?) -> PipelineError {
    PipelineError(.envelope(fault), at: offset)
  }

  private func wrongKind(_ field: String, _ kind: TokenKind, at offset: Int, _ keys: [String])
    -> PipelineError
  {
    fault(.wrongKind(field: field, found: kind, wanted: .string, keys: keys), at: offset)
  }

  private static func string(_ text: RawSpan) -> String {
    text.withUnsafeBytes { String(decoding: $0.prefix(200), as: UTF8.self) }
  }
}

extension EnvelopeReader where Next: ~Copyable {
  /// Checks that the payload was found and that the answer says that it is one.
  func checkEnd() throws(PipelineError) {
    if status == nil, let test = envelope.status { throw missing(test.path) }
    if let late { throw late }
    guard !isFound else { return }
    if let fault = way.missing(keys) { throw self.fault(fault, at: nil) }
    guard let test = envelope.match else { throw missing(envelope.payload) }
    let name = test.path.lastKey
    if marks.isEmpty, let found = markless {
      throw fault(.missing(field: name, keys: found), at: nil)
    }
    throw fault(.noMatch(field: name, value: test.value, found: marks), at: nil)
  }

  /// The first key on a path that was not there, and those that were.
  private func missing(_ path: Path) -> PipelineError {
    var depth = 1
    for case .key(let key) in path.steps {
      let found = keys.at(depth: depth)
      if !found.contains(key) { return fault(.missing(field: key, keys: found), at: nil) }
      depth += 1
    }
    return fault(.missing(field: path.description, keys: keys.at(depth: depth)), at: nil)
  }
}

/// Watches the way from an answer's start to the list of an ``Envelope``: each field on it must be
/// there once, the last hold the list and the others an object.
struct EnvelopeWay {
  private struct Turn {
    let field: String
    let kind: TokenKind
    var isSeen = false
  }

  /// The paths of the fields, outermost first; the way to the first list only.
  let paths: [Path]
  private var turns: [Turn]

  init(to payload: Path) {
    let steps = payload.steps
    paths = (1..<steps.count).map { Path(Array(steps.prefix($0))) }
      .prefix { !$0.steps.contains(.each) }
    turns = paths.map { path in
      let isList = steps[path.steps.count] == .each
      return Turn(field: path.lastKey, kind: isList ? .beginArray : .beginObject)
    }
  }

  /// Takes the token with which the value of a field begins; tells what is wrong with it.
  mutating func read(_ index: Int, _ kind: TokenKind, _ keys: KeysSeen) -> EnvelopeFault? {
    let turn = turns[index]
    turns[index].isSeen = true
    if turn.isSeen { return .twice(field: turn.field) }
    if kind == turn.kind { return nil }
    return .wrongKind(
      field: turn.field, found: kind, wanted: turn.kind, keys: keys.at(depth: index + 1))
  }

  /// Tells which field is not there.
  func missing(_ keys: KeysSeen) -> EnvelopeFault? {
    guard let index = turns.firstIndex(where: { !$0.isSeen }) else { return nil }
    return .missing(field: turns[index].field, keys: keys.at(depth: index + 1))
  }
}

/// Hands a payload on, or lets it wait in an unlinked temporary file until it is known to be the
/// right one.
struct PayloadGate<Next: ByteStage & ~Copyable>: ~Copyable {
  private var next: Next
  private let counters: Counters
  private var waiting: Spool?
  private var bytesOut = 0

  init(into next: consuming Next, counters: Counters) {
    self.next = next
    self.counters = counters
  }

  /// Takes the next bytes of a payload.
  mutating func write(_ bytes: RawSpan, mayPass: Bool) throws(PipelineError) {
    if mayPass {
      count(bytes.byteCount)
      try next.write(bytes)
    } else {
      if waiting == nil { waiting = try Spool { .envelope(.spool(errno: $0)) } }
      try waiting?.write(bytes)
    }
  }

  /// Hands on what has waited.
  mutating func open() throws(PipelineError) {
    guard var waiting = waiting.take() else { return }
    count(waiting.count)
    try waiting.replay(into: &next)
  }

  /// Drops what waits: it was another's.
  mutating func drop() { waiting = nil }

  /// Says that all has been handed on.
  consuming func finish() throws(PipelineError) { try next.finish() }

  private mutating func count(_ bytes: Int) {
    bytesOut += bytes
    counters.envelope.bytesOut.set(bytesOut)
  }
}

/// Hands an envelope's payload on unchanged, and lets it be heard on its way.
struct PayloadTap<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  private var next: Next
  private let facts: PayloadFacts?

  init(into next: consuming Next, facts: PayloadFacts?) {
    self.next = next
    self.facts = facts
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    facts?.add(bytes)
    try next.write(bytes)
  }

  consuming func finish() throws(PipelineError) { try next.finish() }
}

/// Collects what can be known of an envelope's payload without understanding it.
///
/// One pass fills it; it is read when that pass is over.
package final class PayloadFacts {
  private var collected = Fingerprint()
  /// The payload's version as its publisher numbers it.
  package private(set) var version: String?

  /// Facts of nothing yet.
  package init() {}

  /// The payload's fingerprint; nil where the input had no envelope, or nothing in it.
  package var fingerprint: Fingerprint? { collected.length > 0 ? collected : nil }

  /// Takes the next bytes of the payload.
  func add(_ bytes: RawSpan) { collected.add(bytes) }

  /// Takes the payload's version.
  func note(version: String) { self.version = version }
}

/// Hands tokens on; checks the field that says whether an answer is good.
///
///     {"cod":"200","list":[…]}      with status: {path: cod, is: "200"}
///
/// Throws ``SourceFault/refused(status:)`` if it has another value, and
/// ``FeedFault/missing(path:keys:)`` if it is not there.
struct StatusCheck<Next: TokenStage & ~Copyable>: TokenStage, ~Copyable {
  private var next: Next
  private let test: Envelope.Test?
  private let node: Int
  private var cursor: PathCursor
  private var isRight = false
  private var keys = KeysSeen()

  init(_ test: Envelope.Test?, into next: consuming Next) {
    let tree = PathTree(test.map { [$0.path] } ?? [])
    node = tree.ends.first ?? .min
    cursor = PathCursor(tree)
    self.test = test
    self.next = next
  }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    guard let test else { return try next.token(kind, text, at: offset) }
    let here = cursor.step(kind, text)
    if kind == .key {
      if cursor.isOnWay { keys.see(text, depth: cursor.depth) }
    } else if here == node, kind != .endObject, kind != .endArray {
      let value = text.withUnsafeBytes { String(decoding: $0.prefix(200), as: UTF8.self) }
      guard kind == .string || kind == .number, value == test.value else {
        throw PipelineError(.source(.refused(status: value)), at: offset)
      }
      isRight = true
    }
    return try next.token(kind, text, at: offset)
  }

  consuming func finish() throws(PipelineError) {
    if let test, !isRight {
      throw PipelineError(
        .normalize(
          .missing(path: test.path.description, keys: keys.at(depth: test.path.steps.count))))
    }
    try next.finish()
  }
}
