import Foundation
import Testing

extension EndToEnd {
  /// The same input and options give the same bytes, whenever and wherever they run.
  @Suite struct DeterminismTests {
    private static let names = ["a.csv", "b.ndjson", "c.ics", "r.ndjson"]

    private func outputs(
      of input: String, _ options: [String] = [], environment: [String: String] = [:]
    ) throws -> [Bytes?] {
      let folder = try Scratch()
      let run = try BuiltProgram.run(
        ["convert", input, "--allow-rejects", "--rejects", folder("r.ndjson")] + options
          + Self.names.dropLast().flatMap { ["-o", folder($0)] }, environment: environment)
      #expect(run.code == 0)
      return Self.names.map { folder.bytes($0) }
    }

    @Test(arguments: [
      [:], ["TZ": "Pacific/Kiritimati"], ["TZ": "America/St_Johns"], ["LC_ALL": "ru_RU.UTF-8"],
      ["LC_ALL": "tr_TR.UTF-8"], ["LC_ALL": "C"],
      ["LANG": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"],
    ])
    func `neither zone nor locale shows`(environment: [String: String]) throws {
      let first = try outputs(of: Samples.hotWater)
      #expect(first.allSatisfy { ($0?.count ?? 0) > 100 })
      #expect(try outputs(of: Samples.hotWater, environment: environment) == first)
    }

    @Test func `neither form nor name nor age of the input shows where the archive has a time`()
      throws
    {
      let folder = try Scratch()
      let first = try outputs(of: Samples.hotWater)
      #expect(first.allSatisfy { ($0?.count ?? 0) > 100 })
      let data = try Data(contentsOf: URL(fileURLWithPath: Samples.hotWater))
      try folder.write("strange name.zip", data)
      folder.setTime("strange name.zip", 12_345)
      #expect(try outputs(of: folder("strange name.zip")) == first)
      // Taken out of its envelope by somebody else.
      let script = """
        import base64, json, sys
        answer = json.load(open(sys.argv[1], 'rb'))
        text = [c['file'] for c in answer['responseData']['classifiers'] if c['classifierId'] == 4][0]
        open('text', 'w').write(text)
        open('zip', 'wb').write(base64.b64decode(text))
        """
      let made = try BuiltProgram.tool(
        ["python3", "-c", script, Samples.hotWater], in: folder.path)
      #expect(made.errors == "")
      #expect(try outputs(of: folder("text")) == first)
      #expect(try outputs(of: folder("zip")) == first)
    }

    @Test func `plain JSON is stamped with its file's time, or with SOURCE_DATE_EPOCH`() throws {
      let folder = try Scratch()
      let input = try folder.write("feed.json", SmallFeed.list([SmallFeed.record()]))
      func stamp(_ words: [String] = [], _ environment: [String: String] = [:]) throws -> String? {
        let run = try BuiltProgram.run(
          ["convert", input, "--format", "ics"] + words, environment: environment)
        return run.output.split(separator: "\r\n").first { $0.hasPrefix("DTSTAMP") }.map(
          String.init)
      }
      folder.setTime("feed.json", 1_593_108_790)
      #expect(try stamp() == "DTSTAMP:20200625T181310Z")
      folder.setTime("feed.json", 86_400)
      #expect(try stamp() == "DTSTAMP:19700102T000000Z")
      #expect(try stamp([], ["SOURCE_DATE_EPOCH": "1593108790"]) == "DTSTAMP:20200625T181310Z")
      #expect(try stamp([], ["SOURCE_DATE_EPOCH": ""]) == "DTSTAMP:19700102T000000Z")
      // A pipe has no time.
      let piped = try BuiltProgram.shell("cat '\(input)' | sluice convert - --format ics")
      #expect(piped.output.contains("\r\nDTSTAMP:19700101T000000Z\r\n"))
      let bad = try BuiltProgram.run(
        ["convert", input], environment: ["SOURCE_DATE_EPOCH": "today"])
      bad.expectFailure(64, "SOURCE_DATE_EPOCH")
    }

    @Test func `equal bytes leave the file and its time alone`() throws {
      let folder = try Scratch()
      let words =
        ["convert", Samples.hotWater, "--allow-rejects"]
        + Self.names.dropLast().flatMap { ["-o", folder($0)] } + ["--rejects", folder("r.ndjson")]
      try BuiltProgram.run(words).expectSilence()
      for name in Self.names { folder.setTime(name, 1_000_000_000) }
      let before = Self.names.map { folder.status($0)?.st_ino }
      try BuiltProgram.run(words).expectSilence()
      #expect(Self.names.map { folder.status($0)?.st_ino } == before)
      #expect(Self.names.allSatisfy { folder.status($0)?.st_mtim.tv_sec == 1_000_000_000 })
      #expect(folder.names == Self.names)
      // Only what differs is replaced.
      try BuiltProgram.run(words + ["--calendar-name", "x"]).expectSilence()
      #expect(folder.status("a.csv")?.st_mtim.tv_sec == 1_000_000_000)
      #expect(folder.status("c.ics")?.st_mtim.tv_sec != 1_000_000_000)
    }
  }
}
