import Sluice
import Testing

@testable import SluiceText
@testable import sluice_cli

@Suite struct NearestTests {
  @Test func `edits are counted, a swap of neighbours as one`() {
    func distance(_ a: String, _ b: String) -> Int { editDistance(Array(a), Array(b)) }
    #expect(distance("", "") == 0)
    #expect(distance("", "abc") == 3)
    #expect(distance("format", "format") == 0)
    #expect(distance("fomat", "format") == 1)
    #expect(distance("fromat", "format") == 1)
    #expect(distance("kitten", "sitting") == 3)
  }

  @Test func `a slip finds its word`() {
    let words = Option.all.map(\.long)
    #expect(nearest(to: "--fomat", in: words) == "--format")
    #expect(nearest(to: "--ouptut", in: words) == "--output")
    #expect(nearest(to: "--FORMAT", in: words) == "--format")
    #expect(nearest(to: "--calendar", in: words) == "--calendar-name")
    #expect(nearest(to: "--no-progess", in: words) == "--no-progress")
  }

  @Test func `what is far from everything finds nothing`() {
    #expect(nearest(to: "--xyzzy", in: Option.all.map(\.long)) == nil)
    #expect(nearest(to: "x", in: ["csv", "ics"]) == nil)
    #expect(nearest(to: "", in: ["a"]) == nil)
    #expect(nearest(to: "a", in: []) == nil)
  }
}
