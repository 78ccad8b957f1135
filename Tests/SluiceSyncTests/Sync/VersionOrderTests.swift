import Testing

@testable import Sluice
@testable import SluiceSync

@Suite struct VersionOrderTests {
  @Test(arguments: [
    ("9", "26"), ("26", "27"), ("1.9", "1.10"), ("v2", "v10"), ("2020-06-25", "2020-06-26"),
    ("007", "8"), ("99999999999999999999", "100000000000000000000"), ("1.2.3", "1.3.0"),
  ])
  func `a lower version is lower, the higher one is not`(lower: String, higher: String) {
    #expect(VersionOrder.isLower(lower, than: higher))
    #expect(!VersionOrder.isLower(higher, than: lower))
  }

  @Test(arguments: [
    ("26", "26"), ("026", "26"), ("", ""), ("a", "b"), ("beta", "1"), ("1.9", "2"), ("1", "v2"),
  ])
  func `equal ones and ones that cannot be compared are neither`(a: String, b: String) {
    #expect(!VersionOrder.isLower(a, than: b))
    #expect(!VersionOrder.isLower(b, than: a))
  }
}
