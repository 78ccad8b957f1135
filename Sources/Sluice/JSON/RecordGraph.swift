import CSluice

/// The steps from value to value of records. See ``RecordShape``.
///
/// Which steps lead on from a value depends on where it is: after each member of an object any other may
/// come. So there is one state for all values in an object, by its path, and a key is learned once, wherever
/// it comes. In a list there is one state for each element that is wanted, and one for all others:
/// `commits[]`. So the steps of one element lead to the next, in a circle.
struct RecordGraph: ~Copyable {
  /// The maximum numbers of states, of steps, of steps to be told apart one by one, and of bytes in all
  /// labels.
  private static let maxStates = 512
  private static let maxSteps = 2048
  private static let maxAlike = 32
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

  /// The states. State 0 is the start of a record.
  var states = FixedArray(repeating: RecordShape.State(), count: 1)
  var steps = FixedArray<RecordShape.Step>([])
  /// The brackets of all labels.
  private(set) var brackets: ContiguousArray<Bracket> = []
  /// The first steps of those whose labels have the same number; -1 if there is none.
  private var firsts = FixedArray<Int16>(repeating: -1, count: 1024)
  private var stateCount = 1
  /// The number of steps.
  private(set) var count = 0
  /// The states by their paths.
  private var names: [[UInt8]: Int16] = [:]
  /// All labels. The buffer does not move: it has room for as many bytes as there may be.
  private var labels = ByteBuffer(capacity: 1)

  /// Whether no step is known.
  var isEmpty: Bool { count == 0 }

  /// Returns whether a label goes on with this byte: a bracket or white space. No value begins with one.
  @inline(__always)
  static func goesOn(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte | 0x20 == UInt8(ascii: "{") || byte | 0x20 == UInt8(ascii: "}")
  }

  /// Returns the step from a state whose label is written at `p`; nil if none is known. 64 bytes at least
  /// must be readable there.
  @inline(__always)
  mutating func step(
    from state: Int, at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>
  ) -> Int? {
    var index = Int(firsts[place(state, p)])
    while index >= 0 {
      if Int(steps.address[index].source) == state, isWritten(index, at: p, before: limit) {
        states[state].last = steps.address + index
        return index
      }
      index = Int(steps.address[index].sibling)
    }
    return nil
  }

  /// Returns the place of the steps from a state whose labels begin like the text at `p`.
  @inline(__always)
  private func place(_ state: Int, _ p: UnsafePointer<UInt8>) -> Int {
    // In an array, a text after a comma is no key.
    let seed = UInt64(truncatingIfNeeded: state)
    let hash =
      states.address[state].isInObject
      ? cvalue_label(p, seed) : (seed ^ UInt64(p.pointee)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash &>> 54)
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
    for index in 0..<count {
      steps[index].forget(UnsafePointer(base + Int(steps[index].kept)))
    }
  }

  /// Adds a step with its label, which is written at `label`. Returns its index; nil if there is no room.
  /// Its text is the copy of its label.
  mutating func add(
    from state: Int, _ label: UnsafeRawBufferPointer, _ brackets: [Bracket], to target: Int,
    slot: Int, isCounted: Bool, isTidied: Bool
  ) -> Int? {
    guard let start = label.baseAddress?.assumingMemoryBound(to: UInt8.self),
      count < Self.maxSteps, labels.count + label.count <= Self.maxLabels,
      self.brackets.count + brackets.count <= Self.maxSteps
    else { return nil }
    let place = place(state, start)
    guard alike(place) < Self.maxAlike else { return nil }
    if labels.capacity < Self.maxLabels { labels.reserve(Self.maxLabels) }
    let kept = labels.count
    labels.append(label)
    let step = RecordShape.Step(
      UnsafePointer((labels.start + kept).assumingMemoryBound(to: UInt8.self)),
      label: label.count, kept: kept, source: state, target: target, sibling: firsts[place],
      brackets: brackets.count, firstBracket: self.brackets.count, slot: slot,
      isCounted: isCounted, isTidied: isTidied)
    self.brackets += brackets
    if count == steps.count { growSteps(filling: step) }
    steps[count] = step
    firsts[place] = Int16(count)
    states[state].last = steps.address + count
    count += 1
    return count - 1
  }

  /// Returns the number of steps at a place.
  private func alike(_ place: Int) -> Int {
    var (index, number) = (Int(firsts[place]), 0)
    while index >= 0 {
      index = Int(steps[index].sibling)
      number += 1
    }
    return number
  }

  /// Makes room for more steps, which moves them.
  private mutating func growSteps(filling step: RecordShape.Step) {
    let old = steps.address
    steps.grow(to: max(32, 2 * count), filling: step)
    for state in 0..<stateCount {
      guard let last = states[state].last else { continue }
      states[state].last = steps.address + (last - old)
    }
    for index in 0..<count {
      guard let next = steps[index].next else { continue }
      steps[index].next = steps.address + (next - old)
    }
  }

  /// Returns the state of this path, which is added if it is new; nil if there is no room.
  mutating func state(_ path: [UInt8], isInObject: Bool) -> Int? {
    if let known = names[path] { return Int(known) }
    guard stateCount < Self.maxStates else { return nil }
    names[path] = Int16(stateCount)
    if stateCount == states.count {
      states.grow(to: max(32, 2 * stateCount), filling: RecordShape.State())
    }
    states[stateCount].isInObject = isInObject
    stateCount += 1
    return stateCount - 1
  }
}
