import Foundation
import Testing

@testable import Sluice
@testable import SluiceSync

@Suite struct InputIdentityTests {
  private func key(_ url: String) -> String { InputIdentity(.url(url)).key }

  @Test func `inputs are told apart, and shown without passwords`() {
    #expect(InputIdentity(.url("https://u:p@h/")).shown == "https://***@h/")
    #expect(InputIdentity(.file("/a")) == InputIdentity(.file("/a")))
    #expect(InputIdentity(.file("a")).shown.hasSuffix("/a"))
    #expect(InputIdentity(.file("a")).shown.hasPrefix("/"))
    #expect(InputIdentity(.standardInput).shown == "-")
    let url = "https://h.example/list?id=4"
    for other in [
      "http://h.example/list?id=4", "https://i.example/list?id=4", "https://h.example/list?id=5",
      "https://h.example/List?id=4", "https://h.example:8443/list?id=4", "https://h.example/list",
      "https://h.example/list?id=4&keyword=a", "https://h.example/list?id=4&author=b",
      "https://h.example/list?id=4&design=c", "https://h.example/a/list?id=4",
    ] {
      #expect(key(other) != key(url), "\(other)")
    }
  }

  @Test func `what does not matter in a URL does not change its input`() {
    let url = "https://h.example/list?id=4"
    for other in [
      "HTTPS://H.Example/list?id=4", "https://h.example:443/list?id=4", url + "#top",
      "https://u:p@h.example/list?id=4", "https://h.example/list/?id=4",
      "https://h.example//x/.././list?id=4", url + "&token=1", url + "&api_key=2",
      url + "&accessToken=3", url + "&jsessionid=4", url + "&X-Amz-Signature=5",
      "https://h.example/list?password=6&id=4", "https://h.example/list?auth&id=4&",
    ] {
      #expect(key(other) == key(url), "\(other)")
    }
    #expect(key("https://h") == key("https://h/"))
    #expect(key("https://h?") == key("https://h/"))
  }

  @Test func `the value of a variable and the spelling of a mirror do not change requests`() throws
  {
    func feed(_ parameters: String) throws -> Feed {
      let document = """
        feed: waste
        url: https://h.example/v1
        parameters: {\(parameters)}
        pages: {by: page, parameter: page}
        rows: "[]"
        columns: {a: a}
        """
      return try Feed(yaml: document)
    }
    func key(_ parameters: String, _ mirror: String?) throws -> String {
      let input = RequestInput(state: "s", mirror: mirror)
      return InputIdentity(.requests(input), of: try feed(parameters)).key
    }
    let usual = try key("code: $ONE, lang: ru", nil)
    #expect(try key("code: $TWO, lang: ru", nil) == usual)
    #expect(try key("code: $ONE, lang: en", nil) != usual)
    #expect(try key("code: fixed, lang: ru", nil) != usual)
    let mirror = try key("code: $ONE, lang: ru", "http://m.example")
    #expect(mirror != usual)
    #expect(try key("code: $ONE, lang: ru", "http://me:you@M.example:80/") == mirror)
  }

  @Test func `a state of version 0_1 moves to the new name of its input`() throws {
    for (typed, recorded, isSame) in [
      ("https://u:p@h.example/list?id=4&token=new", "https://h.example/list?id=4&token=old", true),
      ("https://h.example/list?id=4", "https://H.EXAMPLE//list?id=4", true),
      ("https://h.example/list?id=4", "https://h.example/list?id=5", false),
    ] {
      let scratch = try ScratchFolder()
      let folder = FeedFolder(of: "hot-water", in: scratch("state"))
      try folder.make()
      let old = InputIdentity(.url(recorded))
      let input = InputIdentity(.url(typed))
      var record = SyncRecord(feed: "hot-water", input: recorded, ran: 7)
      record.copy = SyncRecord.Copy(taken: 5, confirmed: 6)
      try folder.write(record, of: old.keyed(old.earlierKey))
      let key = old.earlierKey
      try scratch.makeFolder("state/hot-water/\(key).events")
      scratch.make("state/hot-water/\(key).events/\(Ledger.name)", "events")
      scratch.make("state/hot-water/\(key).a", "copy")
      let before = try folder.found(input)
      #expect(before.key == (isSame ? key : input.key), "\(typed)")
      let settled = try folder.settled(input)
      #expect(settled == input)
      #expect(try folder.read(settled)?.copy == (isSame ? record.copy : nil), "\(typed)")
      let names = try FeedFolder.names(in: folder.path).sorted()
      let wanted = [".a", ".events", ".json"].map { (isSame ? input.key : key) + $0 }
      #expect(names == wanted, "\(typed)")
      #expect(try folder.settled(input) == input)
    }
  }

  @Test func `a move that was interrupted goes on, and no ledger is put over another`() throws {
    let scratch = try ScratchFolder()
    let folder = FeedFolder(of: "hot-water", in: scratch("state"))
    try folder.make()
    let input = InputIdentity(.url("https://h.example/list?id=4&token=1"))
    let old = input.keyed(input.earlierKey)
    try folder.write(SyncRecord(feed: "hot-water", input: "https://h.example/list?id=4"), of: old)
    // The ledger has moved already.
    try scratch.makeFolder("state/hot-water/\(input.key).events")
    scratch.make("state/hot-water/\(input.key).events/\(Ledger.name)", "events")
    #expect(try folder.settled(input) == input)
    #expect(try folder.read(input) != nil)
    // Somebody has put the record away. The old spelling still has a ledger of its own.
    unlink(folder.record(of: input))
    try folder.write(SyncRecord(feed: "hot-water", input: "https://h.example/list?id=4"), of: old)
    try scratch.makeFolder("state/hot-water/\(old.key).events")
    scratch.make("state/hot-water/\(old.key).events/\(Ledger.name)", "others")
    #expect(try folder.settled(input) == input)
    #expect(try folder.read(input) == nil)
    #expect(try folder.read(old) != nil)
  }
}
