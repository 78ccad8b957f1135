import Foundation
import Testing

extension EndToEnd {
  /// JSON that is none, that is too much, or that is not the feed's.
  @Suite struct BrokenJSONTests {
    /// A broken text and how it is refused.
    struct Case: CustomTestStringConvertible, Sendable {
      let text: [UInt8]
      let offset: Int
      var stage = "json"
      var says: [String] = []
      var name: String?

      var testDescription: String { name ?? String(decoding: text.prefix(60), as: UTF8.self) }

      init(_ text: String, at offset: Int, says: [String] = []) {
        self.init(Array(text.utf8), at: offset, says: says)
      }

      init(
        _ text: [UInt8], at offset: Int, stage: String = "json", says: [String] = [],
        name: String? = nil
      ) {
        (self.text, self.offset, self.stage) = (text, offset, stage)
        (self.says, self.name) = (says, name)
      }
    }

    @Test(arguments: grammar + bytes + limits)
    func `a broken text is refused by its fault and place`(_ broken: Case) throws {
      let old = try OldOutputs(in: try Scratch())
      let run = try BuiltProgram.run(["convert", "-"] + old.options, reading: .bytes(broken.text))
      run.expectFailure(65, "\(broken.stage): byte \(broken.offset): ")
      for text in broken.says {
        #expect(run.errors.contains(text), "\(run.errors) does not say \(text)")
      }
      old.expectUntouched()
      // Packed, the same place is told, in the JSON and not in the archive.
      guard broken.text.count < 60_000 else { return }
      let archive = Archive("") { $0.content = broken.text }.bytes
      let packed = try BuiltProgram.run(["convert", "-"] + old.options, reading: .bytes(archive))
      #expect(packed.errors == run.errors && packed.code == 65)
    }

    private static let grammar: [Case] = [
      Case("[", at: 1), Case("[1,]", at: 3), Case("[,1]", at: 1), Case("[1 2]", at: 3),
      Case("[}", at: 1), Case("[NaN]", at: 1), Case("[Infinity]", at: 1), Case("[nul]", at: 1),
      Case("[True]", at: 1), Case("[01]", at: 2), Case("[+1]", at: 1), Case("[.5]", at: 1),
      Case("[1.]", at: 3), Case("[1e]", at: 3), Case("[-]", at: 2), Case("[0x1]", at: 2),
      Case("['a']", at: 1), Case("[{a:1}]", at: 2), Case("[{\"a\" 1}]", at: 6),
      Case("[{\"a\":1,}]", at: 8), Case("[{\"a\":}]", at: 6), Case("[\"a]", at: 4),
      Case("[] []", at: 3), Case("[]x", at: 2), Case("[]\u{0}", at: 2), Case("[/*x*/]", at: 1),
      Case("[123true]", at: 4), Case("[\"\\x\"]", at: 3), Case("[\"\\u12G4\"]", at: 6),
      Case("[\"\t\"]", at: 2), Case("[\"\u{1B}[31m\"]", at: 2), Case("[\"a\nb\"]", at: 3),
      Case("[\"\\ud800\"]", at: 2), Case("[\"\\udc00\"]", at: 2),
      Case("[\"\\ud800\\u0041\"]", at: 2),
      Case("[\u{FEFF}]", at: 1), Case("[\u{A0}]", at: 1),
    ]

    private static func quoted(_ bytes: UInt8...) -> [UInt8] {
      Array("[\"a".utf8) + bytes + Array("\"]".utf8)
    }

    private static let bytes: [Case] = [
      Case(quoted(0xC0, 0x80), at: 3, name: "an overlong NUL"),
      Case(quoted(0xC1, 0xBF), at: 3, name: "an overlong letter"),
      Case(quoted(0xE0, 0x80, 0x80), at: 3, name: "overlong in three bytes"),
      Case(quoted(0xED, 0xA0, 0x80), at: 3, name: "a surrogate"),
      Case(quoted(0xF4, 0x90, 0x80, 0x80), at: 3, name: "above U+10FFFF"),
      Case(quoted(0xFF), at: 3, name: "no UTF-8 byte"),
      Case(quoted(0x80), at: 3, name: "a continuation alone"),
      Case(quoted(0xD0), at: 3, name: "a cut letter"),
      Case(quoted(0x00), at: 3, name: "NUL"),
      Case([0x5B, 0x5D, 0xFF], at: 2, name: "trailing bytes"),
    ]

    private static func text(_ parts: String...) -> [UInt8] { Array(parts.joined().utf8) }

    private static let limits: [Case] = [
      Case(
        text("[{\"x\":", String(repeating: "[", count: 600)), at: 6 + 510, says: ["512"],
        name: "depth above 512"),
      Case(
        text("[{\"x\":", String(repeating: "{\"a\":", count: 600)), at: 6 + 510 * 5, says: ["512"],
        name: "depth above 512, objects"),
      Case(
        text("[{\"", String(repeating: "k", count: 65_537), "\":1}]"), at: 2, says: ["64 KiB"],
        name: "a key above 64 KiB"),
      Case(
        text("[{\"x\":1", String(repeating: "0", count: 1000), "}]"), at: 6, says: ["1000"],
        name: "a number above 1,000 characters"),
      Case(
        text("[{\"x\":\"", String(repeating: "s", count: 16 << 20 + 1), "\"}]"), at: 6,
        says: ["16 MiB"], name: "a string above 16 MiB"),
      Case(
        text(
          "[{\"x\":[0",
          String(repeating: ",\"" + String(repeating: "s", count: 1 << 20) + "\"", count: 33),
          "]}]"), at: 1, stage: "normalize", says: ["32 MiB"], name: "a record above 32 MiB"),
    ]

    @Test func `a byte order mark is fine, also when it comes in pieces`() throws {
      let json = "\u{FEFF}" + SmallFeed.list([SmallFeed.record()])
      let run = try BuiltProgram.run(["convert", "-"], reading: .bytes(Array(json.utf8)))
      #expect(run.code == 0 && run.output.split(separator: "\n").count == 2)
      let folder = try Scratch()
      try folder.write("feed", json)
      let slow = try BuiltProgram.shell(
        "{ head -c1 feed; sleep .1; tail -c+2 feed | head -c1; sleep .1; tail -c+3 feed; } "
          + "| sluice convert -", in: folder.path)
      #expect(slow.bytes == run.bytes && slow.code == 0)
    }

    @Test func `UTF-16 is named`() throws {
      for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16] {
        let data = try #require("[{}]".data(using: encoding))
        let run = try BuiltProgram.run(["convert", "-"], reading: .bytes(Array(data)))
        #expect(run.code == 65)
        run.expectOneLine("sluice: error: ")
      }
    }

    @Test func `limits that are kept are fine`() throws {
      let more =
        ",\"x\":" + String(repeating: "[", count: 510) + String(repeating: "]", count: 510)
        + ",\"" + String(repeating: "k", count: 65_536) + "\":1,\"y\":"
        + String(repeating: "9", count: 1000) + ",\"z\":\""
        + String(repeating: "s", count: 16 << 20)
        + "\",\"e\":1e400,\"f\":" + String(repeating: "9", count: 30)
      let json = SmallFeed.list([SmallFeed.record(more: more), SmallFeed.record()])
      let run = try BuiltProgram.run(["convert", "-"], reading: .bytes(Array(json.utf8)))
      #expect(run.errors == "" && run.code == 0)
      #expect(run.output.split(separator: "\n").count == 3)
    }

    @Test(arguments: ["0.1", "1e400", "123456789012345678901234567890", "-0.0", "1E+2", "56.1770"])
    func `numbers are kept as written`(number: String) throws {
      let json =
        "{\"activities\":[{\"isin\":\"A\",\"items\":[{\"date\":\"2018-09-01T13:00:00+0300\","
        + "\"price\":\(number)}]}]}"
      let run = try BuiltProgram.run(
        ["convert", "-", "--feed", "bonds", "--format", "ndjson"], reading: .bytes(Array(json.utf8))
      )
      #expect(run.output.hasSuffix("\"price\":\(number)}\n"))
      let house = SmallFeed.list([SmallFeed.record(house: number)])
      let text = try BuiltProgram.run(
        ["convert", "-", "--format", "ndjson"], reading: .bytes(Array(house.utf8)))
      #expect(text.output.contains("\"house\":\"\(number)\","))
    }

    @Test func `a feed without records is empty, one of other records lists their keys`() throws {
      let header = "locality,street,house,building,letter,start_date,end_date,address_id\n"
      let none = try BuiltProgram.run(["convert", "-"], reading: .bytes(Array("[]".utf8)))
      #expect(none.output == header && none.errors == "" && none.code == 0)
      let old = try OldOutputs(in: try Scratch())
      let others = try BuiltProgram.run(
        ["convert", "-"] + old.options,
        reading: .bytes(Array("[{\"id\":1,\"na\\u001bme\":2}]".utf8)))
      others.expectFailure(65, "normalize: ")
      #expect(others.errors.contains("id") && others.errors.contains("na\\u001bme"))
      let object = try BuiltProgram.run(
        ["convert", "-", "--feed", "bonds"] + old.options.prefix(4),
        reading: .bytes(Array("{\"x\":[]}".utf8)))
      object.expectFailure(65, "normalize: ")
      #expect(object.errors.contains("activities") && object.errors.contains("x"))
      old.expectUntouched()
    }

    @Test func `a value around rows may stand after them`() throws {
      let late =
        "{\"activities\":[{\"items\":[{\"date\":\"2018-09-01T13:00:00+0300\",\"price\":1}],\"isin\":\"A\"}]}"
      let after = try BuiltProgram.run(
        ["convert", "-", "--feed", "bonds"], reading: .bytes(Array(late.utf8)))
      #expect(after.code == 0 && after.errors == "")
      #expect(after.output.hasSuffix("\nA,,,2018-09-01T13:00:00+03:00,1\n"))
    }

    @Test func `a key of the feed twice in a record rejects that record`() throws {
      let json = SmallFeed.list([
        SmallFeed.record(), SmallFeed.record(more: ",\"№ дома\":\"16\""),
        SmallFeed.record(house: "3", more: ",\"x\":1,\"x\":2"),
      ])
      let folder = try Scratch()
      let run = try BuiltProgram.run(
        ["convert", "-", "--rejects", folder("r"), "--max-rejects", "1"],
        reading: .bytes(Array(json.utf8)))
      #expect(run.code == 3)
      #expect(run.output.split(separator: "\n").count == 3)
      let reject = folder.text("r")
      #expect(reject.hasPrefix("{\"record\":2,\"offset\":"))
      #expect(reject.contains("\"field\":\"№ дома\"") && reject.contains("duplicate-key"))
    }
  }
}
