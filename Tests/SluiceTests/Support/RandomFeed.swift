/// A feed's document of any shape, and an input for it. The same seed gives the same.
///
///     {"b00":…,"e0":[                            up to two containers around that of the rows,
///       {"b10":…,"e1":{"k7":{…},…},"l10":…},     with members before and after the next one
///       …],"l00":…}
struct RandomFeed {
  /// What may stand at a place of the input.
  private indirect enum Form {
    case text, number, day, flag
    case object([(key: String, form: Form)])
    case list(Form)
    /// An object whose keys are data.
    case members(Form)
  }

  /// The document in YAML.
  private(set) var document = ""
  /// The input.
  private(set) var json = ""
  private var random: SeededGenerator
  private var columns: [String] = []
  /// How likely a member is missing, a value is of another kind, members change places, in percent.
  private var (missing, strange, moved): (Int, Int, Int)
  /// How often a key or a text has an escape, in percent.
  private var escaped: Int
  /// The white space of the input: none, as printers for people write it, or any.
  private var space: Int
  /// How many elements a list has at most, and how many times as many the outermost ones have.
  private var (longest, many): (Int, Int)

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    missing = random.pick([0, 0, 3, 30])
    strange = random.pick([0, 0, 1, 8])
    moved = random.pick([0, 0, 0, 20, 100])
    escaped = random.pick([0, 1, 10])
    space = random.pick([0, 0, 1, 2])
    longest = random.pick([3, 8, 40])
    // Only after many records their members are known to come in any order.
    many = moved == 100 ? random.pick([1, 12]) : 1
    self.random = random
    make()
  }

  // MARK: The document

  private mutating func make() {
    let levels = chance(35) ? 0 : chance(70) ? 1 : 2
    var path = ""
    // From the outermost object in: the members before and after what leads to the rows.
    var around: [(before: [(String, Form)], key: String, isList: Bool, after: [(String, Form)])] =
      []
    for level in 0...levels {
      let before = chance(60) ? members("b\(level)", at: path, 1...3, isAround: true) : []
      let after = chance(40) ? members("l\(level)", at: path, 1...2, isAround: true) : []
      let key = "e\(level)"
      let isList = level < levels ? chance(75) : chance(80)
      path += (path.isEmpty ? "" : ".") + key + (isList ? "[]" : ".*")
      around.append((before, key, isList, after))
    }
    let rows = path
    var row: Form
    switch random.pick([0, 0, 0, 0, 1, 2]) {
    case 0: row = .object(members("c", at: "", 1...(chance(15) ? 40 : 9), isAround: false))
    case 1:
      row = chance(50) ? .number : .text
      columns.append("{from: $value, kind: \(kind(of: row))}")
    default:
      row = .list(chance(60) ? .number : .text)
      for place in 0..<3 { columns.append("{from: \"[\(place)]\", kind: text}") }
    }
    let keys = around.filter { !$0.isList }.count
    if keys > 0, chance(70) { columns.append("{from: $key}") }
    if keys > 1, chance(50) { columns.append("{from: \"$key[1]\"}") }
    if columns.isEmpty { columns.append("{from: no}") }
    document = "feed: own\nrows: \"\(rows)\"\ncolumns:\n"
    for (number, column) in columns.enumerated() { document += "  c\(number): \(column)\n" }
    var form = row
    for level in around.reversed() {
      form = .object(
        level.before.map { (key: $0.0, form: $0.1) }
          + [(key: level.key, form: level.isList ? .list(form) : .members(form))]
          + level.after.map { (key: $0.0, form: $0.1) })
    }
    write(form)
  }

  /// Makes members with keys that begin so, and columns for some of them.
  private mutating func members(
    _ name: String, at path: String, _ count: ClosedRange<Int>, isAround: Bool, depth: Int = 0
  ) -> [(String, Form)] {
    (0..<Int.random(in: count, using: &random)).map { number in
      let key = chance(10) ? "\(name)_of_a_long_name_\(number)" : "\(name)\(number)"
      // A path in the document, not in the row.
      let dot = isAround && path.isEmpty ? "$." : path.isEmpty ? "" : "."
      return (key, form(key, at: path + dot + key, isAround, depth))
    }
  }

  private mutating func form(_ key: String, at path: String, _ isAround: Bool, _ depth: Int)
    -> Form
  {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<65:
      let form = random.pick([Form.text, .text, .number, .number, .day, .flag])
      if chance(60) { columns.append("{from: \"\(path)\", kind: \(kind(of: form))}") }
      return form
    case ..<78 where depth < 3:
      return .object(members("o", at: path, 1...5, isAround: isAround, depth: depth + 1))
    case ..<86:
      let form = chance(50) ? Form.number : .text
      if chance(50) {
        columns.append("{from: \"\(path)[\(random.pick(["*", "0", "1"]))]\"}")
      }
      return .list(form)
    case ..<94 where depth < 3:
      let element = Form.object([("id", .number), ("name", .text), ("lang", .text)])
      if chance(50) {
        columns.append("{from: \"\(path)[\(random.pick(["*", "0", "lang=a"]))].name\"}")
      }
      return .list(element)
    default: return .members(depth < 2 && chance(50) ? .object([("v", .text)]) : .number)
    }
  }

  private mutating func kind(of form: Form) -> String {
    switch form {
    case .number: random.pick(["decimal", "decimal", "text", "integer"])
    case .day: chance(60) ? "day" : "text"
    case .flag: chance(60) ? "flag" : "text"
    case .text, .object, .list, .members: "text"
    }
  }

  // MARK: The input

  private mutating func write(_ form: Form, _ depth: Int = 0) {
    if depth > 0, chance(strange) {
      json += random.pick([
        "null", "[]", "{}", "\"x\"", "true", "1e400", "-0", #"[1,{"a":[2]}]"#,
        #"{"id":"x","y":{}}"#,
      ])
      return
    }
    switch form {
    case .text: writeText()
    case .number:
      json += random.pick(["", "", "-"]) + "\(random.next() % 3000)"
      json += random.pick(["", "", ".5", ".25", "e1", ".0"])
    case .day: json += "\"2026-\(10 + random.next() % 3)-\(10 + random.next() % 22)\""
    case .flag: json += random.pick(["true", "false", "true", "\"yes\"", "null"])
    case .object(var members):
      if chance(moved) { members.shuffle(using: &random) }
      members = members.filter { _ in !chance(missing) }
      writeContainer("{", members.count, "}", depth) { feed, index in
        feed.writeKey(members[index].key)
        feed.write(members[index].form, depth + 1)
      }
    case .list(let element):
      writeContainer("[", count(depth), "]", depth) { feed, _ in feed.write(element, depth + 1) }
    case .members(let value):
      let first = Int(random.next() % 1000)
      writeContainer("{", count(depth), "}", depth) { feed, index in
        feed.writeKey("k\(first + index)")
        feed.write(value, depth + 1)
      }
    }
  }

  /// How many elements the next list has. The outermost ones have more.
  private mutating func count(_ depth: Int) -> Int {
    depth < 2
      ? many * (20 + Int(random.next() % 60)) : Int.random(in: 0...longest, using: &random) / depth
  }

  private mutating func writeContainer(
    _ open: String, _ count: Int, _ close: String, _ depth: Int,
    _ element: (inout RandomFeed, Int) -> Void
  ) {
    json += open
    for index in 0..<count {
      if index > 0 { json += "," }
      if space > 0 { writeSpace(depth + 1) }
      element(&self, index)
    }
    if space > 0, count > 0 { writeSpace(depth) }
    json += close
  }

  private mutating func writeSpace(_ depth: Int) {
    json +=
      space == 1
      ? "\n" + String(repeating: "  ", count: depth)
      : random.pick(["", "", " ", "\n", "\t ", String(repeating: " ", count: 40)])
  }

  private mutating func writeKey(_ key: String) {
    let isEscaped = chance(escaped) && chance(20)
    json += "\"" + (isEscaped ? #"\u00\#(String(key.utf8.first ?? 0x61, radix: 16))"# : "")
    json += key.dropFirst(isEscaped ? 1 : 0) + "\":"
    if space > 0, chance(space == 1 ? 100 : 30) { json += " " }
  }

  private mutating func writeText() {
    json += "\""
    if chance(escaped) {
      json += random.pick([#"\""#, #"\n"#, #"\u0416"#, #"\ud83d\ude00"#, #"\/"#])
    }
    json += random.pick([
      "", "a", "b", "Невский, 12", " x  y ", "2026-01-05", "12", "x, y; z", "日本", "№ «5» – 6",
      String(repeating: "long ", count: 1 + Int(random.next() % 30)),
      "Sadovaya \(random.next() % 90)",
    ])
    json += "\""
  }

  private mutating func chance(_ percent: Int) -> Bool {
    percent > 0 && Int.random(in: 0..<100, using: &random) < percent
  }
}
