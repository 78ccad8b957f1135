import Testing

@testable import Sluice

@Suite struct RecordPathTests {
  private func member(_ key: String, of path: Int, _ paths: inout RecordPaths) -> Int {
    Array(key.utf8).withUnsafeBytes { paths.path(ofMember: $0, of: path) }
  }

  @Test func `a path is found again, and no two are the same`() {
    var paths = RecordPaths()
    var rounds: [[Int]] = []
    for _ in 0..<2 {
      let at = member("at", of: RecordPaths.top, &paths)
      let empty = member("", of: RecordPaths.top, &paths)
      let parts = [RecordPaths.Part.members, .elements, .opened, .anyKey, .anyMember]
        .map { paths.path($0, of: at) }
      let elements = (0..<3).map { paths.path(ofElement: $0, of: at) }
      let inner = member("at", of: elements[1], &paths)
      rounds.append([RecordPaths.top, at, empty] + parts + elements + [inner])
    }
    #expect(rounds[0] == rounds[1])
    #expect(Set(rounds[0]).count == rounds[0].count)
  }

  @Test func `keys that are too long altogether have no paths, nor has what is in them`() {
    var paths = RecordPaths()
    let long = member(String(repeating: "k", count: 255 << 10), of: RecordPaths.top, &paths)
    #expect(long != RecordPaths.none)
    let longer = member(String(repeating: "l", count: 2 << 10), of: RecordPaths.top, &paths)
    #expect(longer == RecordPaths.none)
    #expect(paths.path(.members, of: longer) == RecordPaths.none)
    #expect(member("a", of: longer, &paths) == RecordPaths.none)
    #expect(member("a", of: long, &paths) != RecordPaths.none)
  }

  @Test func `too many paths are none, and those before are found`() {
    var paths = RecordPaths()
    let first = member("k0", of: RecordPaths.top, &paths)
    let all = (0..<5000).map { member("k\($0)", of: RecordPaths.top, &paths) }
    #expect(all[0] == first)
    #expect(all.count { $0 == RecordPaths.none } == 5000 - 4095)
    #expect(paths.path(.members, of: RecordPaths.top) == RecordPaths.none)
  }
}
