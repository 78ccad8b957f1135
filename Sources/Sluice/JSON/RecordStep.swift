extension RecordShape {
  /// What a step is there for. What it asks for are bits of it: of an enumeration the compiler would
  /// make a jump for each value.
  struct Role: BitwiseCopyable, Equatable {
    private let bits: UInt8
    private static var hasNoValue: UInt8 { 8 }
    private static var hasTokens: UInt8 { 16 }

    /// Nothing in it is wanted.
    static var passed: Role { Role(bits: 0) }
    /// Its value is wanted, or counted, and nothing in its label. It is in the first word of a
    /// ``ValueSet``.
    static var value: Role { Role(bits: 1) }
    /// It has wanted tokens or counted brackets, or its value is in another word, or is a key.
    static var tokens: Role { Role(bits: 2 | hasTokens) }
    /// It leads from an element of a list to the next, which is a wanted token, or to a number
    /// among others that nobody wants.
    static var element: Role { Role(bits: 3 | hasTokens) }
    /// It begins an object whose members nobody wants may be any, or it ends a container in such an
    /// object. No value follows. It may have wanted tokens.
    static var opened: Role { Role(bits: 4 | hasNoValue) }
    static var closed: Role { Role(bits: 5 | hasNoValue) }
    /// It ends the record.
    static var end: Role { Role(bits: 6 | hasNoValue | hasTokens) }

    /// Whether a value follows the label.
    @inline(__always)
    var hasValue: Bool { bits & Self.hasNoValue == 0 }

    /// Whether there is more to keep of it than one value, whatever is in its label.
    @inline(__always)
    var hasTokens: Bool { bits & Self.hasTokens != 0 }
  }

  /// Whether members are passed or taken as they come after a step.
  enum Members: UInt8 {
    case no
    /// They may follow, and did not when they were looked for last; or they did.
    case possible, expected
  }

  /// What a value is in.
  struct Container: BitwiseCopyable, Equatable {
    private let number: Int16

    /// A list in which something is wanted, or what is too deep.
    static var other: Container { Container(number: -1) }

    /// An object in which something is wanted, by its place in the form.
    static func object(_ place: Int) -> Container { Container(number: Int16(place)) }

    /// A container in which nothing is wanted, by its number in the ``UnwantedContainers``.
    static func unwanted(_ number: Int) -> Container { Container(number: Int16(-2 - number)) }

    /// The place of the object; nil if it is something else.
    @inline(__always)
    var object: Int? { number >= 0 ? Int(number) : nil }

    /// The number of the container in which nothing is wanted; nil if it is something else.
    @inline(__always)
    var unwanted: Int? { number < -1 ? -2 - Int(number) : nil }
  }

  /// What is wanted of the value that a step leads to.
  struct Wish: BitwiseCopyable {
    private static var counted: UInt8 { 1 }
    private static var tidied: UInt8 { 2 }
    private static var passed: UInt8 { 4 }
    private static var key: UInt8 { 8 }

    /// The number of the value in the form; -1 if nobody wants it. Tokens are ``Step/token(_:)``.
    let slot: Int16
    private let traits: UInt8

    init(
      _ slot: Int, isCounted: Bool = false, isTidied: Bool = false, isPassed: Bool = false,
      isKey: Bool = false
    ) {
      self.slot = Int16(slot)
      traits =
        (isCounted ? Self.counted : 0) | (isTidied ? Self.tidied : 0)
        | (isPassed ? Self.passed : 0) | (isKey ? Self.key : 0)
    }

    /// Whether such values are only counted.
    @inline(__always)
    var isCounted: Bool { traits & Self.counted != 0 }

    /// Whether it is asked if the text of the value is tidy.
    @inline(__always)
    var isTidied: Bool { traits & Self.tidied != 0 }

    /// Whether the value may be an object or array, which is passed as a whole.
    @inline(__always)
    var isPassed: Bool { traits & Self.passed != 0 }

    /// Whether the value is the key of a member: a string. The next label begins with the colon.
    @inline(__always)
    var isKey: Bool { traits & Self.key != 0 }
  }

  /// Where a step is in memory.
  typealias StepAddress = UnsafeMutablePointer<Step>

  /// A step from a value to the next, or to the end of the record. It has 64 bytes, a line of the
  /// processor's cache.
  struct Step: BitwiseCopyable {
    /// The label and the value after it, where they were met last in this chunk.
    private(set) var text: UnsafePointer<UInt8>
    /// The length of the label.
    let label: Int32
    /// How much of `text` to compare: more than the label if the value is there too, and the byte
    /// after a number, because it may be one more digit.
    private(set) var compared: Int32
    /// The value in `text`, if it is there.
    private(set) var value = ShapeValue.unknown
    /// Whether members may follow that are passed or taken as they come.
    private(set) var members: Members
    /// What the value is in.
    let container: Container
    /// The state before it, and that of the value that it leads to; 0 for the end of the record.
    let source: Int16
    let target: Int16
    /// The next step in the same bucket of the graph; -1 if there is none.
    var nextInBucket: Int16
    /// The number of brackets in the label that are wanted or counted, and the first of them.
    let brackets: Int16
    let firstBracket: Int16
    /// What is wanted of the value.
    let wish: Wish
    let role: Role
    /// How much of a string is expected to be like the one before. It need not be read again.
    private var expected: Int16 = 1
    /// The containers that are open after it, a bit each, the innermost in the lowest: whether it
    /// is an object.
    let objects: UInt16
    /// The constancy up to which no step is expected.
    private static var mostlySame: Int16 { 3072 }

    /// How often the step that followed was the one before it too, when it was looked for, or the
    /// member that was wanted first: from never, 0, to always, 4096.
    private var constancy: Int16 = 4096
    /// The place of the member that was wanted first when members were passed or taken last.
    private var firstWanted: Int16 = -1
    /// The step that is expected after it: the unknown one if any may follow.
    private(set) var next: StepAddress
    /// The step that followed when it was looked for last.
    private var follower: StepAddress

    init(
      _ new: RecordGraph.NewStep, _ text: UnsafePointer<UInt8>, label: Int, from source: Int,
      brackets: Range<Int>, nextInBucket: Int16, passesMembers: Bool, next: StepAddress
    ) {
      self.text = text
      self.label = Int32(label)
      compared = Int32(label)
      self.source = Int16(source)
      target = Int16(new.target)
      objects = new.objects
      self.nextInBucket = nextInBucket
      self.brackets = Int16(brackets.count)
      firstBracket = Int16(brackets.lowerBound)
      wish = new.wish
      members = passesMembers ? .expected : .no
      container = new.container
      (self.next, follower) = (next, next)
      role =
        new.role
        ?? (!brackets.isEmpty || new.wish.isKey || new.wish.slot < -1
          || new.wish.slot >= UInt64.bitWidth
          ? .tokens : new.wish.slot == -1 ? .passed : .value)
    }

    /// The number of the value in the form; -1 if nobody wants it. Tokens are ``token(_:)``.
    @inline(__always)
    var slot: Int { Int(wish.slot) }

    /// Whether nothing in it is wanted.
    @inline(__always)
    var isUnwanted: Bool { role == .passed || role == .element && slot == -1 }

    /// Makes a step that stands for the members that were passed since this one began their object.
    /// It leads to the state after a member.
    func passedMembers(_ target: Int, next: StepAddress) -> Step {
      Step(
        .init(target: target, objects: objects, container: container, role: .closed),
        text, label: Int(label), from: Int(source), brackets: 0..<0, nextInBucket: -1,
        passesMembers: true, next: next)
    }

    /// Makes a step that is written nowhere, because more is asked of its label than is compared.
    init(unknown text: StaticString, next: StepAddress) {
      (self.next, follower) = (next, next)
      self.text = text.utf8Start
      (label, compared, source, target, objects) = (1, 0, 0, 0, 1)
      (nextInBucket, brackets, firstBracket, wish) = (-1, 0, 0, Wish(-1))
      (role, container, members) = (.passed, .other, .no)
    }

    /// Returns whether a value that begins with this byte may follow the label.
    @inline(__always)
    func mayBegin(_ byte: UInt8) -> Bool {
      !RecordGraph.goesOn(byte) || wish.isPassed && ShapeValue.isContainer(byte)
    }

    /// Notes that the step was met at `p`, with this value after its label.
    @inline(__always)
    mutating func meet(_ value: ShapeValue, at p: UnsafePointer<UInt8>) {
      text = p
      self.value = value
      let length = value.length &+ (value.kind == .number ? 1 : 0)
      compared = value.isCompared ? label &+ length : label
    }

    /// Notes that the step was met at `p`, with the same value.
    @inline(__always)
    mutating func meetAgain(at p: UnsafePointer<UInt8>) { text = p }

    /// Returns how much of the string after the label can be taken as read, its quote at least, if
    /// the text at `p` and the one where the step was met last have `same` bytes in common. Usually
    /// it is the expected length. So the next read does not depend on the comparison, and the
    /// processor does both at the same time.
    @inline(__always)
    mutating func known(_ same: Int) -> Int {
      guard value.isQuoted, compared > label else { return 1 }
      let (usual, common) = (Int(expected), same &- Int(label))
      guard common >= usual else {
        expected = Int16(truncatingIfNeeded: max(1, common))
        return max(1, common)
      }
      expected = Int16(truncatingIfNeeded: usual &+ (min(common, 1 << 10) &- usual) >> 3)
      return usual
    }

    /// Notes that this step followed. It is expected from now on if mostly the same one follows.
    @inline(__always)
    mutating func note(_ step: StepAddress, else unknown: StepAddress) {
      note(isSame: follower == step)
      follower = step
      next = hasManyFollowers ? unknown : step
    }

    /// Notes which member was wanted first after this step. Returns whether it is taken as it comes:
    /// if now this and now that one is first.
    @inline(__always)
    mutating func takes(_ member: Int32) -> Bool {
      let member = Int16(truncatingIfNeeded: member)
      note(isSame: member == firstWanted)
      firstWanted = member
      return hasManyFollowers
    }

    @inline(__always)
    private mutating func note(isSame: Bool) {
      constancy &+= ((isSame ? 4096 : 0) &- constancy) &>> 4
    }

    /// Whether now this and now that step follows.
    @inline(__always)
    var hasManyFollowers: Bool { constancy <= Self.mostlySame }

    /// Notes whether members followed that were passed or taken.
    @inline(__always)
    mutating func noteMembers(_ haveFollowed: Bool) {
      members = haveFollowed ? .expected : .possible
    }

    /// Returns whether another step than this one followed when it was looked for last, and either
    /// both lead to values of the same container, or this one stays in it. If none was looked for,
    /// the unknown one followed.
    @inline(__always)
    func hadOther(than step: StepAddress, or unknown: StepAddress) -> Bool {
      guard follower != step, follower != unknown else { return false }
      let other = step.pointee.container
      return other == container || other == follower.pointee.container && other.unwanted != nil
    }

    /// Notes that all steps have moved in memory, but the unknown one.
    mutating func move(
      from old: StepAddress, to new: StepAddress,
      but unknown: StepAddress
    ) {
      if next != unknown { next = new + (next - old) }
      if follower != unknown { follower = new + (follower - old) }
    }

    /// Forgets which step followed if it leads into a container that is passed now.
    mutating func forgetNext(in unwanted: borrowing UnwantedContainers, else unknown: StepAddress) {
      if unwanted.passes(next.pointee.container) { next = unknown }
      if unwanted.passes(follower.pointee.container) { follower = unknown }
    }

    /// Forgets the value. Only the label is in `text`.
    mutating func forget(_ text: UnsafePointer<UInt8>) {
      self.text = text
      compared = label
    }

    /// The slot of a value that is wanted as a token of this number; and the number of such a slot.
    @inline(__always)
    static func token(_ number: Int) -> Int { -2 - number }
  }
}
