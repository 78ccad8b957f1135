/// Finds the payload in an API's answer and passes it on in pieces.
///
/// An ``Envelope`` describes its location: the element of a list whose mark has the right value,
/// anywhere in the list. A payload before its mark is spooled to an unlinked temporary file.
///
///     {"status":"result","responseData":{"classifiers":[{"file":"UEsD…","classifierId":4}, …
///      ^ must be this one                                ^ spooled      ^ it is the one: hand it on
///
/// Throws ``EnvelopeFault`` if the path to the payload is broken, and
/// ``SourceFault/refused(status:)`` if the answer reports a failure. Other faults wait until the
/// status is known.
struct EnvelopeReader<Next: ByteStage & ~Copyable>: TokenStage, ~Copyable {
  /// The indexes of the paths in the tree.
  private enum Node {
    static var payload: Int { 0 }
    static var status: Int { 1 }
    static var mark: Int { 2 }
    static var element: Int { 3 }
    /// The payload's version; the element again if the feed has no version.
    static var version: Int { 4 }
    /// The first field on the path to the list.
    static var way: Int { 5 }
  }

  /// The state of the current element.
  private struct Element {
    var isMarked: Bool?
    var payloads = 0
    /// The kind and position of a payload that is not a string.
    var wrong: (kind: TokenKind, offset: Int)?
    var keys: [String] = []
    var version: String?
  }

  private var gate: PayloadGate<Next>
  let envelope: Envelope
  private let facts: PayloadFacts?
  private var cursor: PathCursor
  private let ends: [Int]
  /// The nodes of the status and the mark; `Int.min` if there is none.
  private let statusNode: Int
  private let markNode: Int
  private let elementDepth: Int
  var way: EnvelopeWay
  var status: Bool?
  /// The first fault before the status is known.
  var late: PipelineError?
  private var element = Element()
  private var isFound = false
  var marks: [String] = []
  /// The keys of the first element without a mark.
  private var markless: [String]?
  var keys = KeysSeen()

  init(
    _ envelope: Envelope, into next: consuming Next, facts: PayloadFacts? = nil, counters: Counters
  ) {
    self.envelope = envelope
    self.facts = facts
    gate = PayloadGate(into: next, counters: counters)
    let around = Path(Array(envelope.payload.steps.dropLast()))
    way = EnvelopeWay(to: envelope.payload)
    let tree = PathTree([
      envelope.payload, envelope.status?.path ?? around, envelope.match?.path ?? around, around,
      envelope.version ?? around,
    ])
    ends = tree.ends + tree.way.dropFirst().prefix(way.count)
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
        // If there is no mark to match, the only element is the right one.
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
    // Payloads of other elements may be as long as the wanted one.
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

  /// Checks the payloads of the right element so far.
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
      // An element without a mark cannot be identified. If no element has a mark, these keys
      // explain the fault.
      markless = markless ?? element.keys
    }
    gate.drop()
  }

  // MARK: Faults

  /// Throws a fault, or keeps it until the status is known. The status of a failed answer explains
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
  /// Checks that the payload was found and that the answer reports success.
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

  /// Returns a fault that names the first missing key on a path, and the keys found instead.
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

/// Checks the path from an answer's start to the list of an ``Envelope``. Each field on it must
/// appear once. The last one must contain the list, the others an object.
struct EnvelopeWay {
  private struct Turn {
    let field: String
    let kind: TokenKind
    var isSeen = false
  }

  /// The fields up to the first list, outermost first.
  private var turns: [Turn]

  init(to payload: Path) {
    let steps = payload.steps
    turns = zip(steps, steps.dropFirst()).prefix { step, _ in step != .each }.map { step, next in
      let field = if case .key(let key) = step { key } else { "" }
      return Turn(field: field, kind: next == .each ? .beginArray : .beginObject)
    }
  }

  /// The number of these fields.
  var count: Int { turns.count }

  /// Checks the first token of a field's value. Returns its fault; nil if there is none.
  mutating func read(_ index: Int, _ kind: TokenKind, _ keys: KeysSeen) -> EnvelopeFault? {
    let turn = turns[index]
    turns[index].isSeen = true
    if turn.isSeen { return .twice(field: turn.field) }
    if kind == turn.kind { return nil }
    return .wrongKind(
      field: turn.field, found: kind, wanted: turn.kind, keys: keys.at(depth: index + 1))
  }

  /// Returns a fault for the first missing field; nil if none is missing.
  func missing(_ keys: KeysSeen) -> EnvelopeFault? {
    guard let index = turns.firstIndex(where: { !$0.isSeen }) else { return nil }
    return .missing(field: turns[index].field, keys: keys.at(depth: index + 1))
  }
}

/// Passes a payload on, or keeps it in an unlinked temporary file until it is known to be the right
/// one.
private struct PayloadGate<Next: ByteStage & ~Copyable>: ~Copyable {
  private var next: Next
  private let counters: Counters
  private var waiting: Spool?
  private var bytesOut = 0

  init(into next: consuming Next, counters: Counters) {
    self.next = next
    self.counters = counters
  }

  /// Processes the next bytes of a payload. With `mayPass`, they go straight to the next stage.
  mutating func write(_ bytes: RawSpan, mayPass: Bool) throws(PipelineError) {
    if mayPass {
      count(bytes.byteCount)
      try next.write(bytes)
    } else {
      if waiting == nil { waiting = try Spool { .envelope(.spool(errno: $0)) } }
      try waiting?.write(bytes)
    }
  }

  /// Passes on the spooled bytes.
  mutating func open() throws(PipelineError) {
    guard var waiting = waiting.take() else { return }
    count(waiting.count)
    try waiting.replay(into: &next)
  }

  /// Drops the spooled bytes: they belong to another element.
  mutating func drop() { waiting = nil }

  /// Finishes the next stage.
  consuming func finish() throws(PipelineError) { try next.finish() }

  private mutating func count(_ bytes: Int) {
    bytesOut += bytes
    counters.envelope.bytesOut.set(bytesOut)
  }
}

/// Passes an envelope's payload on unchanged and adds it to the ``PayloadFacts``.
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

/// Collects facts about an envelope's payload without decoding it.
///
/// One pass fills it. Read it after that pass.
package final class PayloadFacts {
  private var collected = Fingerprint()
  /// The publisher's version of the payload; nil if unknown.
  package private(set) var version: String?

  /// Makes an empty collection.
  package init() {}

  /// The payload's fingerprint; nil if the input had no envelope or its payload was empty.
  package var fingerprint: Fingerprint? { collected.length > 0 ? collected : nil }

  /// Adds the next bytes of the payload.
  func add(_ bytes: RawSpan) { collected.add(bytes) }

  /// Records the payload's version.
  func note(version: String) { self.version = version }
}

/// Passes tokens on and checks the field that says whether the request succeeded.
///
///     {"cod":"200","list":[…]}      with status: {path: cod, is: "200"}
///
/// Throws ``SourceFault/refused(status:)`` if the field has another value, and
/// ``FeedFault/missing(path:keys:)`` if it is missing.
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
    let reply = try next.token(kind, text, at: offset)
    // The field may be in a value that nobody else reads.
    return reply == .pass && here >= 0 ? .proceed : reply
  }

  var passLimit: Int { next.passLimit }

  consuming func finish() throws(PipelineError) {
    if let test, !isRight {
      throw PipelineError(
        .normalize(
          .missing(path: test.path.description, keys: keys.at(depth: test.path.steps.count))))
    }
    try next.finish()
  }
}
