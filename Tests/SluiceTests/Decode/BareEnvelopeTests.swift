import Testing

@testable import Sluice

/// Envelopes without a status or without a list.
@Suite struct BareEnvelopeTests {
  private func read(_ envelope: Envelope, _ answer: String) -> Outcome {
    ChunkCutter.everyCut(Array(answer.utf8)) {
      Tokenizer(
        into: EnvelopeReader(envelope, into: $0, counters: Counters()), as: .envelope,
        counters: Counters())
    }
  }

  private func fault(_ fault: EnvelopeFault, at offset: Int? = nil) -> PipelineError {
    PipelineError(.envelope(fault), at: offset)
  }

  @Test func `a payload in no list`() {
    let envelope = Envelope(status: nil, match: nil, payload: ["data", "file"], version: nil)
    #expect(read(envelope, #"{"x":1,"data":{"y":[],"file":"UEsD"},"file":"no"}"#).text == "UEsD")
    #expect(
      read(envelope, #"{"data":{"y":1}}"#).error
        == fault(.missing(field: "file", keys: ["y"]), at: 14))
    #expect(read(envelope, #"{"y":1}"#).error == fault(.missing(field: "data", keys: ["y"])))
    #expect(read(envelope, #"{"data":{"file":1}}"#).error != nil)
    #expect(read(envelope, #"{"data":{"file":"a","file":"b"}}"#).error != nil)
  }

  @Test func `a payload at the top`() {
    let envelope = Envelope(status: nil, match: nil, payload: ["file"], version: nil)
    #expect(read(envelope, #"{"a":{"file":"no"},"file":"UEsD"}"#).text == "UEsD")
    #expect(
      read(envelope, #"{"a":1}"#).error == fault(.missing(field: "file", keys: ["a"]), at: 6))
  }

  @Test func `a status without a list, a list without a status`() {
    let status = Envelope(
      status: Envelope.Test(path: ["ok"], value: "yes"), match: nil, payload: ["file"],
      version: nil)
    #expect(read(status, #"{"file":"UEsD","ok":"yes"}"#).text == "UEsD")
    #expect(
      read(status, #"{"ok":"no","file":"UEsD"}"#).error
        == PipelineError(.source(.refused(status: "no")), at: 6))
    let list = Envelope(
      status: nil, match: Envelope.Test(path: ["l", .each, "id"], value: "2"),
      payload: ["l", .each, "f"], version: nil)
    #expect(read(list, #"{"l":[{"f":"no","id":1},{"f":"UEsD","id":2}]}"#).text == "UEsD")
  }
}
