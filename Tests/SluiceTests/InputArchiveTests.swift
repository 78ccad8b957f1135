import Glibc
import Testing

@testable import Sluice

/// The entries of an archive are inputs of a run.
@Suite struct InputArchiveTests {
  private let feed: Feed

  init() throws {
    feed = try OwnFeed.read(
      """
      sluice: 2
      feed: visits
      rows: "[]"
      columns:
        name: name
        day: {kind: day, required: true}
        input: {from: $input}
        file: {from: $input.name}
        changed: $input.date
      key: [name]
      event: {calendar: Visits, summary: "{name}", start: day}
      """)
  }

  private static func night(_ names: String...) -> [UInt8] {
    let rows = names.map { #"{"name":"\#($0)","day":"2026-01-05"}"# }
    return Array("[\(rows.joined(separator: ","))]".utf8)
  }

  /// An archive of three nights, a text, a folder, and what macOS adds.
  private static func archive(_ change: (inout ZIPBuilder) -> Void = { _ in }) -> [UInt8] {
    var zip = ZIPBuilder("nights/1.json", night("Anna", "Olof"))
    zip.add("nights/", [])
    zip.add("readme.txt", Array("Nights.".utf8))
    zip.add("__MACOSX/nights/2.json", Array("x".utf8))
    zip.add(Array("nights/2.json".utf8), night("Ebba"), stored: true)
    zip.add("nights/3.json", night("Nils")) { entry in
      entry.local.date = 46 << 9 | 2 << 5 | 1
      entry.central.date = entry.local.date
    }
    change(&zip)
    return zip.build()
  }

  private static let wanted = """
    name,day,input,file,changed
    Anna,2026-01-05,-/nights/1.json,1.json,2020-06-25
    Olof,2026-01-05,-/nights/1.json,1.json,2020-06-25
    Ebba,2026-01-05,-/nights/2.json,2.json,2020-06-25
    Nils,2026-01-05,-/nights/3.json,3.json,2026-02-01

    """

  private func conversion(of archive: [UInt8], _ entry: String = "*.json") -> Conversion {
    var conversion = Conversion(of: .bytes(archive), as: feed)
    conversion.entry = entry
    return conversion
  }

  private func text(_ conversion: Conversion) throws(PipelineError) -> String {
    String(decoding: try conversion.bytes(as: .csv), as: UTF8.self)
  }

  @Test func `all entries that fit a pattern are read in the archive's order`() throws {
    #expect(try text(conversion(of: Self.archive())) == Self.wanted)
    #expect(try text(conversion(of: Self.archive { $0.order = (>) })) == Self.wanted)
    let one = try text(conversion(of: Self.archive(), "*/?.json"))
    #expect(one == Self.wanted)
    #expect(
      try text(conversion(of: Self.archive(), "nights/2*"))
        == "name,day,input,file,changed\nEbba,2026-01-05,-/nights/2.json,2.json,2020-06-25\n")
  }

  @Test func `a file gives the same, and the same with a second thread`() throws {
    let path = "/tmp/\(UInt64.random(in: .min ... .max)).zip"
    defer { unlink(path) }
    let archive = Self.archive()
    let file = try #require(fopen(path, "w"))
    fwrite(archive, 1, archive.count, file)
    fclose(file)
    var conversion = conversion(of: archive)
    conversion.input = .file(path)
    for threshold in [nil, 0] {
      conversion.offload = OffloadRule(threshold: threshold, processors: 1)
      #expect(
        try text(conversion)
          == Self.wanted.split(separator: "-/", omittingEmptySubsequences: false)
          .joined(separator: "\(path)/"))
    }
  }

  @Test func `each entry has a line of counts`() throws {
    var conversion = conversion(of: Self.archive())
    conversion.skipsBrokenInputs = true
    let statistics = try conversion.run()
    #expect(
      statistics.inputs.map(\.name) == ["-/nights/1.json", "-/nights/2.json", "-/nights/3.json"])
    #expect(statistics.inputs.map(\.rows) == [2, 1, 1])
    #expect(statistics.inputs.map(\.bytes) == [71, 36, 36])
    #expect(statistics.read == 4)
  }

  @Test func `without a pattern several entries are refused as before`() throws {
    for entry in [nil, "nights/2.json"] {
      var conversion = conversion(of: Self.archive())
      conversion.entry = entry
      do {
        let text = try text(conversion)
        #expect(text.hasSuffix("\nEbba,2026-01-05,-,-,\n"), "\(text)")
        #expect(entry != nil)
      } catch {
        guard case .unzip(.severalEntries(let names)) = error.fault else {
          throw error
        }
        #expect(names.count == 4)
      }
    }
  }

  @Test func `a pattern that nothing fits names the entries`() {
    let names = ["nights/1.json", "readme.txt", "nights/2.json", "nights/3.json"].map {
      EntryName($0)
    }
    let error = #expect(throws: PipelineError.self) {
      try text(conversion(of: Self.archive(), "*.csv"))
    }
    #expect(error?.fault == .unzip(.noSuchEntry(wanted: "*.csv", names: names)))
  }

  @Test(arguments: ["[", "", "[{\"name\":\"Eva\",\"day\":\"2026-01-05\"},", "{\"other\":1}", "7"])
  func `a broken entry ends the run, or is left out`(content: String) throws {
    let archive = Self.archive { $0.add("4.json", Array(content.utf8)) }
    var conversion = conversion(of: archive)
    let error = #expect(throws: PipelineError.self) { try text(conversion) }
    #expect(error?.input == "-/4.json")
    conversion.skipsBrokenInputs = true
    #expect(try text(conversion) == Self.wanted)
    let inputs = try conversion.run().inputs
    #expect(inputs.map { $0.error?.input } == [nil, nil, nil, "-/4.json"])
  }

  @Test func `damage to the archive is a better error than that of an entry`() throws {
    let archive = Self.archive {
      $0.entries[0].data = ZIPBuilder.deflated(Array("[".utf8))
      $0.trailing = [0]
    }
    var conversion = conversion(of: archive)
    let error = #expect(throws: PipelineError.self) { try text(conversion) }
    #expect(error?.stage == .unzip)
    #expect(error?.input == "-")
    conversion.moreInputs = [.bytes(Self.night("Eva"))]
    conversion.skipsBrokenInputs = true
    #expect(
      try text(conversion) == "name,day,input,file,changed\nEva,2026-01-05,-,-,\n")
    #expect(try conversion.run().inputs.map { $0.error == nil } == [false, true])
  }

  @Test func `a link that fits is an error, or left out`() throws {
    let archive = Self.archive {
      $0.add("latest.json", Array("nights/3.json".utf8)) { $0.central.attributes = 0o120777 << 16 }
    }
    var conversion = conversion(of: archive)
    let error = #expect(throws: PipelineError.self) { try text(conversion) }
    #expect(error?.fault == .unzip(.linkChosen(entry: EntryName("latest.json"))))
    conversion.skipsBrokenInputs = true
    #expect(try text(conversion) == Self.wanted)
    conversion.skipsBrokenInputs = false
    conversion.entry = "nights/*"
    #expect(try text(conversion) == Self.wanted)
  }

  @Test func `the limit of size is that of all entries that fit together`() throws {
    var conversion = conversion(of: Self.archive())
    conversion.maxSize = 143
    #expect(try text(conversion) == Self.wanted)
    conversion.maxSize = 142
    let error = #expect(throws: PipelineError.self) { try text(conversion) }
    let last = EntryName("nights/3.json")
    #expect(error?.fault == .unzip(.tooLargeTogether(entry: last, limit: 142)))
    conversion.entry = "*2.json"
    conversion.maxSize = 71
    #expect(try text(conversion).hasSuffix("2020-06-25\n"))
  }

  @Test func `an entry may be an archive, whose size counts too`() throws {
    let inner = ZIPBuilder("feed.json", Self.night("Eva")).build()
    let archive = Self.archive {
      $0.add("x4.zip", inner)
      $0.add("x5.json", Self.night("Ida"))
    }
    let rows =
      "\nEva,2026-01-05,-/x4.zip,x4.zip,2020-06-25\nIda,2026-01-05,-/x5.json,x5.json,2020-06-25\n"
    var conversion = conversion(of: archive, "x*")
    conversion.maxSize = inner.count + 35 + 35
    #expect(try text(conversion).hasSuffix(rows))
    conversion.maxSize -= 1
    let error = #expect(throws: PipelineError.self) { try text(conversion) }
    #expect(
      error?.fault
        == .unzip(.tooLargeTogether(entry: EntryName("x5.json"), limit: conversion.maxSize)))
  }

  @Test func `more than 64 entries need a pattern`() throws {
    var zip = ZIPBuilder()
    for number in 0..<300 { zip.add("\(number).json", Self.night("N\(number)")) }
    var conversion = conversion(of: zip.build())
    #expect(try text(conversion).split(separator: "\n").count == 301)
    conversion.entry = "7.json"
    let error = #expect(throws: PipelineError.self) { try text(conversion) }
    #expect(error?.fault == .unzip(.tooManyEntries(limit: 64)))
  }

  @Test func `shares, and fields after the rows, are those of one entry`() throws {
    let feed = try OwnFeed.read(
      """
      sluice: 2
      feed: visits
      rows: visits[]
      columns:
        town: {from: $.town}
        name: name
        amount: {kind: decimal}
        share: {kind: share, of: amount}
      """)
    func night(_ town: String, _ names: [String]) -> [UInt8] {
      let rows = names.map { #"{"name":"\#($0)","amount":1}"# }.joined(separator: ",")
      return Array(#"{"visits":[\#(rows)],"town":"\#(town)"}"#.utf8)
    }
    var zip = ZIPBuilder("1.json", night("Lund", ["Anna", "Olof"]))
    zip.add("2.json", night("Ystad", ["Ebba"]))
    var conversion = Conversion(of: .bytes(zip.build()), as: feed)
    conversion.entry = "*"
    #expect(
      try text(conversion)
        == "town,name,amount,share\nLund,Anna,1,50.000\nLund,Olof,1,50.000\nYstad,Ebba,1,100.000\n")
  }

  @Test func `calendars are stamped by the latest entry`() throws {
    let path = "/tmp/\(UInt64.random(in: .min ... .max)).zip"
    let output = path + ".ics"
    defer { for path in [path, output] { unlink(path) } }
    let archive = Self.archive()
    let file = try #require(fopen(path, "w"))
    fwrite(archive, 1, archive.count, file)
    fclose(file)
    var conversion = conversion(of: archive)
    conversion.input = .file(path)
    try conversion.write(to: output)
    let box = ByteKeeper.Box()
    var keeper = ByteKeeper(box)
    try DescriptorSource(file: output).run(into: &keeper, counters: Counters())
    let stamps = Set(
      String(decoding: box.bytes, as: UTF8.self).split(separator: "\r\n").filter {
        $0.hasPrefix("DTSTAMP:")
      })
    #expect(stamps == ["DTSTAMP:20260201T211310Z"])
  }
}

/// Patterns of names in an archive.
@Suite struct EntryPatternTests {
  @Test(arguments: [
    ("*", "", true), ("*", "a/b.json", true), ("*.json", "a/b.json", true),
    ("*.json", "a.json.gz", false), ("a?c", "abc", true), ("a?c", "ac", false),
    ("?", "ж", true), ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false),
    ("a*", "ba", false), ("*ab", "aab", true), ("a**", "a", true),
  ])
  func `star is any text, question mark one character`(pattern: String, name: String, fits: Bool) {
    #expect(EntryPattern(pattern)?.matches(EntryName(name)) == fits)
  }

  @Test(arguments: ["", "a.json", "[a]"])
  func `a text without them is a name`(text: String) { #expect(EntryPattern(text) == nil) }
}
