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

  /// Numbers of addresses whose searches in tables of any size began in one 64th of the table, when
  /// the factors were known to all.
  private static func crafted(_ count: Int) -> [UInt64] {
    var state: UInt64 = 1
    var keys: [UInt64] = []
    while keys.count < count {
      // Any numbers will do: an enemy finds texts with such numbers by trying.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var hash = state &* 0xD6E8_FEB8_6659_FD93
      hash = (hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93
      if hash >> 58 == 0 { keys.append(state) }
    }
    return keys
  }

  /// The number of slots that the searches for these keys look at, in a table that has them all.
  private func probes(_ keys: [UInt64], _ key: TableKey) -> Int {
    var table = PairTable(key: key)
    for key in keys { _ = table.find(key, 1, mask: 0) }
    var isTaken = [Bool](repeating: false, count: table.capacity)
    var probes = 0
    for key in keys {
      var slot = table.home(key, 0)
      probes += 1
      while isTaken[slot] {
        slot = (slot + 1) % table.capacity
        probes += 1
      }
      isTaken[slot] = true
    }
    return probes
  }

  @Test func `numbers that were chosen to lie side by side do not`() {
    let keys = Self.crafted(20_000)
    // The factor that was known to all: the keys make one long run.
    let known = TableKey(0xD6E8_FEB8_6659_FD93, 0x9E37_79B9_7F4A_7C15)
    #expect(probes(keys, known) > 20_000 * 1000)
    #expect(probes(keys, .ofProcess) < 20_000 * 10)
    for seed in UInt64(1)...20 {
      let key = TableKey(seed &* 0x9E37_79B9_7F4A_7C15, seed &* 0xC2B2_AE3D_27D4_EB4F)
      #expect(probes(keys, key) < 20_000 * 10)
    }
  }

  @Test func `each process has a key of its own`() {
    var generator = SystemRandomNumberGenerator()
    #expect(TableKey.ofProcess == TableKey.ofProcess)
    #expect(TableKey.ofProcess != TableKey(generator.next(), generator.next()))
  }
}
