import Testing

@testable import Sluice

@Suite struct EntityTagTests {
  @Test(arguments: [
    "\"\"", "\"x\"", "W/\"x\"", "\"33a64df5\"", "\"a,b\"", "\"ё\"", "\"\\\"", "\"it's\"",
  ])
  func `an entity-tag is sent back`(tag: String) {
    #expect(HTTPValidators(entityTag: tag).headers == ["If-None-Match: \(tag)"])
  }

  @Test(arguments: [
    "*", "", "x", "\"", "W/", "w/\"x\"", "W/ \"x\"", "\"x\", \"y\"", "\"a b\"", "\"a\"b\"",
    "\"\u{7F}\"", "\"x\u{1}\"", "x\"", "W/*", "\"" + String(repeating: "x", count: 60_000) + "\"",
  ])
  func `anything else is dropped: a star would match whatever the server has`(tag: String) {
    #expect(HTTPValidators(entityTag: tag).headers == [])
  }
}
