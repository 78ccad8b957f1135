/// Follows a document along the path to a feed's rows and names the role of each token.
///
/// Rows at `list[].items[]`, and a field `list[].city` for all rows of an element:
///
///     {"list": [
///       {                      parentBegins(level: 1)
///         "city": "Pushkin",   field
///         "items": [
///           {"price": 4},      rowBegins, field, rowEnds
///           5                  rowIsScalar
///         ]
///       },                     parentEnds(level: 1)
///       {                      parentBegins(level: 1)
///         "items": 7           mismatch: rejected as one record
///       }                      parentEnds(level: 1)
///     ]}                       nothing else: keys and brackets on the path
///
/// A null on the path counts as an empty list, except for the whole document or an element of a
/// list. Any other value from which the path cannot continue is a mismatch. Inside a list it is
/// rejected as one record. Elsewhere the document is not this feed's. For the error messages the
/// follower keeps how deep the path matched, and which keys it found instead.
struct PathFollower: ~Copyable {
  /// The role of a token for the rows of a feed.
  enum Event: BitwiseCopyable {
    /// The token is a key, a value without a path to it, or a step on the path.
    case nothing
    /// The token is the key of a value that no path leads to.
    case pass
    /// A value is about to be rejected: its raw text is needed.
    case capture
    /// The value of a field, or the end of an object or array in its place.
    case field(Int)
    /// The same for a field of an element around rows, or of the document.
    case fieldAround(Int)
    /// The first token of a list of records, or of an object whose members are records.
    case rowsBegin
    /// The first token of a record that is an object or array, its last token, or a whole record.
    case rowBegins, rowEnds, rowIsScalar
    /// The first and the last token of an element around records; level 1 is the outermost list.
    case parentBegins(level: Int), parentEnds(level: Int)
    /// A token that lists whose elements are picked are made of, by its place among the picks.
    case pick(Int)
    /// A token of a list whose elements are parts of rows, by its place in the plan of them.
    case zip(Int)
    /// A value in the place of a list of which single elements are read, or its end: by a field
    /// that is read from such an element.
    case noList(Int)
    /// The end of a value with fields around the rows inside, by its place in the plan's list of
    /// them.
    case asideEnds(Int)
    /// The key of an element of this level, which comes next.
    case elementKey(level: Int)
    /// A whole value that should have led to rows, or its last token.
    case mismatch(Mismatch)
  }

  /// A value on the path to the rows, of another kind than the path needs.
  struct Mismatch: BitwiseCopyable {
    /// Number of steps from the document to the value.
    let step: Int
    let found: TokenKind
    let offset: Int
    /// Number of containers around its members.
    let depth: Int
  }

  /// A list around the rows, seen from its current element. Level 0 is the document.
  struct Level: BitwiseCopyable {
    /// Whether rows have begun. A field for all of them would come too late now.
    var hasRows = false
    /// Whether a value on the path was found inside the element.
    var isMatched = false
  }

  private let plan: PathPlan
  /// The same as in the plan.
  private let containers: (level: Int, areMembers: Bool)?
  /// The picks of the table; empty if it has none.
  var picks: ContiguousArray<PickPlan.Node> { plan.picks.nodes }
  /// The values with fields around the rows inside.
  var asides: ContiguousArray<PathPlan.Aside> { plan.asides }
  /// The lists that rows are made of; empty if the table has none.
  var zip: ZipPlan { plan.zip }
  /// Whether a value was found at each place of that plan.
  private var isZipReached: ContiguousArray<Bool>
  private var cursor: PathCursor
  /// Whether the token is inside a record that is an object or array.
  private(set) var isInRow = false
  private var levels: FixedArray<Level>
  /// How deep the path to the rows matched, for the error message.
  private var matchedDepth = 0
  /// The deepest null met on that path.
  private var nullDepth = 0
  /// The error for the place where the path ended first; nil if it matched deeper since.
  private var missing: PipelineError?
  /// The open object or array that is a mismatch; nil if there is none.
  private var openMismatch: Mismatch?
  /// Whether ``isSettled`` was true when the last row or element ended.
  private var wasSettled = false
  /// The number of mismatches that count as records.
  private var mismatches = 0
  /// Number of elements of the outermost list so far; not counted if these are the rows.
  private var elementCount = 0
  private var keys = KeysSeen()
  /// The values of whole records that count elements, each with the node of their list.
  private var unreadValues: ContiguousArray<(value: Int, node: Int)> = []

  init(_ table: Table) {
    plan = PathPlan(table)
    containers = plan.containers
    cursor = PathCursor(plan.tree)
    // Rows without keys of their own cannot have the wrong ones.
    keys.areKnown = !plan.rowsHaveKeys
    levels = FixedArray(repeating: Level(), count: plan.rowArrays)
    isZipReached = ContiguousArray(repeating: false, count: plan.zip.nodes.count)
  }

  /// The lists of which single elements are read, and what was left out of them.
  var unreadElements: [UnreadElements] { elementLists.filter { $0.elements > 0 } }

  /// The same with those of which all was read. A row that is a list is none of them: like an
  /// object, it may have more than is read.
  var elementLists: [UnreadElements] {
    plan.tree.elementLists.compactMap { node, path in
      guard node != plan.rowNode else { return nil }
      let (elements, lists) = cursor.unread[node]
      let inside = path.steps.starts(with: plan.steps) ? plan.steps.count : 0
      return UnreadElements(
        path: Path(Array(path.steps.dropFirst(inside))).description,
        read: plan.tree.nodes[node].elements.map(\.index), elements: elements, lists: lists)
    }
  }

  /// Whether rows have begun in the open element of a level. A second value of a field comes too
  /// late.
  func hasRows(_ level: Int) -> Bool { levels[level].hasRows }

  /// Number of elements of the outermost list so far; nil if these are the rows.
  var elements: Int? { plan.elementStep == nil ? nil : elementCount }

  /// Whether the elements of a level are the lists of records, or the objects whose members they
  /// are.
  func haveRows(_ level: Int) -> Bool { plan.roles[plan.rowsNode] == .parent(level: level) }

  /// Whether a record has had one of the feed's keys.
  var knowsKeys: Bool { keys.areKnown }

  /// Whether the path to the rows has matched, and the feed's keys are known: nothing that follows
  /// can change that.
  var isSettled: Bool {
    matchedDepth == plan.steps.count && keys.areKnown && plan.zip.missing(isZipReached) == nil
  }

  /// Whether what is open ends in the place of the outermost list on the path, and is none that has
  /// to be rejected.
  var isAtList: Bool {
    cursor.isOnWay && cursor.depth == plan.listDepth && !isInRow && openMismatch == nil
  }

  /// Returns the values that are wanted of whole records, and the use of each. Returns nil if
  /// records must come as tokens.
  mutating func recordForm() -> (form: RecordForm, uses: [RecordUse])? {
    let made = plan.recordForm()
    for (value, use) in (made?.uses ?? []).enumerated() {
      if case .unread(let node) = use { unreadValues.append((value, node)) }
    }
    return made
  }

  /// Counts the elements of a whole record that no path leads to.
  @inline(__always)
  mutating func countUnread(_ values: UnsafeBufferPointer<ObjectValue>) {
    // By index: for the loop over the values themselves the compiler would retain the array, for
    // each record.
    for index in unreadValues.indices {
      let (value, node) = unreadValues[index]
      if values[value].times > 0 { cursor.countUnread(Int(values[value].times), in: node) }
    }
  }

  /// Returns the tokens that are wanted of the gaps between lists of rows, and the use of each.
  /// Returns nil if gaps must come as tokens.
  func gapForm() -> (form: RecordForm, uses: [GapUse])? { plan.gapForm() }

  /// Begins an element in a gap.
  mutating func beginElementOfGap(_ level: Int) {
    if level == 1 { elementCount += 1 }
    matchLevels()
    beginElement(level)
  }

  /// Ends a gap: the next list of rows has begun.
  mutating func endGap() {
    matchLevels()
    beginRows()
  }

  /// Moves on to the next container of rows, which follows the last one in the same list, or with a
  /// key in the same object, and is not empty. Returns its level; nil if it must come as tokens:
  /// nothing has changed.
  mutating func nextContainer(hasKey: Bool) -> Int? {
    guard wasSettled, openMismatch == nil, let (level, areMembers) = containers,
      areMembers == hasKey
    else { return nil }
    beginElementOfGap(level)
    beginRows()
    return level
  }

  /// Whether every member of an object in the place of the rows is a row.
  var membersAreRows: Bool { plan.membersAreRows }

  /// Returns the key of a mismatch's value; nil if the value is an element of a list.
  func key(of mismatch: Mismatch) -> String? {
    let path = plan.path(to: mismatch.step)
    return path.steps.last.map(\.isWild) ?? false ? nil : path.lastKey
  }

  /// Reads the next token and returns its role.
  ///
  /// Throws ``FeedFault`` if a value that must hold all rows is a mismatch.
  @inline(__always)
  mutating func follow(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> Event
  {
    let node = cursor.step(kind, text)
    if kind == .key, cursor.isOnWay, seesKeys { keys.see(text, depth: cursor.depth) }
    guard node >= 0 else { return kind == .key ? .pass : .nothing }
    switch plan.roles[node] {
    case .field(let index):
      if kind == .key {
        if isInRow { keys.areKnown = true }
        return .nothing
      }
      // A field of the record itself comes only in its row.
      return isInRow ? .field(index) : .fieldAround(index)
    case .row:
      return row(kind)
    case .pick(let place):
      guard kind == .key else { return .pick(place) }
      if isInRow { keys.areKnown = true }
      return .nothing
    case .elements(let index):
      if kind == .key, isInRow { keys.areKnown = true }
      switch kind {
      case .key, .null, .beginArray, .endArray: return .nothing
      default: return .noList(index)
      }
    case .zip(let place):
      guard kind != .key else { return .nothing }
      isZipReached[place] = true
      if kind == .null { for inner in plan.zip.inside(place) { isZipReached[inner] = true } }
      return .zip(place)
    case .aside(let place):
      switch kind {
      case .key, .beginObject, .beginArray, .stringPiece: return .nothing
      default: return .asideEnds(place)
      }
    case .step, .rows: return kind == .key ? .nothing : try match(kind, node, at: offset)
    case .parent(let level):
      return kind == .key ? .elementKey(level: level) : try match(kind, node, at: offset)
    }
  }

  /// Whether an error may need the next key: until all is settled, and in a mismatch.
  private var seesKeys: Bool {
    wasSettled ? openMismatch != nil : !isInRow || !keys.areKnown
  }

  @inline(__always)
  private mutating func row(_ kind: TokenKind) -> Event {
    switch kind {
    case .beginObject, .beginArray:
      isInRow = true
      return .rowBegins
    case .endObject, .endArray:
      isInRow = false
      if !wasSettled { wasSettled = isSettled }
      return .rowEnds
    case .key:
      beginRows()
      return .elementKey(level: plan.rowArrays)
    default:
      return .rowIsScalar
    }
  }

  // MARK: The path to the rows

  /// Matches a token of a value on the path.
  @inline(never)
  private mutating func match(_ kind: TokenKind, _ node: Int, at offset: Int)
    throws(PipelineError) -> Event
  {
    // A node between the path and a field is not a step of the path.
    guard let step = plan.nodes.firstIndex(of: node) else { return .nothing }
    if kind == .endObject || kind == .endArray { return try end(step, node, at: offset) }
    // An element without rows counts too.
    if step == plan.elementStep, kind != .stringPiece { elementCount += 1 }
    guard kind == plan.kind(after: step) else {
      return try leave(
        Mismatch(step: step, found: kind, offset: offset, depth: cursor.depth))
    }
    if step > matchedDepth {
      matchedDepth = step
      missing = nil
    }
    matchLevels()
    switch plan.roles[node] {
    case .rows:
      matchedDepth = step + 1
      // Among the members of an object there may be fields before the first row.
      if plan.steps[step] == .each { beginRows() }
      return .rowsBegin
    case .parent(let level):
      beginElement(level)
      keys.forget(from: cursor.depth)
      if node == plan.rowsNode {
        matchedDepth = step + 1
        if plan.steps[step] == .each { beginRows() }
      }
      return .parentBegins(level: level)
    case .step, .row, .field, .pick, .zip, .elements, .aside: break
    }
    return .nothing
  }

  /// Begins an element around rows.
  private mutating func beginElement(_ level: Int) {
    for inner in level..<levels.count { levels[inner].hasRows = false }
    levels[level].isMatched = false
  }

  /// Ends a value on the path. If the path did not match in an element, its key is missing.
  private mutating func end(_ step: Int, _ node: Int, at offset: Int)
    throws(PipelineError) -> Event
  {
    if let mismatch = openMismatch {
      openMismatch = nil
      return try reject(mismatch, keys: keys.at(depth: mismatch.depth))
    }
    guard case .parent(let level) = plan.roles[node] else { return .nothing }
    if !plan.steps[step].isWild, !levels[level].isMatched, matchedDepth <= step, missing == nil {
      missing = missingError(after: step, depth: cursor.depth + 1, at: offset)
    }
    if !wasSettled { wasSettled = isSettled }
    return .parentEnds(level: level)
  }

  private mutating func matchLevels() {
    for level in levels.indices { levels[level].isMatched = true }
  }

  /// Notes that rows have begun in the open elements.
  mutating func beginRows() {
    for level in levels.indices { levels[level].hasRows = true }
  }

  /// Leaves the path at a value of another kind.
  private mutating func leave(_ mismatch: Mismatch) throws(PipelineError) -> Event {
    let isInList = plan.path(to: mismatch.step).arrays > 0
    if isInList {
      matchLevels()
      keys.forget(from: mismatch.depth)
      // A null under a key is no element.
      if mismatch.found == .null, plan.steps[mismatch.step - 1] != .each {
        nullDepth = max(nullDepth, mismatch.step)
        return .nothing
      }
    }
    let isContainer = mismatch.found == .beginObject || mismatch.found == .beginArray
    if mismatch.found == .beginObject || isInList && isContainer {
      // The error message names the keys of an object, so they are read first.
      openMismatch = mismatch
      return isInList ? .capture : .nothing
    }
    return try reject(mismatch, keys: [])
  }

  /// Counts a mismatch as a record to reject. Throws ``FeedFault`` if all rows should have been in
  /// it.
  private mutating func reject(_ mismatch: Mismatch, keys: [String])
    throws(PipelineError) -> Event
  {
    let path = plan.path(to: mismatch.step)
    let error = PipelineError(
      .normalize(
        .wrongKind(
          path: path.description, found: mismatch.found, wanted: plan.kind(after: mismatch.step),
          keys: keys)), at: mismatch.offset)
    guard path.arrays > 0 else { throw error }
    if matchedDepth < mismatch.step, !isMissingByKind { missing = error }
    mismatches += 1
    // From here on, a field around this record comes too late for it.
    beginRows()
    return .mismatch(mismatch)
  }

  /// Whether a mismatch was found where the path ended. It explains more than a missing key.
  private var isMissingByKind: Bool {
    if case .normalize(.wrongKind)? = missing?.fault { true } else { false }
  }

  // MARK: The end

  /// Checks that the document was this feed's. `records` is the number of records in it.
  ///
  /// Throws ``FeedFault`` if the path to the rows did not match, or if no record had a known key.
  func checkEnd(records: Int) throws(PipelineError) {
    // A null on the path, or an empty list, does not mean that the path is wrong.
    if matchedDepth < plan.steps.count, nullDepth <= matchedDepth,
      missing != nil || !plan.steps[matchedDepth].isWild
    {
      throw missing ?? missingError(after: matchedDepth, depth: matchedDepth + 1, at: nil)
    }
    if matchedDepth == plan.steps.count, let missing = plan.zip.missing(isZipReached) {
      throw PipelineError(
        .normalize(
          .missing(path: missing.description, keys: keys.at(depth: missing.steps.count))),
        at: nil)
    }
    if records > mismatches, !keys.areKnown {
      let expected = plan.fields.filter { $0.isRead && $0.arrays == plan.rowArrays }.map(\.name)
      let found = keys.at(depth: plan.steps.count + 1)
      throw PipelineError(.normalize(.noKnownKey(expected: expected, keys: found)), at: nil)
    }
  }

  /// Returns the error for a path that ends after `step` steps. The keys found instead are at
  /// `depth`.
  private func missingError(after step: Int, depth: Int, at offset: Int?) -> PipelineError {
    let path = plan.path(to: step + 1).description
    return PipelineError(
      .normalize(.missing(path: path, keys: keys.at(depth: depth))), at: offset)
  }
}
