/// What is known of objects and arrays in which nothing is wanted, and of members that nobody wants of other
/// objects.
///
/// Their values are steps too, as long as they are written alike: so they are passed in no time. Where what is
/// in a container changes from record to record, or has keys that are data, it is passed as a whole
/// (``PassedValue``). So are the members that nobody wants of an object in which they change.
struct UnwantedContainers {
  /// The changes that are not too many, however few records were followed.
  private static let fewChanges = 32
  /// How many changes a member counts for that was not known: its record cannot be followed.
  private static let weight = 8
  /// The maximum numbers of containers that are told apart, and of the bytes of their paths.
  private static let (most, longest) = (512, 1 << 10)

  /// An object in which something is wanted.
  private struct Object {
    /// How often another member than before came that nobody wants.
    var changes = 0
    /// The number of members that nobody wants in the records that were learned.
    var members = 0
    /// Whether such members are passed.
    var isPassed = false
  }

  /// The numbers of containers by their paths.
  private var numbers: [[UInt8]: Int] = [:]
  /// How often in each of them other steps than before followed each other, and whether it is passed.
  private var changes: [Int] = []
  private var passed: [Bool] = []
  /// The objects in which something is wanted, by their places in the form.
  private var objects: [Object] = []
  private var passesAll = false
  /// The number of records that were followed, and that were learned, since the steps were forgotten.
  private var (records, learned) = (0, 0)
  /// Whether others are to be passed than the steps were made for.
  private(set) var haveChanged = false

  /// Returns whether the container of this path is passed as a whole.
  func passes(_ path: [UInt8]) -> Bool {
    if passesAll { return true }
    guard let number = numbers[path] else { return false }
    return passed[number]
  }

  /// Returns whether the members that nobody wants are passed as wholes in the object at this place of the form.
  func passesMembers(in place: Int) -> Bool {
    passesAll || objects.indices ~= place && objects[place].isPassed
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

  /// Notes that something that nobody wants in a container was unlike the record before.
  mutating func noteChange(in container: RecordShape.Container) {
    if let number = container.unwanted {
      changes[number] += 1
      if changes[number] > Self.fewChanges, changes[number] > records / 4 {
        (passed[number], haveChanged) = (true, true)
      }
    } else if let place = container.object {
      noteChanges(1, inObject: place)
    }
  }

  /// Notes that something in a container was not known in a record that is learned.
  mutating func noteNews(in container: RecordShape.Container) {
    if let place = container.object {
      noteChanges(Self.weight, inObject: place)
    } else {
      noteChange(in: container)
    }
  }

  /// Notes changes of the members that nobody wants of an object. They are passed if that takes less time than
  /// looking for those that were not expected.
  private mutating func noteChanges(_ count: Int, inObject place: Int) {
    addObject(place)
    objects[place].changes += count
    let (changes, members) = (objects[place].changes, objects[place].members)
    if changes > Self.weight * Self.fewChanges, 2 * changes > records,
      3 * changes * learned > members * records
    {
      (objects[place].isPassed, haveChanged) = (true, true)
    }
  }

  /// Notes a member that nobody wants in a record that is learned.
  mutating func noteMember(inObject place: Int) {
    addObject(place)
    objects[place].members += 1
  }

  /// Notes that a record is learned.
  mutating func noteLearned() { learned += 1 }

  private mutating func addObject(_ place: Int) {
    while objects.count <= place { objects.append(Object()) }
  }

  /// Passes all from now on, because there is no room for steps.
  mutating func passAll() {
    if !passesAll { (passesAll, haveChanged) = (true, true) }
  }

  /// Begins anew if others are passed now. Returns whether they are.
  mutating func begin() -> Bool {
    guard haveChanged else { return false }
    for container in changes.indices { changes[container] = 0 }
    for place in objects.indices { (objects[place].changes, objects[place].members) = (0, 0) }
    (records, learned, haveChanged) = (0, 0, false)
    return true
  }
}
