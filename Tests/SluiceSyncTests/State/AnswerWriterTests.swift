import Testing

@testable import Sluice
@testable import SluiceSync

/// An answer takes the place of the one before only where it is as good.
@Suite struct AnswerWriterTests {
  private let folder: ScratchFolder
  private let store: AnswerStore
  private let feed: Feed

  init() throws {
    folder = try ScratchFolder()
    store = AnswerStore(path: folder.path)
    feed = try OwnFeed.read(OwnFeed.document("n: {kind: integer, required: true}"))
  }

  @discardableResult
  private func write(
    _ text: String, limit: RejectLimit = .standard, before: Int = 0
  ) throws(PipelineError) -> KeptAnswer {
    var writer = try AnswerWriter(
      store.file("a"), feed, limit: limit, before: before, status: nil)
    try writer.write(Array(text.utf8).span.bytes)
    return try writer.end(KeptAnswer.Facts())
  }

  private func fault(_ body: () throws(PipelineError) -> Void) -> Fault? {
    do throws(PipelineError) {
      try body()
      return nil
    } catch {
      return error.fault
    }
  }

  @Test func `one with more refused records than may be leaves the one before`() throws {
    let good = try write(#"{"d":[{"n":1},{"n":2}]}"#)
    #expect(good.facts.records == 2)
    let bad = #"{"d":[{"n":"x"},{"n":2}]}"#
    let error = fault { () throws(PipelineError) in try write(bad) }
    #expect(error == .normalize(.tooManyRejects(rejected: 1, of: 2, limit: .standard)))
    #expect(store.answer("a") == good)
    #expect(try FeedFolder.names(in: folder.path) == ["a"])
    let allowed = try write(bad, limit: .count(1))
    #expect(store.answer("a") == allowed && allowed != good)
  }

  @Test(arguments: [
    (#"[{"l":[{"n":1},{"n":2}]},{"l":null},{"l":[]},{}]"#, 4, 2), ("[]", 0, 0),
    (#"[{"l":[{"n":1}]},{"l":[{"n":2}]}]"#, 2, 2), (#"[{"l":null},{"l":null}]"#, 2, 0),
    (#"[null,"long",[1],{"l":[{"n":1}]},{"l":{"n":[3]}}]"#, 5, 5),
  ])
  func `elements are counted, whatever rows are in them`(
    list: String, elements: Int, records: Int
  ) throws {
    let nested = try OwnFeed.read(
      OwnFeed.document("n: {kind: integer}").replacing("d[]", with: "d[].l[]"))
    var writer = try AnswerWriter(
      store.file("a"), nested, limit: .count(.max), status: nil)
    try writer.write(Array(#"{"d":\#(list)}"#.utf8).span.bytes)
    let answer = try writer.end(KeptAnswer.Facts())
    #expect(answer.facts.elements == elements && answer.facts.records == records)
    #expect(store.answer("a") == answer)
  }

  @Test func `one without records leaves the one before that has some`() throws {
    let good = try write(#"{"d":[{"n":1}]}"#)
    let error = fault { () throws(PipelineError) in try write(#"{"d":[]}"#, before: 1) }
    #expect(error == .normalize(.emptied(before: 1)))
    #expect(store.answer("a") == good)
    #expect(try FeedFolder.names(in: folder.path) == ["a"])
    let empty = try write(#"{"d":[]}"#)
    #expect(store.answer("a") == empty)
  }
}
