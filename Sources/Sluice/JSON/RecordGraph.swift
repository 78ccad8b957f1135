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

  private var steps = FixedArray<RecordShape.Step>([])
  /// Where the label of each step is in ``labels``.
  private var kept: [Int] = []
  /// The step that is expected where it is not known which one follows. The start of a record is after it.
  let unknown = RecordShape.StepAddress.allocate(capacity: 1)
  /// The brackets of all labels.
  private(set) var brackets: ContiguousArray<Bracket> = []
  /// The first steps of those whose labels are of the same place; -1 if there is none.
  private var firsts = FixedArray<Int16>(repeating: -1, count: 1024)
  /// The number of steps.
  private(set) var count = 0
  /// The states by their paths. The start of a record is state 0.
  private var names: [[UInt8]: Int16] = [:]
  /// All labels. The buffer does not move: it has room for as many bytes as there may be.
  private var labels = ByteBuffer(capacity: 1)
  /// The objects and arrays in which nothing is wanted.
  var unwanted = UnwantedContainers()

  init() { unknown.initialize(to: RecordShape.Step(unknown: "", next: unknown)) }

  deinit { unknown.deallocate() }

  /// Whether no step is known.
  var isEmpty: Bool { count == 0 }

  /// Returns whether a label goes on with this byte: a bracket or white space. No value begins with one.
  @inline(__always)
  static func goesOn(_ byte: UInt8) -> Bool {
    // Besides the four brackets, the second test is true for Y, _ and y only.
    byte <= 0x20 || byte | 0x26 == 0x7F
  }

  /// Returns the step after another one whose label is written at `p`, and the length of the label; nil if none
  /// is known. 64 bytes at least must be readable there.
  @inline(__always)
  func step(
    after last: RecordShape.StepAddress, at p: UnsafePointer<UInt8>,
    before limit: UnsafePointer<UInt8>
  ) -> (step: RecordShape.StepAddress?, label: Int) {
    let found = label(p, after: last)
    // Mostly the step's label is as long as it seems, and the processor need not wait for the step.
    let guess = cvalue_apart(found.length)
    var number = firsts.address[Self.place(found.number)]
    while number >= 0 {
      let step = steps.address + Int(number)
      if step.pointee.source == last.pointee.target, Self.isWritten(step, at: p, before: limit) {
        let label = Int(step.pointee.label)
        if label == Int(found.length) { return (step, Int(cvalue_apart(guess))) }
        return (step, label)
      }
      number = step.pointee.sibling
    }
    return Self.shortStep(
      steps.address, firsts.address, outer: found.outer, after: last, at: p, before: limit)
  }

  /// Returns the same for a step whose label ends before the first key in an object: the object is passed as a
  /// whole, or its members may be any. It is static, because the compiler would copy the graph to call it.
  @inline(never)
  private static func shortStep(
    _ steps: RecordShape.StepAddress, _ firsts: UnsafeMutablePointer<Int16>, outer: UInt64,
    after last: RecordShape.StepAddress,
    at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>
  ) -> (step: RecordShape.StepAddress?, label: Int) {
    func step(_ place: UInt64) -> RecordShape.StepAddress? {
      var number = firsts[Self.place(place)]
      while number >= 0 {
        let step = steps + Int(number)
        if step.pointee.source == last.pointee.target,
          step.pointee.wish.isPassed || !step.pointee.role.hasValue,
          isWritten(step, at: p, before: limit)
        {
          return step
        }
        number = step.pointee.sibling
      }
      return nil
    }
    if let step = step(outer) { return (step, Int(step.pointee.label)) }
    var brackets = Brackets(after: last, at: p)
    while let number = brackets.next() {
      if let step = step(number) { return (step, Int(step.pointee.label)) }
    }
    return (nil, 0)
  }

  /// The numbers of the labels at `p` that are nothing but brackets: one bracket, two and so on. Such a label may
  /// be followed by any key, so no key is in its number.
  private struct Brackets {
    private var number: UInt64
    private var p: UnsafePointer<UInt8>
    private let limit: UnsafePointer<UInt8>

    init(after last: RecordShape.StepAddress, at p: UnsafePointer<UInt8>) {
      number = UInt64(truncatingIfNeeded: last.pointee.target)
      self.p = p
      limit = p + 48
    }

    mutating func next() -> UInt64? {
      p += cscan_space(p, limit)
      guard p < limit, RecordGraph.goesOn(p.pointee), p.pointee > 0x20 else { return nil }
      number = (number ^ UInt64(p.pointee)) &* 0x9E37_79B9_7F4A_7C15
      p += 1
      return number
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
    if step.pointee.isUnwanted, step.pointee.container == last.pointee.container,
      last.pointee.hadOther(than: step, or: unknown)
    {
      unwanted.noteChange(in: step.pointee.container)
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

  /// Returns the place of the steps whose labels have this number.
  @inline(__always)
  private static func place(_ number: UInt64) -> Int {
    Int(truncatingIfNeeded: number &>> 54)
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

  /// Adds a step after another one with its label, which is written at `label`, to a state in containers of
  /// these kinds. Returns it; nil if there is no room. Its text is the copy of its label. If it begins an object
  /// whose members may be any, a step for those that are passed stands behind it, which no label leads to. That
  /// leads to the state `inside`. Without a `role` it has that of its value.
  mutating func add(
    after last: RecordShape.StepAddress, _ label: UnsafeRawBufferPointer, _ brackets: [Bracket],
    to target: Int, inside: Int = 0, objects: UInt16, wish: RecordShape.Wish,
    in container: RecordShape.Container, as role: RecordShape.Role?
  ) -> RecordShape.StepAddress? {
    guard let start = label.baseAddress?.assumingMemoryBound(to: UInt8.self),
      count + 1 < Self.maxSteps, labels.count + label.count <= Self.maxLabels,
      self.brackets.count + brackets.count <= Self.maxSteps
    else {
      self.unwanted.passAll()
      return nil
    }
    let place = Self.place(number(of: label, start, after: last, isPassed: wish.isPassed, role))
    guard alike(place) < Self.maxAlike else { return nil }
    if labels.capacity < Self.maxLabels { labels.reserve(Self.maxLabels) }
    kept.append(labels.count)
    labels.append(label)
    let source = Int(last.pointee.target)
    let passesMembers = container.object.map { unwanted.passesMembers(in: $0) } ?? false
    if count + 1 >= steps.count { growSteps() }
    steps[count] = RecordShape.Step(
      UnsafePointer((labels.start + kept[count]).assumingMemoryBound(to: UInt8.self)),
      label: label.count, source: source, target: target,
      objects: objects, sibling: firsts[place], brackets: brackets.count,
      firstBracket: self.brackets.count, wish: wish, passesMembers: passesMembers,
      in: container, as: role, next: unknown)
    self.brackets += brackets
    firsts[place] = Int16(count)
    count += 1
    let step = steps.address + (count - 1)
    if role == .opened {
      kept.append(kept[count - 1])
      steps[count] = step.pointee.passedMembers(inside, next: unknown)
      count += 1
    }
    return step
  }

  /// Returns the number under which a step is found by its label, which begins at `start`.
  private func number(
    of label: UnsafeRawBufferPointer, _ start: UnsafePointer<UInt8>,
    after last: RecordShape.StepAddress, isPassed: Bool, _ role: RecordShape.Role?
  ) -> UInt64 {
    let found = self.label(start, after: last)
    guard role == .opened || role == .closed else { return isPassed ? found.outer : found.number }
    guard label.allSatisfy(Self.goesOn) else { return found.outer }
    var (brackets, number) = (Brackets(after: last, at: start), found.outer)
    for byte in label where byte > 0x20 { number = brackets.next() ?? number }
    return number
  }

  /// Returns the number of steps at a place.
  private func alike(_ place: Int) -> Int {
    var (step, number) = (Int(firsts[place]), 0)
    while step >= 0 {
      step = Int(steps[step].sibling)
      number += 1
    }
    return number
  }

  /// Makes room for more steps, which moves them.
  private mutating func growSteps() {
    let old = steps.address
    steps.grow(to: max(32, 2 * count), filling: unknown.pointee)
    for index in 0..<count { steps[index].move(from: old, to: steps.address, but: unknown) }
    unknown.pointee.move(from: old, to: steps.address, but: unknown)
  }

  /// Returns the state of this path, which is added if it is new; nil if there is no room.
  mutating func state(_ path: [UInt8]) -> Int? {
    if let known = names[path] { return Int(known) }
    guard names.count < Self.maxStates else {
      unwanted.passAll()
      return nil
    }
    names[path] = Int16(names.count + 1)
    return names.count
  }

  /// Forgets all steps if others are to be passed as wholes from now on. Returns whether it did.
  mutating func forgetIfStale() -> Bool {
    guard unwanted.begin() else { return false }
    count = 0
    kept.removeAll()
    brackets.removeAll()
    for place in firsts.indices { firsts[place] = -1 }
    names.removeAll()
    labels.removeAll()
    unknown.pointee = RecordShape.Step(unknown: "", next: unknown)
    return true
  }
}
