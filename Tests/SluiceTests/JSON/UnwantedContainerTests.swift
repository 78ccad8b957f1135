import Testing

@testable import Sluice

/// Records with objects and lists that nobody asked for, and that are unlike each other: nothing
/// else comes of them than of their tokens, which come where the text is cut into pieces.
@Suite(.slow) struct UnwantedContainerTests {
  private static let document = """
    feed: own
    rows: d[]
    columns:
      id: {from: id, kind: integer, required: true}
      en: labels.en.value
      parts: {from: "parts[*].name", separator: " "}
      kind: p.kind
      tag: "tags[0].name"
      note: {from: note, kind: verbatim}
    """

  /// JSON that nobody asked for.
  private struct Maker {
    var generator: SeededGenerator

    mutating func number(below end: Int) -> Int { Int.random(in: 0..<end, using: &generator) }

    mutating func space() -> String { generator.pick(["", "", "", "", " ", "\n  "]) }

    mutating func key() -> String {
      "\"\(generator.pick(["P\(number(below: 900))", "P\(number(below: 900))", "ключ", "a\\n", "\\u0416\\\"", ""]))\""
    }

    mutating func scalar() -> String {
      generator.pick([
        "\(number(below: 100_000))", "-0.\(number(below: 100_000))", "1e\(number(below: 20))",
        "true",
        "null", "\"\"", "\"text \(number(below: 1000))\"", #""Ж€\u00e9\"\ud83d\ude00""#, "\"😀\"",
        "\"a text that is much longer than the sixty-four bytes of a window: \(number(below: 9))\"",
        "-12345678901234567.25",
      ])
    }

    mutating func value(depth: Int = 0) -> String {
      guard depth < 5, number(below: 3) > 0 else { return scalar() }
      let count = number(below: 5)
      var parts: [String] = []
      let isObject = number(below: 2) == 0
      for _ in 0..<count {
        let value = space() + value(depth: depth + 1) + space()
        parts.append(isObject ? space() + key() + space() + ":" + value : value)
      }
      let all = parts.joined(separator: ",") + space()
      return isObject ? "{\(all)}" : "[\(all)]"
    }

    mutating func record(_ number: Int) -> String {
      var members = [#""id":\#(number)"#]
      if self.number(below: 2) == 0 { members.append(#""claims":\#(value())"#) }
      if self.number(below: 2) == 0 {
        members.append(#""p":{"x":\#(value()),"kind":"k\#(number % 3)","y":\#(value())}"#)
      }
      if self.number(below: 2) == 0 { members.append(#""tags":[{"name":"t"},\#(value())]"#) }
      if self.number(below: 2) == 0 { members.append(#""note":"n","z":\#(value())"#) }
      for _ in 0..<self.number(below: 4) {
        members.insert("\(key())\(space()):\(value())", at: self.number(below: members.count) + 1)
      }
      return spelled("{\(members.joined(separator: ","))}")
    }

    /// The record, with some of its keys now and then written with escapes.
    private mutating func spelled(_ record: String) -> String {
      guard number(below: 4) == 0 else { return record }
      return record.replacing("\"note\":", with: "\"n\\u006fte\":")
        .replacing("\"kind\":", with: "\"\\u006b\\u0069nd\":")
        .replacing("\"name\":", with: "\"nam\\u0065\":")
    }

    /// The same with another byte in one place. It may be the same by chance.
    mutating func damaged(_ record: String) -> [UInt8] {
      var bytes = Array(record.utf8)
      let place = number(below: bytes.count)
      bytes[place] = generator.pick(Array("{}[],:\"\\ 0-.e".utf8) + [0x00, 0x80, 0xFF])
      return bytes
    }
  }

  @Test(arguments: 1...24 as ClosedRange<UInt64>)
  func `values that nobody asked for`(seed: UInt64) throws {
    var maker = Maker(generator: SeededGenerator(seed: seed))
    var records = (0..<160).map { Array(maker.record($0).utf8) }
    if seed % 2 == 1 { records[120] = maker.damaged(maker.record(120)) }
    try check(records, isRight: seed % 2 == 0, splitFrom: { _ in 11 })
  }

  /// Reads records whole, in pieces and in two parts, and demands the same of all.
  private func check(
    _ records: [[UInt8]], isRight: Bool, splitFrom first: (_ count: Int) -> Int
  ) throws {
    let json =
      Array(#"{"d":["#.utf8) + records.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
      + [UInt8](repeating: 0x20, count: RecordShape.slack)
    let run = FeedRun(feed: try OwnFeed.read(Self.document))
    let pieces = run(json, cut: .pieces(7))
    #expect(!isRight || pieces.error == nil)
    #expect(run(json).isSame(as: pieces))
    for split in stride(from: first(json.count), through: json.count, by: 1009) {
      #expect(run(json, cut: .split(split)).isSame(as: pieces), "split at \(split)")
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `values that nobody asked for, after so many records that they are passed`(seed: UInt64)
    throws
  {
    var maker = Maker(generator: SeededGenerator(seed: 100 + seed))
    var records = (0..<3000).map { Array(record(&maker, $0).utf8) }
    records += (3000..<3400).map {
      Array((($0 % 2 == 0) ? maker.record($0) : record(&maker, $0)).utf8)
    }
    if seed % 2 == 1 { records[3201] = maker.damaged(record(&maker, 3201)) }
    try check(records, isRight: seed % 2 == 0, splitFrom: { $0 - 9_001 })
  }

  /// The form of records of which `id`, `labels.en.value`, and the `name` of each of the `parts`
  /// are wanted, as a token.
  private var form: RecordForm {
    var places = [RecordForm.Place](repeating: RecordForm.Place(), count: 8)
    places[0].keys = [
      (Array("id".utf8), 1), (Array("labels".utf8), 2), (Array("parts".utf8), 5),
    ]
    places[1].value = 0
    places[2].keys = [(Array("en".utf8), 3)]
    places[3].keys = [(Array("value".utf8), 4)]
    places[4].value = 1
    places[5].each = 6
    places[6].token = 0
    places[6].keys = [(Array("name".utf8), 7)]
    places[7].token = 1
    return RecordForm(places: places, valueCount: 2)
  }

  /// A record that has keys that are data in objects of all kinds, before and after those that are
  /// wanted.
  private func record(_ maker: inout Maker, _ number: Int) -> String {
    func members(_ most: Int) -> [String] {
      (0..<maker.number(below: most)).map { _ in
        #""P\#(maker.number(below: 5000))":\#(maker.number(below: 9))"#
      }
    }
    func object(_ members: [String]) -> String { "{\(members.joined(separator: ","))}" }
    let labels = ["en", "de", "es", "f\(maker.number(below: 900))"].filter { _ in
      maker.number(below: 3) > 0
    }
    .map {
      #""\#($0)":"#
        + object(members(2) + [#""language":"\#($0)","value":"v\#(number)""#] + members(3))
    }
    let parts = (0..<maker.number(below: 3)).map {
      object(members(3) + [#""name":"n\#($0)""#] + members(2))
    }
    return object(
      members(3) + [#""id":\#(number),"labels":"# + object(labels)]
        + [#""parts":[\#(parts.joined(separator: ","))]"#] + members(2)
        + [#""claims":{"P\#(maker.number(below: 5000))":[{"rank":"normal"}]},"last":1"#]
        + members(4))
  }

  /// Follows a record with a shape that reads records at depth 1. Returns how many bytes were
  /// followed; nil if it could not be. Then it is learned, if that is asked.
  private func follow(_ json: [UInt8], _ shape: inout RecordShape, learns: Bool) -> Int? {
    let text = json + [UInt8](repeating: UInt8(ascii: ","), count: 2 * RecordShape.slack)
    return text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return nil }
      defer { shape.leaveChunk() }
      if shape.depth == 1, let end = shape.match(start, before: start + text.count) {
        return end - start
      }
      let record = UnsafeRawBufferPointer(start: start, count: json.count)
      if !learns || shape.learn(record, room: 1 << 16) { shape.accept(depth: 1) }
      return nil
    }
  }

  @Test func `records with keys that are data can be followed, and wrong ones cannot`() {
    var maker = Maker(generator: SeededGenerator(seed: 3))
    var shape = RecordShape()
    shape.form = form
    var followed = 0
    for number in 0..<3000 {
      let json = Array(record(&maker, number).utf8)
      let count = follow(json, &shape, learns: true)
      #expect(count == nil || count == json.count)
      if number >= 2900, count != nil { followed += 1 }
    }
    #expect(followed == 100)
    // With another byte in it, only what is right is followed to its end.
    var (right, wrong) = (0, 0)
    for number in 3000..<7000 {
      let json = maker.damaged(record(&maker, number))
      guard let count = follow(json, &shape, learns: false) else {
        wrong += 1
        continue
      }
      right += 1
      #expect(count <= json.count)
      let part = Array(json.prefix(count))
      #expect(ReferenceJSON.isValid(part), "\(String(decoding: part, as: UTF8.self))")
    }
    #expect(right > 400)
    #expect(wrong > 400)
  }

  @Test func `a record with more containers than have paths does not stop all after it`() {
    var shape = RecordShape()
    shape.form = form
    // Two paths each: more than there may be.
    let maps = (0..<2100).map { #""k\#($0)":{}"# }.joined(separator: ",")
    var records = [#"{"id":1,"m":{\#(maps)}}"#]
    // Members that are new in each record are passed, which takes a new path.
    records += (2..<300).map { #"{"id":\#($0),"n\#($0)":1}"# }
    var followed = 0
    for record in records where follow(Array(record.utf8), &shape, learns: true) != nil {
      followed += 1
    }
    #expect(followed > 250)
  }

  @Test func `members with keys that are data are passed after some records`() {
    var unwanted = UnwantedContainers()
    // While one in ten was not expected, they are learned.
    unwanted.noteLearned(1)
    for _ in 0..<10 { unwanted.noteMember(inObject: 3, isWanted: false) }
    for _ in 0..<999 {
      unwanted.noteRecord()
      unwanted.noteChange(in: .object(3))
    }
    #expect(!unwanted.passesMembers(in: 3))
    // If most were not, they are passed.
    for _ in 0..<9 * 999 { unwanted.noteChange(in: .object(3)) }
    #expect(unwanted.passesMembers(in: 3))
    #expect(!unwanted.passesMembers(in: 2))
    #expect(!unwanted.passesMembers(in: 4))
    let begins = [unwanted.begin(), unwanted.begin()]
    #expect(begins == [.all, nil])
    #expect(unwanted.passesMembers(in: 3))
    // Not if there are few, and records without one.
    for change in 1...33 {
      for _ in 0..<2 { unwanted.noteLearned(1) }
      unwanted.noteMember(inObject: 0, isWanted: false)
      unwanted.noteNews(in: .object(0))
      #expect(unwanted.passesMembers(in: 0) == (change == 33))
    }
  }

  @Test func `where there is no room for steps, the container with the most is passed`() {
    var unwanted = UnwantedContainers()
    let (words, user) = (2, 4)
    let numbers = [words, user].map { unwanted.number(of: $0) }
    for step in 0..<100 {
      unwanted.noteStep(in: .unwanted(numbers[0]))
      if step % 10 == 0 { unwanted.noteStep(in: .unwanted(numbers[1])) }
      if step % 2 == 0 { unwanted.noteStep(in: .object(3)) }
      unwanted.noteStep(in: .other)
    }
    var order: [[Bool]] = []
    for _ in 0..<3 {
      unwanted.makeRoom()
      // Only once until the steps are forgotten.
      unwanted.makeRoom()
      order.append([unwanted.passes(words), unwanted.passesMembers(in: 3), unwanted.passes(user)])
      let begins = unwanted.begin()
      #expect(begins == .all)
      // The numbers are forgotten when all is passed.
      guard !unwanted.passesAll else { break }
      unwanted.noteStep(in: .unwanted(numbers[1]))
      unwanted.noteStep(in: .object(3))
      unwanted.noteStep(in: .object(3))
    }
    #expect(order == [[true, false, false], [true, true, true], [true, true, true]])
    // Nothing is left that has steps: all is passed.
    #expect(unwanted.passes(6))
  }

  @Test func `steps that are of no use make room before another container is passed`() {
    var unwanted = UnwantedContainers()
    let (claims, user) = (2, 4)
    let numbers = [claims, user].map { unwanted.number(of: $0) }
    for _ in 0..<100 { unwanted.noteStep(in: .unwanted(numbers[1])) }
    for _ in 0..<33 { unwanted.noteChange(in: .unwanted(numbers[0])) }
    var stale = [unwanted.begin()]
    unwanted.makeRoom()
    #expect(!unwanted.passes(user))
    stale.append(unwanted.begin())
    // It is passed already: that it changes says nothing new.
    for _ in 0..<99 { unwanted.noteChange(in: .unwanted(numbers[0])) }
    #expect(!unwanted.haveChanged)
    // Now no step is of no use.
    unwanted.noteStep(in: .unwanted(numbers[1]))
    unwanted.makeRoom()
    #expect(unwanted.passes(user))
    stale.append(unwanted.begin())
    #expect(stale == [.inside, .all, .all])
  }

  @Test func `if room is made again and again, all is passed`() {
    var unwanted = UnwantedContainers()
    var made = 0
    while made < 100, !unwanted.passesMembers(in: 7) {
      unwanted.noteStep(in: .unwanted(unwanted.number(of: made)))
      unwanted.makeRoom()
      let begins = unwanted.begin()
      #expect(begins == .all)
      made += 1
    }
    #expect(made == 6)
  }

  @Test func `each time that room is made, twice as many containers are passed`() {
    var unwanted = UnwantedContainers()
    let paths = Array(0..<40)
    for path in paths { unwanted.noteStep(in: .unwanted(unwanted.number(of: path))) }
    var passed: [Int] = []
    for _ in 0..<5 {
      unwanted.makeRoom()
      passed.append(paths.filter { unwanted.passes($0) }.count)
      let begins = unwanted.begin()
      #expect(begins == .all)
      for path in paths { unwanted.noteStep(in: .unwanted(unwanted.number(of: path))) }
    }
    #expect(passed == [1, 3, 7, 15, 31])
  }

  @Test func `members that are new in each record are passed sooner`() {
    var unwanted = UnwantedContainers()
    for change in 1...13 {
      unwanted.noteLearned(1)
      unwanted.noteMember(inObject: 0, isWanted: false)
      unwanted.noteNews(in: .object(0))
      #expect(unwanted.passesMembers(in: 0) == (change == 13))
    }
  }

  /// Returns whether all is passed when so many records were learned, of so many bytes each, and
  /// others followed before.
  private func passesAll(learned: Int, bytes: Int = 1, followed: Int = 0) -> Bool {
    var unwanted = UnwantedContainers()
    for _ in 0..<followed { unwanted.noteRecord() }
    for _ in 0..<learned { unwanted.noteLearned(bytes) }
    return unwanted.passesMembers(in: 7)
  }

  @Test func `if more than a quarter of many records are learned, all is passed`() {
    #expect(!passesAll(learned: 96, followed: 200))
    #expect(passesAll(learned: 97, followed: 200))
    #expect(!passesAll(learned: 100, followed: 300))
    #expect(passesAll(learned: 101, followed: 300))
  }

  @Test func `if they have many bytes, it is passed sooner`() {
    #expect(!passesAll(learned: 32, bytes: 32 << 10, followed: 90))
    #expect(passesAll(learned: 33, bytes: 32 << 10, followed: 90))
    #expect(!passesAll(learned: 33, bytes: 32 << 10, followed: 99))
  }

  @Test func `if nearly all are learned, it is passed sooner`() {
    #expect(!passesAll(learned: 48))
    #expect(passesAll(learned: 49))
    #expect(passesAll(learned: 49, followed: 16))
    #expect(!passesAll(learned: 49, followed: 17))
  }

  @Test func `records that were learned before all steps were forgotten count too`() {
    var unwanted = UnwantedContainers()
    for _ in 0..<60 { unwanted.noteRecord() }
    for _ in 0..<60 { unwanted.noteLearned(1) }
    unwanted.noteStep(in: .unwanted(unwanted.number(of: 2)))
    unwanted.makeRoom()
    let begins = unwanted.begin()
    #expect(begins == .all)
    for _ in 60..<96 { unwanted.noteLearned(1) }
    #expect(!unwanted.passesMembers(in: 7))
    unwanted.noteLearned(1)
    #expect(unwanted.passesMembers(in: 7))
  }

  @Test func `members that are wanted and come in any order are taken as they come`() {
    var unwanted = UnwantedContainers()
    unwanted.noteLearned(1)
    for _ in 0..<6 { unwanted.noteMember(inObject: 2, isWanted: true) }
    for _ in 0..<300 { unwanted.noteRecord() }
    // A third of six in each of 300 records, and one more.
    for _ in 0..<600 { unwanted.noteWantedChange(in: .object(2)) }
    #expect(!unwanted.passesMembers(in: 2))
    unwanted.noteWantedChange(in: .object(2))
    #expect(unwanted.passesMembers(in: 2))
  }

  @Test func `containers are walked through as long as they are alike, and passed if they are not`()
  {
    // Which of them are passed: those that change in each record, after some.
    var unwanted = UnwantedContainers()
    let (claims, user) = (2, 4)
    let numbers = [claims, user, claims].map { unwanted.number(of: $0) }
    #expect(numbers == [0, 1, 0])
    for record in 0..<2000 {
      unwanted.noteRecord()
      unwanted.noteChange(in: .unwanted(numbers[0]))
      if record % 10 == 0 { unwanted.noteChange(in: .unwanted(numbers[1])) }
      #expect(unwanted.passes(claims) == (record >= 12))
      #expect(!unwanted.passes(user))
    }
    // The steps to other values are of use.
    let begins = [unwanted.begin(), unwanted.begin()]
    #expect(begins == [.inside, nil])
    #expect(unwanted.passes(claims))
    unwanted.passAll()
    #expect(unwanted.haveChanged)
    #expect(unwanted.passes(user))
  }
}
