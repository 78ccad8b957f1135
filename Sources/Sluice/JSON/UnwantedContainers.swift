/// What is known of objects and arrays in which nothing is wanted, and of members that nobody wants of other
/// objects.
///
/// Their values are steps too, as long as they are written alike: so they are passed in no time. Where what is
/// in a container changes from record to record, or has keys that are data, it is passed as a whole
/// (``PassedValue``). So are members that are not known, if most records could not be followed because of them.
struct UnwantedContainers {
  /// The changes that are not too many, however few records were followed.
  private static let fewChanges = 32
  /// The members that are learned, however few records were followed.
  private static let manyMembers = 512
  /// The maximum numbers of containers that are told apart, and of the bytes of their paths.
  private static let (most, longest) = (512, 1 << 10)

  /// The numbers of containers by their paths.
  private var numbers: [[UInt8]: Int] = [:]
  /// How often in each of them other steps than before followed each other, and whether it is passed.
  private var changes: [Int] = []
  private var passed: [Bool] = []
  private var passesAll = false
  /// In how many records there were members of other objects that nobody wants, and that were new.
  private var newMembers = 0
  /// How many such members were passed as wholes because they were not known.
  private var passedMembers = 0
  /// Whether such members are passed as wholes if they are not known.
  private(set) var passesNewMembers = false
  /// Whether all of them are, because their keys are data: they are not learned.
  private(set) var passesMembers = false
  /// The number of records since the steps were forgotten.
  private var records = 0
  /// Whether other containers are to be passed than the steps were made for.
  private(set) var haveChanged = false

  /// Returns whether the container of this path is passed as a whole.
  func passes(_ path: [UInt8]) -> Bool {
    if passesAll { return true }
    guard let number = numbers[path] else { return false }
    return passed[number]
  }

  /// Returns the number of the container of this path; -1 if there are too many. Then all are passed.
  mutating func number(of path: [UInt8]) -> Int {
    if let number = numbers[path] { return number }
    guard changes.count < Self.most, path.count <= Self.longest else {
      passAll()
      return -1
    }
    numbers[path] = changes.count
    changes.append(0)
    passed.append(false)
    return changes.count - 1
  }

  /// Notes that a record was followed to its end.
  @inline(__always)
  mutating func noteRecord() { records &+= 1 }

  /// Notes that something in a container was unlike the record before.
  mutating func noteChange(in container: Int) {
    changes[container] += 1
    if changes[container] > Self.fewChanges, changes[container] > records / 4 {
      (passed[container], haveChanged) = (true, true)
    }
  }

  /// Notes that in a record that has been learned members that nobody wants were new.
  mutating func noteNewMember() {
    newMembers += 1
    if newMembers > Self.fewChanges, newMembers > records { passesNewMembers = true }
  }

  /// Notes that such a member was passed as a whole, because it was not known.
  @inline(__always)
  mutating func notePassedMember() {
    passedMembers &+= 1
    if passedMembers > Self.manyMembers, !passesMembers, passedMembers > 2 &* records {
      (passesMembers, haveChanged) = (true, true)
    }
  }

  /// Passes all from now on, because there is no room for steps.
  mutating func passAll() {
    if !passesAll { (passesAll, passesNewMembers, haveChanged) = (true, true, true) }
  }

  /// Begins anew if others are passed now. Returns whether they are.
  mutating func begin() -> Bool {
    guard haveChanged else { return false }
    for container in changes.indices { changes[container] = 0 }
    (records, newMembers, passedMembers, haveChanged) = (0, 0, 0, false)
    return true
  }
}
