import Testing

@testable import Sluice
@testable import SluiceSync

/// Which documents a ledger takes for the one it belongs to.
@Suite struct LedgerOriginTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let document = """
    feed: own
    rows: d[]
    columns:
      street: s
      house: h
      off: {kind: day, required: true}
    key: [street, house]
    event: {summary: "{street}", start: off}
    """

  private func differences(_ old: String, _ new: String) throws -> [String] {
    let (old, new) = (try OwnFeed.read(old), try OwnFeed.read(new))
    return LedgerOrigin(new).differences(from: LedgerOrigin(old).text)
  }

  @Test(arguments: [
    (
      "key: [street, house]", "key: [street]",
      ["key: [street, house] → [street]", "house: d[].h (text) → -"]
    ),
    ("key: [street, house]", "key: [house, street]", ["key: [street, house] → [house, street]"]),
    ("house: h", "house: number", ["house: d[].h (text) → d[].number (text)"]),
    ("house: h", "house: {from: h, kind: verbatim}", ["house: d[].h (text) → d[].h (verbatim)"]),
    (
      "{kind: day,", "{from: until, kind: day,",
      ["off: d[].off (day) → d[].until (day)"]
    ),
    ("{street}", "{street}, {house}", []), ("feed: own", "feed: own\nlanguage: en", []),
  ])
  func `what makes addresses and events is told, wording is not`(
    _ old: String, _ new: String, _ expected: [String]
  ) throws {
    #expect(try differences(Self.document, Self.document.replacing(old, with: new)) == expected)
  }

  @Test
  func `a ledger that keeps no document adopts it, another one is told until it is committed`()
    throws
  {
    let feed = try OwnFeed.read(Self.document)
    let other = try OwnFeed.read(Self.document.replacing("[street, house]", with: "[street]"))
    let path = folder(Ledger.name)
    func open(_ feed: Feed, commits: Bool = false) throws -> [String] {
      let run = try Ledger(folder: folder.path, feed: feed).begin()
      let differences = run.differences
      try run.stage().finish()
      _ = try run.reconcile(today: Day(number: 0), stamp: 0)
      try run.prepare()
      if commits { try run.commit() }
      return differences
    }
    #expect(try open(feed, commits: true).isEmpty)
    try SQLiteDatabase(path: path).run(
      "DROP TABLE seal; ALTER TABLE origin DROP COLUMN document; PRAGMA user_version = 1")
    #expect(try open(other).isEmpty)
    #expect(try open(feed, commits: true).isEmpty)
    #expect(try open(other).count == 2)
    #expect(try open(other).count == 2)
    #expect(try open(feed).isEmpty)
    #expect(try open(other, commits: true).count == 2)
    #expect(try open(other).isEmpty)
  }
}
