@testable import Sluice

/// Objects, arrays and members that nobody asked for, and that are passed as wholes.
enum PassedJSON {
  /// The name of the seed whose inputs come after ``records``.
  static let shape = "varied"

  /// Records on lines with keys that are data, more than it takes until they are passed. The input
  /// of the fuzzer comes after them, so it is read in this way.
  static let records: [UInt8] = {
    var text = ""
    for number in 0..<200 {
      let (key, member) = (number * 389 % 997, number * 631 % 4_001)
      text += #"{"id":\#(number),"x":{"k\#(key)":[\#(number)]},"#
      text += #""m\#(member)":1,"n\u00e9\#(key)":"a","last":2}"# + "\n"
    }
    return Array(text.utf8)
  }()

  /// Passes a text as a container and as a member. What is passed must be right by the tokenizer,
  /// and what is right there must be passed, unless it is too deep.
  static func check(_ text: [UInt8]) {
    guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return
    }
    var isContainer = false
    let container = length(of: text) { isContainer = PassedValue.passContainer(&$0, before: $1) }
    for way in StructuralIndex.Way.allCases where way != .none && way.isKnown {
      var isPassed = false
      let passed = length(of: text) { isPassed = PassedValue.passContainer(&$0, before: $1, way) }
      guard isPassed == isContainer, passed == container else {
        fatalError("\(way) passes \(passed), not \(container): \(isPassed)")
      }
    }
    let key = Array(#","key":"#.utf8)
    let places = [RecordForm.Place(keys: [(Array("id".utf8), 0)])]
    let wanted = WantedKeys(RecordForm(places: places, valueCount: 0))
    var values = WantedValues()
    let members = length(of: key + text) {
      var members = PassedMembers(at: $0, before: $1, in: 0, isFirst: false)
      _ = members.moveToWanted(wanted, &values, takes: false)
      $0 = members.end
    }
    guard isContainer ? members >= key.count + container : members == 0 else {
      fatalError("\(isContainer), \(container) as a value, \(members) as members")
    }
    if isContainer {
      guard isRight(text.prefix(container)),
        isRight([UInt8(ascii: "{")] + (key + text)[1..<members] + [UInt8(ascii: "}")])
      else { fatalError("wrong bytes are passed: \(container) or \(members)") }
    } else if depth(of: text) <= PassedValue.depth, isRight(text[...]) {
      fatalError("a right container is not passed")
    }
  }

  /// Returns how many bytes of a text are passed. The text stands at the end of memory of its own,
  /// with no more behind it than may be read.
  private static func length(
    of text: [UInt8], _ pass: (inout UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Void
  ) -> Int {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count + 64)
    defer { bytes.deallocate() }
    bytes.initialize(repeating: UInt8(ascii: "\""), count: text.count + 64)
    bytes.update(from: text, count: text.count)
    var p = UnsafePointer(bytes)
    pass(&p, UnsafePointer(bytes) + text.count)
    return p - UnsafePointer(bytes)
  }

  /// Returns whether the tokenizer reads all of a text.
  private static func isRight(_ text: ArraySlice<UInt8>) -> Bool {
    do throws(PipelineError) {
      let tokens = TokenWriter(to: Output(), isAsking: false)
      try Subject.feed(Array(text), text.count, to: Tokenizer(into: tokens, counters: Counters()))
      return true
    } catch {
      return false
    }
  }

  /// Returns the deepest nesting of a text, counting brackets in strings too.
  private static func depth(of text: [UInt8]) -> Int {
    var (depth, deepest) = (0, 0)
    for byte in text {
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
      deepest = max(deepest, depth)
    }
    return deepest
  }
}
