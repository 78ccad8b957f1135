import Testing

@testable import Sluice

/// Objects, arrays and members that nobody asked for are passed if they are right, and only then.
@Suite struct PassedJSONTests {
  private let fence = Fence()

  private static let ways = StructuralIndex.Way.allCases.filter { $0 != .none && $0.isKnown }

  /// Returns how many bytes of a text are passed, in all ways; nil if they are left. Nothing after
  /// the 64 bytes behind the limit, which is after the text unless it is given, is read.
  private func length(_ text: [UInt8], limit: Int? = nil) -> Int? {
    let limit = limit ?? text.count
    let padding = [UInt8](repeating: UInt8(ascii: ","), count: 64)
    let bytes = Array((text + padding).prefix(limit + 64))
    let start = UnsafePointer(fence.place(bytes))
    let lengths = Self.ways.map { way in
      var p = start
      let isPassed = PassedValue.passContainer(&p, before: start + limit, way)
      return isPassed ? p - start : nil
    }
    #expect(Set(lengths).count == 1, "\(String(decoding: text, as: UTF8.self))")
    return lengths[0]
  }

  private static let right = [
    "{}", "[]", "{ }", "[ \n\t]", "[[]]", "[{}]", #"{"":{}}"#, "[1]", "[-0.5e-7,1E+2,0]",
    #"["a","Ж","\"","\u00e9\n","\ud83d\ude00","😀"]"#, "[true,false,null]",
    #"{"a":1,"b":[2,{"c":"d"},[]],"e":{"f":null}}"#,
    #"{ "a" : 1 , "b" : [ 2 , "x" ] }"#,
    "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {\"c\": \"\"}\n}",
    #"{"a key of more than thirty-two bytes, so that it is long":"and a text that no window of 64 bytes holds as a whole, whatever it begins with"}"#,
    "[123456789012345678901234567890.5,12345678901234567890,-1]",
    #"{"ключ":"значение","ещё":["€","𝄞"]}"#, "[[[[[[[[[[1],2],3],4],5],6],7],8],9],10]",
    #"["\\","\\\"",""]"#,
  ]

  @Test(arguments: right) func `a right one is passed to its end`(text: String) {
    let bytes = Array(text.utf8)
    #expect(length(bytes) == bytes.count)
    for rest in [",7", "}", "]]", " ", #""x""#, "x"] {
      #expect(length(bytes + Array(rest.utf8)) == bytes.count, "\(rest)")
    }
  }

  @Test(arguments: right) func `a right one is passed wherever blocks of 64 bytes end in it`(
    text: String
  ) {
    for shift in 0..<66 {
      for around in [("[\"\(String(repeating: "x", count: shift))\",", "]"), Self.room(shift)] {
        let bytes = Array((around.0 + text + around.1).utf8)
        #expect(length(bytes) == bytes.count, "\(shift)")
      }
    }
  }

  /// An object before a value with so much white space, and after it.
  private static func room(_ count: Int) -> (String, String) {
    (#"{"a":1,"b""# + String(repeating: " ", count: count) + ":", "\n}")
  }

  @Test(arguments: right) func `it must end before the limit`(text: String) {
    let bytes = Array(text.utf8)
    for limit in 0..<bytes.count { #expect(length(bytes, limit: limit) == nil, "\(limit)") }
  }

  @Test(arguments: right) func `with another byte it is judged as by the grammar`(text: String) {
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      for other in Array(#"{}[],:" \0-.eEtnu1"#.utf8) + [0x00, 0x1F, 0x80, 0xC0, 0xED, 0xFF] {
        var changed = bytes
        changed[place] = other
        let passed = length(changed)
        if let passed { #expect(ReferenceJSON.isValid(Array(changed.prefix(passed)))) }
        if ReferenceJSON.isValid(changed), "{[".utf8.contains(changed[0]) {
          #expect(passed == changed.count)
        }
      }
    }
  }

  private static let wrong = [
    "{", "[", "[1", "[1,", "[,1]", "[1,]", "[1 2]", "[1}", "{]", #"{"a"}"#, #"{"a":}"#, #"{"a" 1}"#,
    #"{"a":1,}"#, #"{"a":1 "b":2}"#, "{1:2}", "[01]", "[1.]", "[-]", "[+1]", "[.5]", "[1e]",
    "[1e+]",
    "[nul]", "[truee]", "[nulll]", #"["a]"#, #"["\x"]"#, #"["\ud800"]"#, "[\"\n\"]", "[a]", "[1x]",
    "[1:2]", #"{"a"::1}"#, "[\u{00A0}1]", #"["a" "b"]"#, #"["a"1]"#, #"{"a":1"b":2}"#,
  ]

  @Test(arguments: wrong) func `a wrong one is left`(text: String) {
    #expect(length(Array(text.utf8)) == nil)
    #expect(length(Array(#"{"a":\#(text)}"#.utf8)) == nil)
    for shift in 0..<66 {
      let (begin, end) = Self.room(shift)
      #expect(length(Array((begin + text + end).utf8)) == nil, "\(shift)")
    }
  }

  /// A token that begins before the limit may end with the last byte that can be read.
  @Test(arguments: [
    "\"", "\" ", "\"  ", "\":", "\" :", "\": ", "\":  ", "\" : ", "\",", "\", ", "\"]", "\"] ",
    "\"]\n", "\"} ",
  ])
  func `nothing is read after the bytes behind the limit`(tail: String) {
    for count in 50..<80 {
      let token = String(repeating: "1", count: count) + tail
      for text in ["{\"\(token)", "[\"\(token)", "[{\"\(token)", "[\(token.filter { $0 != "\"" })"]
      {
        let bytes = Array(text.utf8)
        for limit in stride(from: bytes.count - 64, through: 1, by: -1) {
          let start = UnsafePointer(fence.place(Array(bytes.prefix(limit + 64))))
          var p = start
          #expect(!PassedValue.passContainer(&p, before: start + limit))
          p = start + 1
          var values = WantedValues()
          var members = PassedMembers(at: p, before: start + limit, in: 0, isFirst: true)
          _ = members.moveToWanted(Self.keys([[]]), &values, takes: false)
          #expect(members.end == start + 1)
        }
      }
    }
  }

  /// Returns the keys of a form of these places.
  private static func keys(_ places: [[String]]) -> WantedKeys {
    let places = places.map { names in
      RecordForm.Place(keys: names.map { (Array($0.utf8), 0) })
    }
    return WantedKeys(RecordForm(places: places, valueCount: 0))
  }

  /// Returns how many bytes of members are passed, and where a wrong one or the limit was seen.
  private func length(
    ofMembers text: String, isFirst: Bool = false, but wanted: [String]
  ) -> (passed: Int, seen: Int?) {
    let bytes = Array(text.utf8)
    let start = UnsafePointer(fence.place(bytes, room: 64))
    let keys = Self.keys([[], wanted])
    var values = WantedValues()
    values.decoded.append(UInt8(ascii: "x"))
    var members = PassedMembers(
      at: start, before: start + bytes.count, in: 1, isFirst: isFirst)
    let stop = members.moveToWanted(keys, &values, takes: false)
    #expect(Array(values.decoded.contents) == [UInt8(ascii: "x")])
    guard case .unsure = stop else { return (members.end - start, nil) }
    return (members.end - start, members.p - start)
  }

  @Test(arguments: [
    #","a":1"#, #", "a" : "x""#, ",\n  \"a\": true", #","a":{"b":[1,{}]}"#, #","ключ":null"#,
    #","":"""#,
    #","a key that is longer than a window of sixty-four bytes, and so it is looked at again":[]"#,
  ])
  func `a member is passed unless it is wanted`(text: String) {
    let count = text.utf8.count
    #expect(length(ofMembers: text + ",", but: []).passed == count)
    #expect(length(ofMembers: text + "}", but: ["b", "id", "aa"]) == (count, nil))
    #expect(length(ofMembers: text + " ]", but: ["b", "id", "aa"]) == (count, nil))
    let found = length(ofMembers: text + " ", but: ["c", "ключ", "", "a"])
    #expect(text.contains("long") ? found == (count, count + 1) : found == (0, nil))
    // The first one has no comma before it.
    let first = String(text.drop { $0 != "\"" })
    #expect(length(ofMembers: first + "}", isFirst: true, but: []) == (first.utf8.count, nil))
    #expect(length(ofMembers: first + "}", isFirst: false, but: []) == (0, nil))
    #expect(length(ofMembers: text + "}", isFirst: true, but: []).passed == 0)
  }

  @Test(arguments: [
    (#","a":1,"id":7,"tag":"x\ny","b":[{}]"#, #","id":8}"#, "id"),
    (#", "tag" : "x\ny" , "b":{"id":1}, "id": 7"#, #","tag":null}"#, "tag"),
    (#","id":7,"tag":"x\ny""#, #","id":{}}"#, "id"),
    (#","tag":"x\ny","id":7"#, #","geo":{"x":1}}"#, "geo"),
    (#","tag":"x\ny","id":7"#, #", "geo" :"#, "geo"),
  ])
  func `plain members that are wanted are taken, up to one that is none or had a value before`(
    taken: String, rest: String, stop: String
  ) {
    let names = ["id", "tag", "geo"]
    var places = [RecordForm.Place()]
    for (number, name) in names.enumerated() {
      places[0].keys.append((Array(name.utf8), number + 1))
      places.append(RecordForm.Place(value: name == "geo" ? -1 : number))
    }
    places[3].keys = [(Array("x".utf8), 4)]
    places.append(RecordForm.Place(value: 2))
    let form = RecordForm(places: places, valueCount: 3)
    let keys = WantedKeys(form)
    let bytes = Array((taken + rest).utf8)
    for limit in 1...bytes.count {
      let start = UnsafePointer(fence.place(Array(bytes.prefix(limit)), room: 64))
      var values = WantedValues()
      values.reserve(for: form, length: 64)
      var members = PassedMembers(at: start, before: start + limit, in: 0, isFirst: false)
      let stopped = members.moveToWanted(keys, &values, takes: true)
      #expect(members.end - start <= min(limit, taken.utf8.count))
      // A value is taken as a whole or not at all.
      for (slot, text) in ["7", "x\ny"].enumerated() where values.first >> slot & 1 != 0 {
        #expect(Array(values.all[slot].text) == Array(text.utf8))
      }
      #expect(values.decoded.count == (values.first & 0b10 == 0 ? 0 : 3))
      guard limit == bytes.count else { continue }
      guard case .wanted(let number) = stopped else {
        Issue.record("\(stopped)")
        continue
      }
      #expect(Int(keys[number].place) - 1 == names.firstIndex(of: stop))
      #expect(members.end - start == taken.utf8.count)
      #expect(values.first == 0b11)
    }
  }

  @Test func `many keys that are alike are told apart`() {
    let long = "saturated_fat_of_the_product_"
    let names = (0..<300).flatMap {
      ["\($0)_100g", "fat_\($0)", "\(long)\($0)_value", "measured_\($0)_of_the_station_\(long)"]
    }
    let wanted = Self.keys([[], names, ["x"]])
    func isWanted(_ name: String, in place: Int) -> Bool {
      let text = UnsafePointer(fence.place(Array(name.utf8), room: 8))
      return wanted.number(at: text, count: name.utf8.count, in: place) != nil
    }
    for name in names {
      #expect(isWanted(name, in: 1))
      #expect(!isWanted(name, in: 0) && !isWanted(name, in: 2))
    }
    #expect(isWanted("x", in: 2) && !isWanted("x", in: 1))
    for number in 300..<900 {
      for name in ["\(number)_100g", "fat_\(number)", "\(long)\(number)_value", "\(number)"] {
        #expect(!isWanted(name, in: 1), "\(name)")
      }
    }
    // As long, with the same first and last eight bytes.
    #expect(!isWanted("saturated_fat_of_tha_product_7_value", in: 1))
  }

  @Test func `the ends of a key are the same with bytes after it and without`() {
    let bytes = Array("свойства of a key that is written out".utf8)
    for count in 0...bytes.count {
      let name = Array(bytes.prefix(count))
      let ends = name.withUnsafeBytes { KeyEnds($0) }
      let text = UnsafePointer(fence.place(name + [0x22, 0x3A, 0x31], room: 8))
      #expect(KeyEnds(text, count: count).isSame(as: ends))
      #expect(KeyEnds(text, count: count).hash(in: 7) == ends.hash(in: 7))
      guard count > 0 else { continue }
      #expect(!KeyEnds(text, count: count - 1).isSame(as: ends))
    }
  }

  @Test func `members are passed up to one that is wanted or the end of their object`() {
    let text = #","a":1 , "b":{"id":[2]},"c":"\n","id":7}"#
    let upToC = text.utf8.count - #","id":7}"#.utf8.count
    #expect(length(ofMembers: text, but: ["id"]) == (upToC, nil))
    #expect(length(ofMembers: text, but: []) == (text.utf8.count - 1, nil))
    #expect(length(ofMembers: "}", isFirst: true, but: []) == (0, nil))
    #expect(length(ofMembers: " }", isFirst: true, but: []) == (0, nil))
    #expect(length(ofMembers: #","a":1,"b":x}"#, but: []).passed == 6)
    #expect(length(ofMembers: #","a":1,"b":2"#, but: []) == (12, 12))
  }

  @Test(arguments: [
    (#","\u0061":1"#, "a"), (#","a\n":1"#, "a\n"), (#","\ud83d\ude00b":[{}]"#, "😀b"),
    (#", "\"" : {}"#, "\""), (#","x\u0000":"\u0000""#, "x\u{0}"),
  ])
  func `a key with escapes is wanted as any other`(text: String, key: String) {
    #expect(length(ofMembers: text + ",", but: []).passed == text.utf8.count)
    #expect(length(ofMembers: text + "}", but: ["b", "\\u0061", "ключ"]) == (text.utf8.count, nil))
    #expect(length(ofMembers: text + "}", but: ["b", key]) == (0, nil))
  }

  @Test(arguments: [
    #","\ud800":1"#, #","a\x":1"#, ",1", ",", #","a""#, #","a":"#,
    #","a":1"#.replacing(",", with: "}"), ",{}", #","a":[1"#,
  ])
  func `a wrong member is left`(text: String) {
    #expect(length(ofMembers: text + ",", but: []).passed == 0)
  }

  @Test func `what is too deep is left`() {
    for (depth, isPassed) in [(PassedValue.depth, true), (PassedValue.depth + 1, false)] {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect(length(Array(text.utf8)) == (isPassed ? text.utf8.count : nil))
    }
  }
}
