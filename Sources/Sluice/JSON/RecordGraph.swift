import CSluice

/// The steps from value to value of records. See ``RecordShape``.
///
/// Which steps lead on from a value depends on where it is: after each member of an object any
/// other may come. So there is one state for all values in an object, by its path, and a key is
/// learned once, wherever it comes. In a list there is one state for each element that is wanted,
/// and one for all others: `commits[]`. So the steps of one element lead to the next, in a circle.
///
/// The steps are in a hash table with chaining, by their state and the first keys of their labels.
struct RecordGraph: ~Copyable {
  /// The maximum numbers of states, of steps, of steps in a bucket, and of bytes in all labels.
  private static let maxStates = 512
  private static let maxSteps = 2048
  private static let longestChain = 32
  private static let maxLabels = 64 << 10

  /// A bracket in a label whose token is wanted, or that begins an element that is counted.
  struct Bracket {
    /// The number of the token in the form, or that of the value that counts.
    let number: Int
    /// Whether the element is only counted.
    var isCounted = false
    let kind: TokenKind
    /// Its offset in the label.
    let offset: Int
  }

  /// A step that is learned.
  struct NewStep {
    /// The state that it leads to, and the one after members that are passed there.
    var target = 0
    var inside = 0
    /// The kinds of the containers that are open after it, as ``RecordShape/Step/objects``.
    var objects: UInt16 = 0
    var wish = RecordShape.Wish(-1)
    var container = RecordShape.Container.other
    /// Its role; nil for that of its value.
    var role: RecordShape.Role?
  }

  private var steps = FixedArray<RecordShape.Step>([])
  /// Where the label of each step is in ``labels``.
  private var kept: [Int] = []
  /// The step that is expected where it is not known which one follows. The start of a record is
  /// after it.
  let unknown = RecordShape.StepAddress.allocate(capacity: 1)
  /// The brackets of all labels.
  private(set) var brackets: ContiguousArray<Bracket> = []
  /// The first step of each bucket; -1 if there is none.
  private var buckets = FixedArray<Int16>(repeating: -1, count: 1024)
  /// The number of steps.
  private(set) var count = 0
  /// The steps that begin objects whose members may be any, by the places of these in the form; -1
  /// where none is known.
  private var openings: [Int16] = []
  /// The paths of values in records.
  var paths = RecordPaths()
  /// The states by their paths; 0 where there is none. The start of a record is state 0.
  private var states: [Int16] = []
  private var stateCount = 0
  /// All labels. The buffer does not move: it has room for as many bytes as there may be.
  private var labels = ByteBuffer(capacity: 1)
  /// The objects and arrays in which nothing is wanted.
  var unwanted = UnwantedContainers()

  init() { unknown.initialize(to: RecordShape.Step(unknown: "", next: unknown)) }

  deinit { unknown.deallocate() }

  /// Whether no step is known.
  var isEmpty: Bool { count == 0 }

  /// Returns whether a label goes on with this byte: a bracket or white space. No value begins with
  /// one.
  @inline(__always)
  static func goesOn(_ byte: UInt8) -> Bool {
    // Besides the four brackets, the second test is true for Y, _, y and DEL only.
    byte <= 0x20 || byte | 0x26 == 0x7F
  }

  /// Returns the step after another one whose label is written at `p`, and the length of the label;
  /// nil if none is known. 64 bytes at least must be readable there.
  @inline(__always)
  func step(
    after last: RecordShape.StepAddress, at p: UnsafePointer<UInt8>,
    before limit: UnsafePointer<UInt8>
  ) -> (step: RecordShape.StepAddress?, label: Int) {
    let found = label(p, after: last)
    // Mostly the step's label is as long as it seems, and the processor need not wait for the step.
    let guess = cvalue_apart(found.length)
    var index = buckets.address[Self.bucket(of: found.hash)]
    while index >= 0 {
      let step = steps.address + Int(index)
      if step.pointee.source == last.pointee.target, Self.isWritten(step, at: p, before: limit) {
        let label = Int(step.pointee.label)
        if label == Int(found.length) { return (step, Int(cvalue_apart(guess))) }
        return (step, label)
      }
      index = step.pointee.nextInBucket
    }
    return Self.shortStep(
      steps.address, buckets.address, outerHash: found.outer_hash, after: last, at: p, before: limit
    )
  }

  /// Returns the same for a step whose label ends before a key: the object is passed as a whole, or
  /// its members may be any, or their keys are values. It is static, because the compiler would copy
  /// the graph to call it.
  @inline(never)
  private static func shortStep(
    _ steps: RecordShape.StepAddress, _ buckets: UnsafeMutablePointer<Int16>,
    outerHash: UInt64,
    after last: RecordShape.StepAddress,
    at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>
  ) -> (step: RecordShape.StepAddress?, label: Int) {
    func step(_ hash: UInt64) -> RecordShape.StepAddress? {
      var index = buckets[Self.bucket(of: hash)]
      while index >= 0 {
        let step = steps + Int(index)
        if step.pointee.source == last.pointee.target,
          step.pointee.wish.isPassed || step.pointee.wish.isKey || !step.pointee.role.hasValue,
          isWritten(step, at: p, before: limit)
        {
          return step
        }
        index = step.pointee.nextInBucket
      }
      return nil
    }
    if let step = step(outerHash) { return (step, Int(step.pointee.label)) }
    var brackets = Brackets(after: last, at: p)
    while let hash = brackets.next() {
      if let step = step(hash) { return (step, Int(step.pointee.label)) }
    }
    return (nil, 0)
  }

  /// The hashes of the labels at `p` of which only brackets are told: one bracket, two and so on.
  /// Such a label may be followed by any key, so no key is in its hash.
  private struct Brackets {
    private var hash: UInt64
    private var p: UnsafePointer<UInt8>
    private let limit: UnsafePointer<UInt8>

    init(after last: RecordShape.StepAddress, at p: UnsafePointer<UInt8>) {
      hash = UInt64(truncatingIfNeeded: last.pointee.target)
      self.p = p
      limit = p + 48
    }

    mutating func next() -> UInt64? {
      p += cscan_space(p, limit)
      guard p < limit, RecordGraph.goesOn(p.pointee), p.pointee > 0x20 else { return nil }
      hash = (hash ^ UInt64(p.pointee)) &* 0x9E37_79B9_7F4A_7C15
      p += 1
      return hash
    }
  }

  /// Returns the same, and notes which step followed.
  @inline(never)
  mutating func seek(
    after last: RecordShape.StepAddress, at p: UnsafePointer<UInt8>,
    before limit: UnsafePointer<UInt8>
  ) -> (step: RecordShape.StepAddress?, label: Int) {
    let found = step(after: last, at: p, before: limit)
    guard let step = found.step else { return found }
    if last.pointee.hadOther(than: step, or: unknown) {
      if step.pointee.isUnwanted {
        unwanted.noteChange(in: step.pointee.container)
      } else if step.pointee.slot >= 0 {
        unwanted.noteWantedChange(in: step.pointee.container)
      }
    }
    last.pointee.note(step, else: unknown)
    return found
  }

  /// Returns what is seen of the label at `p` after a step.
  @inline(__always)
  private func label(_ p: UnsafePointer<UInt8>, after last: RecordShape.StepAddress)
    -> cvalue_found_label
  {
    cvalue_label(p, UInt64(truncatingIfNeeded: last.pointee.target), UInt32(last.pointee.objects))
  }

  /// Returns the bucket of the steps whose labels have this hash.
  @inline(__always)
  private static func bucket(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash &>> 54)
  }

  /// Returns whether the label of a step is written at `p`, and the value or the end after it.
  @inline(__always)
  private static func isWritten(
    _ step: RecordShape.StepAddress, at p: UnsafePointer<UInt8>,
    before limit: UnsafePointer<UInt8>
  ) -> Bool {
    let label = Int(step.pointee.label)
    return limit - p > label && cscan_is_equal(p, step.pointee.text, label) != 0
      && (!step.pointee.role.hasValue || step.pointee.mayBegin(p[label]))
  }

  /// Points all steps to the copies of their labels. Their values are forgotten.
  mutating func leaveChunk() {
    let base = labels.start.assumingMemoryBound(to: UInt8.self)
    for index in 0..<count {
      steps[index].forget(UnsafePointer(base + kept[index]))
    }
  }

  /// Adds a step after another one, with its label and the brackets in it. Returns it; nil if there
  /// is no room. Its text is a copy of its label. If it begins an object whose members may be any,
  /// the first step after it stands for members with others to come, the second one for all of them
  /// up to the end. No labels lead to these.
  mutating func add(
    _ new: NewStep, after last: RecordShape.StepAddress, _ label: UnsafeRawBufferPointer,
    _ brackets: [Bracket]
  ) -> RecordShape.StepAddress? {
    guard let start = label.baseAddress?.assumingMemoryBound(to: UInt8.self),
      count + 2 < Self.maxSteps, labels.count + label.count <= Self.maxLabels,
      self.brackets.count + brackets.count <= Self.maxSteps
    else {
      unwanted.makeRoom()
      return nil
    }
    let bucket = Self.bucket(of: hash(of: label, start, after: last, new))
    guard chainLength(of: bucket) < Self.longestChain else { return nil }
    if labels.capacity < Self.maxLabels { labels.reserve(Self.maxLabels) }
    kept.append(labels.count)
    labels.append(label)
    let source = Int(last.pointee.target)
    let passesMembers = new.container.object.map { unwanted.passesMembers(in: $0) } ?? false
    if count + 2 >= steps.count { growSteps() }
    let text = UnsafePointer((labels.start + kept[count]).assumingMemoryBound(to: UInt8.self))
    let firstBracket = self.brackets.count
    steps[count] = RecordShape.Step(
      new, text, label: label.count, from: source,
      brackets: firstBracket..<firstBracket + brackets.count, nextInBucket: buckets[bucket],
      passesMembers: passesMembers, next: unknown)
    self.brackets += brackets
    unwanted.noteStep(in: new.container)
    buckets[bucket] = Int16(count)
    count += 1
    let step = steps.address + (count - 1)
    if new.role == .opened {
      noteOpening(step)
      for _ in 0..<2 {
        kept.append(kept[count - 1])
        steps[count] = step.pointee.passedMembers(new.inside, next: unknown)
        count += 1
      }
    }
    return step
  }

  /// Notes that an object may be entered by this step, if it begins one whose members may be any.
  /// The last one counts: a path to it that came once must not stay the way in.
  mutating func noteOpening(_ step: RecordShape.StepAddress) {
    guard step.pointee.role == .opened, let place = step.pointee.container.object else { return }
    while openings.count <= place { openings.append(-1) }
    openings[place] = Int16(step - steps.address)
  }

  /// Returns the step that begins the object at this place of the form, if its members may be any;
  /// nil if none is known. The two steps after it stand for those that were passed.
  @inline(__always)
  func opened(_ place: Int) -> RecordShape.StepAddress? {
    guard place < openings.count, openings[place] >= 0 else { return nil }
    return steps.address + Int(openings[place])
  }

  /// Returns the hash by which a step is found. Its label begins at `start`.
  private func hash(
    of label: UnsafeRawBufferPointer, _ start: UnsafePointer<UInt8>,
    after last: RecordShape.StepAddress, _ new: NewStep
  ) -> UInt64 {
    let found = self.label(start, after: last)
    if new.wish.isKey {
      // The key after the label is any: only the brackets before the comma are mixed.
      var (brackets, hash) = (Brackets(after: last, at: start), found.outer_hash)
      while let next = brackets.next() { hash = next }
      return hash
    }
    guard new.role == .opened || new.role == .closed else {
      return new.wish.isPassed ? found.outer_hash : found.hash
    }
    guard label.allSatisfy(Self.goesOn) else { return found.outer_hash }
    var (brackets, hash) = (Brackets(after: last, at: start), found.outer_hash)
    for byte in label where byte > 0x20 { hash = brackets.next() ?? hash }
    return hash
  }

  /// Returns the number of steps in a bucket.
  private func chainLength(of bucket: Int) -> Int {
    var (step, length) = (Int(buckets[bucket]), 0)
    while step >= 0 {
      step = Int(steps[step].nextInBucket)
      length += 1
    }
    return length
  }

  /// Makes room for more steps, which moves them.
  private mutating func growSteps() {
    let old = steps.address
    steps.grow(to: max(32, 2 * count), filling: unknown.pointee)
    for index in 0..<count { steps[index].move(from: old, to: steps.address, but: unknown) }
    unknown.pointee.move(from: old, to: steps.address, but: unknown)
  }

  /// Returns the state of this path, which is added if it is new; nil if there is no room.
  mutating func state(_ path: Int) -> Int? {
    if states.indices ~= path, states[path] > 0 { return Int(states[path]) }
    guard path != RecordPaths.none else {
      unwanted.passAll()
      return nil
    }
    guard stateCount < Self.maxStates else {
      unwanted.makeRoom()
      return nil
    }
    while states.count <= path { states.append(0) }
    stateCount += 1
    states[path] = Int16(stateCount)
    return stateCount
  }

  /// Forgets steps if others are to be passed as wholes from now on. Returns whether it did.
  mutating func forgetIfStale() -> Bool {
    guard let stale = unwanted.begin() else { return false }
    switch stale {
    case .inside: forgetInside()
    case .all: forgetAll()
    }
    return true
  }

  /// Forgets the steps to values in containers that are passed. Those between such values are not
  /// met any longer, and those that lead out of them.
  private mutating func forgetInside() {
    for bucket in buckets.indices {
      var (index, last) = (buckets[bucket], -1)
      buckets[bucket] = -1
      while index >= 0 {
        let next = steps[Int(index)].nextInBucket
        if !unwanted.passes(steps[Int(index)].container) {
          if last < 0 { buckets[bucket] = index } else { steps[last].nextInBucket = index }
          last = Int(index)
          steps[last].nextInBucket = -1
        }
        index = next
      }
    }
    for index in 0..<count { steps[index].forgetNext(in: unwanted, else: unknown) }
    unknown.pointee.forgetNext(in: unwanted, else: unknown)
  }

  private mutating func forgetAll() {
    count = 0
    kept.removeAll()
    openings.removeAll()
    brackets.removeAll()
    for bucket in buckets.indices { buckets[bucket] = -1 }
    states.removeAll()
    stateCount = 0
    // What is passed needs no paths: there is room for those of what is wanted.
    if unwanted.passesAll { paths = RecordPaths() }
    labels.removeAll()
    unknown.pointee = RecordShape.Step(unknown: "", next: unknown)
  }
}
