import Testing

@testable import Sluice

@Suite struct PairTableTests {
  private struct Pair: Hashable {
    var key: UInt64
    var value: UInt64
  }

  @Test func `pairs are found again, however the table grows`() {
    var generator = SystemRandomNumberGenerator()
    var table = PairTable()
    var seen: Set<Pair> = []
    for index in 0..<30_000 {
      let key: UInt64 =
        index % 3 == 0
        ? UInt64.random(in: 0...200, using: &generator) : generator.next() & 0xFF00_0000_0000_00FF
      let pair = Pair(key: key, value: UInt64.random(in: 1...50, using: &generator) << 32)
      #expect(table.find(pair.key, pair.value).isNew == seen.insert(pair).inserted)
    }
    #expect(table.count == seen.count)
    for pair in seen {
      let (entry, isNew) = table.find(pair.key, pair.value)
      #expect(!isNew)
      #expect(entry.pointee.key == pair.key)
      #expect(entry.pointee.value == pair.value)
    }
  }

  @Test func `what the mask leaves out may change and survives growth`() {
    let mask: UInt64 = 0xFFFF_FFFF_0000_0000
    var table = PairTable()
    for round in 1...3 {
      for key in UInt64(0)..<5000 {
        let (entry, isNew) = table.find(key, 7 << 32, mask: mask)
        #expect(isNew == (round == 1))
        entry.pointee.value += 1
        #expect(entry.pointee.value & 0xFFFF_FFFF == UInt64(round))
      }
    }
    #expect(table.count == 5000)
  }

  @Test(arguments: [1, 64, 1000, 16_384])
  func `a key is found whatever its value where the mask leaves all of it out`(_ capacity: Int) {
    var table = PairTable(capacity: capacity)
    for round in UInt64(1)...2 {
      for key in UInt64(0)..<50_000 {
        let (entry, isNew) = table.find(key &* 0x1_0000_0001, key + round, mask: 0)
        #expect(isNew == (round == 1))
        #expect(entry.pointee.value == key + 1)
      }
    }
    #expect(table.count == 50_000)
  }
}
