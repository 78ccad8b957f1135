import Testing

@testable import Sluice

/// What is told of large records: their first 64 KiB, never half a character.
@Suite(.slow) struct RejectSizeTests {
  private let limit = 64 << 10

  /// The record that is refused, which must be told the same when it is cut.
  private func reject(_ record: String) throws -> Reject {
    let json = "[\(record)]"
    let whole = FeedRun()(json)
    #expect(FeedRun()(json, cut: .pieces(1000)).isSame(as: whole))
    #expect(FeedRun()(json, cut: .split(min(limit, json.utf8.count - 3))).isSame(as: whole))
    return try #require(whole.rejects.first)
  }

  private func record(house json: String, _ more: String = "") -> String {
    #"{"Адрес жилого здания":"А","№ дома":\#(json)\#(more),"Период отключения ГВС":"летом"}"#
  }

  private func isPrefix(_ cut: [UInt8], of text: String) -> Bool {
    text.utf8.starts(with: cut) && String(validating: cut, as: UTF8.self) != nil
  }

  @Test(arguments: -6...6)
  func `the raw text of a record about as long as the limit`(_ more: Int) throws {
    let frame = record(house: "\"\"").utf8.count
    for character in ["a", "я", "‱", "🏠"] {
      let width = character.utf8.count
      let length = (limit - frame + more) / width
      let record = record(house: "\"\(String(repeating: character, count: length))\"")
      let reject = try reject(record)
      let size = record.utf8.count
      #expect(size <= limit ? reject.raw.count == size : (limit - 3...limit) ~= reject.raw.count)
      #expect(isPrefix(reject.raw, of: record))
    }
  }

  @Test(arguments: ["a", "я", "a‱", "aa🏠"])
  func `the raw text is cut on a character's boundary`(_ character: String) throws {
    let record = record(house: "\"\(String(repeating: character, count: limit))\"")
    let reject = try reject(record)
    #expect((limit - 3...limit) ~= reject.raw.count)
    #expect(isPrefix(reject.raw, of: record))
  }

  @Test(arguments: ["я", "aя", "‱", "a‱", "aa‱", "🏠", "a🏠", "aa🏠", "aaa🏠"])
  func `a value is cut on a character's boundary`(_ character: String) throws {
    let text = character + String(repeating: String(character.last ?? "я"), count: limit)
    let twice = try reject(record(house: "\"1\",\"№ дома\":\"\(text)\""))
    #expect(twice.reason == .duplicateKey)
    #expect(isPrefix(try #require(twice.value), of: text))
    #expect((limit - 3...limit) ~= twice.value?.count ?? 0)
    let period = try reject(#"{"Адрес жилого здания":"А","Период отключения ГВС":"\#(text)"}"#)
    #expect(period.reason == .notAPeriod)
    #expect(isPrefix(try #require(period.value), of: text))
    let container = try reject(record(house: "[\"\(text)\"]"))
    #expect(container.reason == .wrongKind)
    #expect(isPrefix(try #require(container.value), of: "[\"\(text)\"]"))
  }

  @Test func `a value that lies behind the limit is not told`() throws {
    let padding = String(repeating: "a", count: limit)
    let reject = try reject(#"{"x":"\#(padding)","№ дома":[1]}"#)
    #expect(reject.reason == .wrongKind)
    #expect(reject.value == nil)
  }

  @Test(arguments: ["я", "a🏠"])
  func `a text in the place of a record is cut as well`(_ character: String) throws {
    let text = "\"\(String(repeating: character, count: limit))\""
    let reject = try reject(text)
    #expect(reject.reason == .notAnObject)
    #expect(isPrefix(reject.raw, of: text))
    #expect((limit - 3...limit) ~= reject.raw.count)
  }

  @Test func `a record above 32 MiB is an error that names the limit`() {
    let piece = Array((#","x":""# + String(repeating: "a", count: 15 << 20) + "\"").utf8)
    let head = Array("[\(house()),{\"y\":0".utf8)
    let fine = head + piece + piece + Array("}]".utf8)
    let result = FeedRun()(fine)
    #expect(result.error == nil)
    #expect(result.rejects.map(\.reason) == [.missingValue])
    let long = FeedRun()(head + piece + piece + piece + Array("}]".utf8))
    #expect(
      long.error
        == PipelineError(
          .normalize(.recordTooLong(limit: 32 << 20)), at: 2 + house().utf8.count, record: 2))
  }

  @Test(arguments: [-1, 0, 1])
  func `the limit of a record is exact`(_ more: Int) {
    let limit = 32 << 20
    let head = Array((#"[{"№ дома":"1","x":["# + "\"").utf8)
    let string = Array(repeating: UInt8(ascii: "a"), count: 15 << 20)
    let tail = Array("\"]}]".utf8)
    let middle = Array("\",\"".utf8)
    let size = head.count + 2 * string.count + 2 * middle.count + tail.count - 2
    let rest = Array(repeating: UInt8(ascii: "b"), count: limit + more - size)
    let json = head + string + middle + string + middle + rest + tail
    let result = FeedRun()(json)
    let error = PipelineError(.normalize(.recordTooLong(limit: limit)), at: 1, record: 1)
    #expect(result.error == (more > 0 ? error : nil))
  }
}
