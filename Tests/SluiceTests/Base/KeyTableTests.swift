import Testing

@testable import Sluice

@Suite struct KeyTableTests {
  private func find(_ name: String, in object: Int, _ table: KeyTable) -> Int? {
    Array(name.utf8).withUnsafeBytes { table.number(of: $0, in: object) }
  }

  @Test func `each key is found in its object, and no other`() {
    let families = ["a", "temp_", "attribute_", "a_name_with_a_long_common_start_", "ключ"]
    var table = KeyTable()
    var names: [String] = [""]
    for family in families { names += (0..<300).map { "\(family)\($0)" } }
    names.append("12345678-----87654321")
    names += (0..<3000).map { "the same \($0) at both ends" }
    for object in 0..<3 {
      for (index, name) in names.enumerated() {
        table.add(Array(name.utf8), in: object, number: 10_000 * object + index)
      }
    }
    for object in 0..<3 {
      for (index, name) in names.enumerated() {
        let found = find(name, in: object, table)
        #expect(found == 10_000 * object + index)
      }
    }
    // The same ends with another middle, another object, a part of a key.
    for (name, object) in [("12345678+++++87654321", 0), ("a1", 3), ("a1", -1), ("temp_", 0)] {
      #expect(find(name, in: object, table) == nil)
    }
    #expect(find("a", in: 0, KeyTable()) == nil)
  }

  @Test func `a key that is added again keeps its number`() {
    var table = KeyTable()
    for number in 0..<100 { table.add(Array("k\(number % 10)".utf8), in: 0, number: number) }
    for number in 0..<10 {
      let found = find("k\(number)", in: 0, table)
      #expect(found == number)
    }
  }

  @Test(arguments: ["attribute_", "temp_", "v", "column", "a_name_with_a_long_start_"])
  func `the hashes of a family of keys have different upper bits`(family: String) {
    let hashes = (0..<256).map { number in
      Array("\(family)\(100 + number)".utf8).withUnsafeBytes { KeyEnds($0).hash(in: 1) >> 55 }
    }
    // Of 512 places 256 keys drawn by lot would have about 200.
    #expect(Set(hashes).count > 120)
  }
}
