import Foundation
import Testing

@testable import Sluice
@testable import SluiceSync

@Suite struct SyncRecordTests {
  private let input = InputIdentity(.url("https://h/feed?id=4"))

  private func folder(in scratch: ScratchFolder) throws -> FeedFolder {
    let folder = FeedFolder(of: "hot-water", in: scratch("a/b/state"))
    try folder.make()
    return folder
  }

  @Test func `what is written is read again`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(in: scratch)
    #expect(try folder.read(input) == nil)
    var record = SyncRecord(feed: "hot-water", input: "https://h/\"ё\u{1}\\", ran: 7)
    try folder.write(record, of: input)
    #expect(try folder.read(input) == record)
    record.maxAge = 10_800
    record.result = .published
    record.copy = SyncRecord.Copy(
      slot: .b, size: 89_267, source: "1-2-3", payload: "4-5-6", version: "26", taken: 5,
      confirmed: 6, fetched: 4,
      counts: SyncRecord.Counts(
        read: 21, kept: 6, filtered: 5, skipped: 4, rejected: 6, rows: 9),
      lastDay: Day(number: 18_400),
      validators: HTTPValidators(
        entityTag: "W/\"x\"", lastModified: "Thu, 25 Jun 2020 18:13:10 GMT"))
    try folder.write(record, of: input)
    #expect(try folder.read(input) == record)
    #expect(record.quietUntil == 10_806)
    record.publishing = SyncRecord.Pending(
      slot: .a, source: "7-8-9", payload: "10-11-12", today: Day(number: 18_401))
    try folder.write(record, of: input)
    #expect(try folder.read(input) == record)
    record.publishing?.evidence = []
    try folder.write(record, of: input)
    #expect(try folder.read(input) == record)
    record.publishing?.evidence = [
      SyncRecord.Evidence(path: "/srv/a b.ics", content: "1-2-3"),
      SyncRecord.Evidence(path: "/srv/ё\"", content: "4-5-6"),
    ]
    try folder.write(record, of: input)
    #expect(try folder.read(input) == record)
    record.places.note("Садовая 14", [Condition(column: "street", value: "Садовая")])
    record.places.note(
      "пл\"", [Condition(column: "a", value: ""), Condition(column: "b", value: "1")])
    try folder.write(record, of: input)
    #expect(try folder.read(input) == record)
    record.copy = nil
    try folder.write(record, of: input)
    #expect(try folder.read(input) == record)
  }

  @Test func `a file that is no record is told, not overlooked`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(in: scratch)
    for text in [
      "", "{", "[]", "{}", "{\"format\":1}", "{\"format\":2,\"feed\":\"x\",\"input\":\"y\"}",
      "{\"format\":1,\"feed\":\"x\",\"input\":\"y\",\"ran\":1,\"result\":\"published\","
        + "\"copy\":\"a\"}",
      "{\"format\":1,\"feed\":\"x\",\"input\":\"y\",\"ran\":1,\"result\":\"failed\","
        + "\"publishing\":\"1-2\"}",
      "{\"format\":1,\"feed\":\"x\",\"input\":\"y\",\"ran\":1,\"result\":\"failed\","
        + "\"publishing\":\"1-2\",\"publishing_copy\":\"a\",\"publishing_source\":\"3\","
        + "\"publishing_day\":\"2020-07-01\",\"publishing_outputs\":1}",
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.record(of: input)))
      #expect(throws: PipelineError(sync: .badRecord(path: folder.record(of: input)))) {
        try folder.read(input)
      }
    }
  }

  @Test func `numbers that no run writes are damage, and never trap`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(in: scratch)
    var record = SyncRecord(feed: "x", input: "y", ran: 7, result: .published, maxAge: 10_800)
    record.copy = SyncRecord.Copy(taken: 5, confirmed: 6)
    let text = String(decoding: record.encoded.contents, as: UTF8.self)
    let times = ["ran", "max_age", "taken", "confirmed"]
    let counts = ["size", "read", "kept", "filtered", "skipped", "rejected", "rows"]
    let never = ["\(Int.min)", "\(Int.max)", "-1", "1e300", "99999999999999999999", "\"7\"", "1.5"]
    for (keys, numbers) in [(times, never + ["253402300800"]), (counts, never)] {
      for key in keys {
        for number in numbers {
          let changed = text.replacing(
            try Regex("\"\(key)\":[0-9]+"), with: "\"\(key)\":\(number)")
          #expect(changed != text)
          try Data(changed.utf8).write(to: URL(fileURLWithPath: folder.record(of: input)))
          #expect(throws: PipelineError(sync: .badRecord(path: folder.record(of: input)))) {
            _ = try folder.read(input)?.quietUntil
          }
        }
      }
    }
  }

  @Test func `folders are made for their owner alone`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(in: scratch)
    try folder.make()
    for name in ["a", "a/b", "a/b/state", "a/b/state/hot-water"] {
      #expect(scratch.mode(name) == 0o700)
    }
    scratch.make("file", "")
    #expect(throws: PipelineError(sync: .folder(path: scratch("file/x"), errno: ENOTDIR))) {
      try FeedFolder(of: "x", in: scratch("file")).make()
    }
  }

  @Test func `the lock has one holder, who is named`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(in: scratch)
    do {
      let lock = try RunLock(folder)
      withExtendedLifetime(lock) {
        let busy = SyncFault.busy(pid: Int(getpid()), folder: folder.path)
        #expect(throws: PipelineError(sync: busy)) { _ = try RunLock(folder) }
      }
    }
    _ = try RunLock(folder)
  }
}
