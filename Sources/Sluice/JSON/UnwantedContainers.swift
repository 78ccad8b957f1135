/// What is known of objects and arrays in which nothing is wanted, and of members that nobody wants
/// of other objects.
///
/// Their values are steps too, as long as they are written alike: so they are passed in no time.
/// Where what is in a container changes from record to record, or has keys that are data, it is
/// passed as a whole (``PassedValue``). So are the members that nobody wants of an object in which
/// they change.
struct UnwantedContainers {
  /// The changes that are not too many, however few records were followed; and if there were nearly
  /// as many as records.
  private static let (fewChanges, fewest) = (32, 12)
  /// How many changes a member counts for that was not known: its record cannot be followed.
  private static let weight = 8
  /// The maximum number of containers that are told apart.
  private static let most = 512
  /// How many records may be learned, and bytes of them, however few can be followed.
  private static let (manyLearned, muchLearned) = (96, 1 << 20)
  /// How many if nearly all have to be learned.
  private static let manyOfAll = 48
  /// How often room is made for steps before all is passed.
  private static let mostRooms = 5

  /// A container in which nothing is wanted.
  private struct Container {
    /// How often other steps than before followed each other, and the number of steps.
    var (changes, steps) = (0, 0)
    /// Whether it is passed.
    var isPassed = false
  }

  /// Members of an object: those that nobody wants, or the others.
  private struct Members {
    /// How often another one than before came.
    var changes = 0
    /// Their number in the records that were learned.
    var count = 0
  }

  /// An object in which something is wanted.
  private struct Object {
    var (unwanted, wanted) = (Members(), Members())
    /// The number of steps to its members.
    var steps = 0
    /// Whether members that nobody wants are passed, and others taken as they come.
    var isPassed = false
  }

  /// Which steps are of no use when others are to be passed than they were made for.
  enum Stale {
    /// Those to values in containers that are passed.
    case inside
    case all
  }

  /// The numbers of containers by their ``RecordPaths``; -1 where there is none.
  private var numbers: [Int16] = []
  private var containers: [Container] = []
  /// The objects in which something is wanted, by their places in the form.
  private var objects: [Object] = []
  /// Whether all are passed that nobody wants.
  private(set) var passesAll = false
  /// How often room was made.
  private var rooms = 0
  /// The number of records that were followed, and that were learned, since all steps were
  /// forgotten.
  private var (records, learned) = (0, 0)
  /// The same of those before.
  private var (earlierRecords, earlierLearned) = (0, 0)
  /// The bytes of all that were learned.
  private var learnedBytes = 0
  /// Whether others are to be passed than the steps were made for, and whether all of these are of
  /// no use then.
  private(set) var haveChanged = false
  private var allAreStale = false
  /// Whether steps take room that are of no use, because only those inside of containers were
  /// forgotten.
  private var someAreStale = false

  /// Returns whether the container of this path is passed as a whole.
  func passes(_ path: Int) -> Bool {
    if passesAll { return true }
    guard numbers.indices ~= path, numbers[path] >= 0 else { return false }
    return containers[Int(numbers[path])].isPassed
  }

  /// Returns whether the members that nobody wants are passed as wholes in the object at this place
  /// of the form.
  func passesMembers(in place: Int) -> Bool {
    passesAll || objects.indices ~= place && objects[place].isPassed
  }

  /// Returns whether the container is passed as a whole.
  func passes(_ container: RecordShape.Container) -> Bool {
    container.unwanted.map { containers[$0].isPassed } ?? false
  }

  /// Returns the number of the container of this path; -1 if there are too many. Then all are
  /// passed.
  mutating func number(of path: Int) -> Int {
    if numbers.indices ~= path, numbers[path] >= 0 { return Int(numbers[path]) }
    guard containers.count < Self.most, path != RecordPaths.none else {
      passAll()
      return -1
    }
    while numbers.count <= path { numbers.append(-1) }
    numbers[path] = Int16(containers.count)
    containers.append(Container())
    return containers.count - 1
  }

  /// Notes that a record was followed to its end.
  @inline(__always)
  mutating func noteRecord() { records &+= 1 }

  /// Notes that something that nobody wants in a container was unlike the record before.
  mutating func noteChange(in container: RecordShape.Container) {
    if let number = container.unwanted {
      // One that is too deep in the record is walked through all the same.
      guard !containers[number].isPassed else { return }
      containers[number].changes += 1
      let changes = containers[number].changes
      if areMany(changes), changes > records / 4 {
        (containers[number].isPassed, haveChanged) = (true, true)
      }
    } else if let place = container.object {
      noteChanges(1, inObject: place)
    }
  }

  /// Notes that another member that is wanted came than in the record before.
  mutating func noteWantedChange(in container: RecordShape.Container) {
    guard let place = container.object else { return }
    noteChanges(1, inObject: place, areWanted: true)
  }

  /// Notes that something in a container was not known in a record that is learned.
  mutating func noteNews(in container: RecordShape.Container) {
    if let place = container.object {
      noteChanges(Self.weight, inObject: place)
    } else {
      noteChange(in: container)
    }
  }

  /// Notes changes of the members of an object. They are passed or taken as they come if that takes
  /// less time than looking for those that were not expected.
  private mutating func noteChanges(
    _ count: Int, inObject place: Int, areWanted: Bool = false
  ) {
    addObject(place)
    if areWanted {
      objects[place].wanted.changes += count
    } else {
      objects[place].unwanted.changes += count
    }
    let members = areWanted ? objects[place].wanted : objects[place].unwanted
    if !objects[place].isPassed, areMany(members.changes / Self.weight),
      2 * members.changes > records, 3 * members.changes * learned > members.count * records
    {
      (objects[place].isPassed, haveChanged, allAreStale) = (true, true, true)
    }
  }

  /// Returns whether there were enough changes to be sure that they go on.
  private func areMany(_ changes: Int) -> Bool {
    let all = records + learned
    return changes > Self.fewChanges || min(changes, all) > Self.fewest && 4 * changes > 3 * all
  }

  /// Notes a member in a record that is learned.
  mutating func noteMember(inObject place: Int, isWanted: Bool) {
    addObject(place)
    if isWanted {
      objects[place].wanted.count += 1
    } else {
      objects[place].unwanted.count += 1
    }
  }

  /// Notes that a record of so many bytes is learned. If there are many and more than a quarter of
  /// all, or fewer but nearly all, all is passed: too much of it comes in too many orders.
  mutating func noteLearned(_ bytes: Int) {
    learned += 1
    learnedBytes += bytes
    let (all, followed) = (earlierLearned + learned, earlierRecords + records)
    let isMuch = all > Self.manyLearned || learnedBytes > Self.muchLearned
    if isMuch && 3 * all > followed || all > Self.manyOfAll && all > 3 * followed { passAll() }
  }

  private mutating func addObject(_ place: Int) {
    while objects.count <= place { objects.append(Object()) }
  }

  /// Notes a step in a container.
  mutating func noteStep(in container: RecordShape.Container) {
    if let number = container.unwanted {
      containers[number].steps += 1
    } else if let place = container.object {
      addObject(place)
      objects[place].steps += 1
    }
  }

  /// Has all steps forgotten if some are of no use, because there is no room for more. Otherwise
  /// passes what has the most steps from now on: one, then two more, four and so on. If that does not
  /// help, all.
  mutating func makeRoom() {
    guard !someAreStale else {
      (haveChanged, allAreStale) = (true, true)
      return
    }
    guard !haveChanged else { return }
    rooms += 1
    guard rooms <= Self.mostRooms else { return passAll() }
    guard passLargest() else { return passAll() }
    // Twice as many each time, because all steps have to be learned anew.
    var more = (1 << (rooms - 1)) - 1
    while more > 0, passLargest() { more -= 1 }
  }

  /// Passes what has the most steps. Returns false if nothing has any.
  private mutating func passLargest() -> Bool {
    let container = containers.indices.filter { !containers[$0].isPassed }
      .max { containers[$0].steps < containers[$1].steps }
    let object = objects.indices.filter { !objects[$0].isPassed }
      .max { objects[$0].steps < objects[$1].steps }
    let steps = container.map { containers[$0].steps } ?? 0
    if let object, objects[object].steps > steps {
      (objects[object].isPassed, haveChanged, allAreStale) = (true, true, true)
    } else if let container, steps > 0 {
      (containers[container].isPassed, haveChanged, allAreStale) = (true, true, true)
    } else {
      return false
    }
    return true
  }

  /// Passes all from now on.
  mutating func passAll() {
    if !passesAll { (passesAll, haveChanged, allAreStale) = (true, true, true) }
  }

  /// Begins to pass others, if there are some. Returns which steps are of no use. What was counted
  /// is forgotten with all of them.
  mutating func begin() -> Stale? {
    guard haveChanged else { return nil }
    haveChanged = false
    someAreStale = !allAreStale
    guard allAreStale else { return .inside }
    allAreStale = false
    // The paths are forgotten too.
    if passesAll { (numbers, containers) = ([], []) }
    for number in containers.indices {
      (containers[number].changes, containers[number].steps) = (0, 0)
    }
    for place in objects.indices {
      (objects[place].unwanted, objects[place].wanted) = (Members(), Members())
      objects[place].steps = 0
    }
    earlierRecords += records
    earlierLearned += learned
    (records, learned) = (0, 0)
    return .all
  }
}
