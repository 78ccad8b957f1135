import Foundation
import Testing

@testable import Sluice
@testable import SluiceSync

/// Answers become one document, and the feed is read as it has them.
@Suite struct JoinedDocumentTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func answer(_ name: String, _ text: String, answered: Int = 0) throws -> KeptAnswer {
    let writer = try AnswerWriter(folder(name), nil, status: nil)
    return try keep(writer, text, answered)
  }

  private func keep(
    _ writer: consuming AnswerWriter, _ text: String, _ answered: Int
  ) throws(PipelineError) -> KeptAnswer {
    var writer = writer
    try writer.write(Array(text.utf8).span.bytes)
    return try writer.end(KeptAnswer.Facts(answered: answered, next: "https://h/?a=\"b\""))
  }

  private func text(
    _ parts: [JoinedDocument.Part], _ members: Set<String> = []
  ) throws -> String {
    var body = BodyCollector()
    try JoinedDocument(parts: parts).push(
      into: &body, members: members, counters: Counters(), date: ContentDate())
    return String(decoding: body.bytes, as: UTF8.self)
  }

  @Test func `wholes, members and elements`() throws {
    let (one, two) = (try answer("1", "\u{FEFF}[1]\n"), try answer("2", "{\"a\": [\"\u{20AC}\"]}"))
    typealias Part = JoinedDocument.Part
    #expect(try text([Part(role: .whole, answer: two)]) == "{\"a\": [\"€\"]}")
    #expect(
      try text([
        Part(role: .member("p\"q"), answer: one), Part(role: .member("u"), answer: two),
      ]) == "{\"p\\\"q\":[1]\n,\"u\":{\"a\": [\"€\"]}}")
    let elements = [
      Part(role: .element(["page": .number(1), "city": .text("Минск")]), answer: one),
      Part(role: .element(["page": .number(2)]), answer: two),
    ]
    #expect(
      try text(elements)
        == #"[{"request":{},"answer":[1]"# + "\n" + #"},{"request":{},"answer":{"a": ["€"]}}]"#)
    #expect(
      try text(elements, ["page", "answered", "city"]).hasPrefix(
        #"[{"request":{"answered":"1970-01-01T00:00:00Z","city":"Минск","page":1},"answer":[1]"#))
    #expect(try text([]) == "[]")
  }

  @Test func `what is written behind an answer is read again`() throws {
    let kept = try answer("page-1", "[1,\n2]\n", answered: 1_600_000_000)
    let store = AnswerStore(path: folder.path)
    #expect(store.answer("page-1") == kept)
    #expect(kept.facts.answered == 1_600_000_000 && kept.facts.next == "https://h/?a=\"b\"")
    #expect(store.answer("page-2") == nil)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: kept.path)))
    // Cut anywhere, or with another byte anywhere, it is no answer.
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      for other in [Array(bytes[..<index]), damaged] {
        try Data(other).write(to: URL(fileURLWithPath: kept.path))
        let found = store.answer("page-1")
        #expect(found == nil || found?.fingerprint == kept.fingerprint, "\(index)")
      }
    }
    try store.removeAll()
    #expect(try store.names() == [])
  }

  @Test func `a feed's paths are led into the answers, and out again`() throws {
    let feed = try OwnFeed.read(
      """
      feed: a
      url: https://h/
      pages: {by: page, parameter: p}
      rows: list[].days[]
      columns:
        city: list[].city
        name: $.name
        page: {from: $request.page, kind: integer}
        t: main.t
      """)
    let joined = feed.joined
    #expect(
      joined.fields.map(\.path.description) == [
        "[].answer.list[].city", "[].answer.name", "[].request.page",
        "[].answer.list[].days[].main.t",
      ])
    #expect(joined.rows.description == "[].answer.list[].days[]")
    #expect(joined.joined == joined)
    #expect(joined.requestMembers == ["page"])
    let inside = try #require(joined.inside(Joined.answerSteps))
    #expect(
      inside.rows == feed.rows && inside.fields.map(\.columns) == [["city"], ["name"], ["t"]])
    #expect(joined.inside([.key("x")]) == nil)
  }

  @Test func `an answer is checked by its status field before it is kept`() throws {
    func fault(_ text: String) throws -> Fault? {
      do throws(PipelineError) {
        let test = Envelope.Test(path: ["meta", "cod"], value: "200")
        _ = try keep(try AnswerWriter(folder("s"), nil, status: test), text, 0)
        return nil
      } catch {
        return error.fault
      }
    }
    #expect(try fault(#"{"meta":{"cod":"200"}}"#) == nil)
    #expect(try fault(#"{"x":[1],"meta":{"cod":200}}"#) == nil)
    #expect(try fault(#"{"meta":{"cod":"404"},"x":1}"#) == .source(.refused(status: "404")))
    #expect(try fault(#"{"meta":{"cod":null}}"#) == .source(.refused(status: "")))
    #expect(
      try fault(#"{"meta":{"code":1}}"#) == .normalize(.missing(path: "meta.cod", keys: ["code"])))
    #expect(try fault(#"{"meta":{"cod":200}} x"#) == .json(.trailing(UInt8(ascii: "x"))))
    #expect(try fault("PK\u{3}\u{4}") == .source(.notJSON(.zip)))
    #expect(
      try fault("<html>") == .source(.unknownForm(looksLike: "HTML", start: Array("<html>".utf8))))
    #expect(try fault("") == .source(.empty))
    #expect(try AnswerStore(path: folder.path).names() == ["s"])
  }
}
