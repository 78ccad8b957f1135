import CSluice

/// The values of records and the steps between them. See ``RecordShape``.
///
/// A value is known by its path, from the record on. Elements of a list in which nothing is wanted have
/// one path: `commits[]`. So the steps of one element lead to the next, in a circle.
struct RecordGraph: ~Copyable {
  /// The maximum numbers of values, of steps, of steps from one value, and of bytes in all labels.
  private static let maxLeaves = 512
  private static let maxSteps = 1024
  private static let maxSiblings = 16
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

  /// A step that was found where a label began with some bytes. It is tried first where they come again.
  struct Guess: BitwiseCopyable {
    fileprivate static let count = 256

    /// The value that the step begins from; -1 before there is one.
    fileprivate var leaf: Int16 = -1
    fileprivate var step: Int16 = 0

    /// Returns the place of the guess for a label that begins with the eight bytes at `p`.
    @inline(__always)
    fileprivate static func place(_ leaf: Int, _ p: UnsafeRawPointer) -> Int {
      let first = p.loadUnaligned(as: UInt64.self) ^ UInt64(truncatingIfNeeded: leaf &<< 48)
      return Int(truncatingIfNeeded: (first &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
  }

  /// The values. Value 0 is the start of a record.
  var leaves = FixedArray(repeating: RecordShape.Leaf(), count: 1)
  var steps = FixedArray<RecordShape.Step>([])
  /// The brackets of all labels.
  private(set) var brackets: ContiguousArray<Bracket> = []
  private var guesses = FixedArray(repeating: Guess(), count: Guess.count)
  private var leafCount = 1
  private var stepCount = 0
  /// The values by their paths.
  private var names: [[UInt8]: Int16] = [:]
  /// All labels. The buffer does not move: it has room for as many bytes as there may be.
  private var labels = ByteBuffer(capacity: 1)

  /// Whether no step is known.
  var isEmpty: Bool { stepCount == 0 }

  /// Returns whether a label goes on with this byte: a bracket or white space. No value begins with one.
  @inline(__always)
  static func goesOn(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte | 0x20 == UInt8(ascii: "{") || byte | 0x20 == UInt8(ascii: "}")
  }

  /// Returns the step whose label is written at `p`; nil if none is known. The next time it is the
  /// first to be tried. Eight bytes at least must be readable there.
  @inline(never)
  mutating func step(
    from leaf: Int, at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>
  ) -> Int? {
    let guess = guesses.address + Guess.place(leaf, UnsafeRawPointer(p))
    if Int(guess.pointee.leaf) == leaf, isWritten(Int(guess.pointee.step), at: p, before: limit) {
      leaves[leaf].last = steps.address + Int(guess.pointee.step)
      return Int(guess.pointee.step)
    }
    var index = Int(leaves[leaf].first)
    while index >= 0 {
      if isWritten(index, at: p, before: limit) {
        leaves[leaf].last = steps.address + index
        guess.pointee = Guess(leaf: Int16(leaf), step: Int16(index))
        return index
      }
      index = Int(steps[index].sibling)
    }
    return nil
  }

  /// Returns whether the label of a step is written at `p`, and the value or the end after it.
  @inline(__always)
  private func isWritten(
    _ index: Int, at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>
  ) -> Bool {
    let step = steps.address + index
    let label = Int(step.pointee.label)
    return limit - p > label && cscan_common(p, step.pointee.text, label) == label
      && (step.pointee.target == 0 || !Self.goesOn(p[label]))
  }

  /// Points all steps to the copies of their labels. Their values are forgotten.
  mutating func leaveChunk() {
    let base = labels.start.assumingMemoryBound(to: UInt8.self)
    for index in 0..<stepCount {
      steps[index].forget(UnsafePointer(base + Int(steps[index].kept)))
    }
  }

  /// Adds a step with its label. Returns its index; nil if there is no room. Its text is the copy of its
  /// label.
  mutating func add(
    from leaf: Int, _ label: UnsafeRawBufferPointer, _ brackets: [Bracket], to target: Int,
    slot: Int, isCounted: Bool
  ) -> Int? {
    guard stepCount < Self.maxSteps, Int(leaves[leaf].steps) < Self.maxSiblings,
      labels.count + label.count <= Self.maxLabels,
      self.brackets.count + brackets.count <= Self.maxSteps
    else { return nil }
    if labels.capacity < Self.maxLabels { labels.reserve(Self.maxLabels) }
    let kept = labels.count
    labels.append(label)
    let step = RecordShape.Step(
      UnsafePointer((labels.start + kept).assumingMemoryBound(to: UInt8.self)),
      label: label.count, kept: kept, target: target, sibling: leaves[leaf].first,
      brackets: brackets.count, firstBracket: self.brackets.count, slot: slot,
      isCounted: isCounted)
    self.brackets += brackets
    if stepCount == steps.count { growSteps(filling: step) }
    steps[stepCount] = step
    leaves[leaf].first = Int16(stepCount)
    leaves[leaf].last = steps.address + stepCount
    leaves[leaf].steps += 1
    stepCount += 1
    return stepCount - 1
  }

  /// Makes room for more steps, which moves them.
  private mutating func growSteps(filling step: RecordShape.Step) {
    let old = steps.address
    steps.grow(to: max(32, 2 * stepCount), filling: step)
    for leaf in 0..<leafCount {
      guard let last = leaves[leaf].last else { continue }
      leaves[leaf].last = steps.address + (last - old)
    }
    for index in 0..<stepCount {
      guard let next = steps[index].next else { continue }
      steps[index].next = steps.address + (next - old)
    }
  }

  /// Returns the value of this path, which is added if it is new; nil if there is no room.
  mutating func leaf(_ path: [UInt8]) -> Int? {
    if let known = names[path] { return Int(known) }
    guard leafCount < Self.maxLeaves else { return nil }
    names[path] = Int16(leafCount)
    if leafCount == leaves.count {
      leaves.grow(to: max(32, 2 * leafCount), filling: RecordShape.Leaf())
    }
    leafCount += 1
    return leafCount - 1
  }
}
