import Foundation
import Testing

@testable import Sluice

/// Several threads read sections of one list, and nobody can tell from what comes out.
@Suite struct ListLanesTests {
  /// What a run leaves behind.
  private struct Result: Equatable {
    var files: [String: String] = [:]
    var error: PipelineError?
    var unread: [UnreadElements] = []
  }

  private static let shops = """
    sluice: 2
    feed: shops
    rows: "[]"
    columns:
      id: {from: id, kind: integer, required: true}
      name: {from: name, kind: verbatim}
      first: tags[0]
      at: {from: place.at, kind: decimal}
    """

  private static let goods = """
    sluice: 2
    feed: goods
    rows: data.shops[].goods[]
    columns:
      shop: data.shops.name
      id: {from: id, kind: integer, required: true}
      city: data.shops.city
    """

  private static func shop(_ number: Int, _ generator: inout SeededGenerator) -> String {
    var members = [#""id":\#(number % 211 == 7 ? #""x""# : "\(number)")"#]
    let words = ["Пирожки", #"a\nb\"},{\"id\":"#, "},{", "x, y", "", #"\ud83d\ude00"#]
    members.append(#""name":"\#(words.randomElement(using: &generator) ?? "") \#(number)""#)
    if Bool.random(using: &generator) {
      let tags = (0..<Int.random(in: 0...3, using: &generator)).map { #""t\#($0)""# }
      members.append(#""tags":[\#(tags.joined(separator: ","))]"#)
    }
    if Bool.random(using: &generator) {
      members.append(#""place":{"at":\#(Int.random(in: 0...99, using: &generator)).5,"id":null}"#)
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func shops(_ count: Int, seed: UInt64 = 1) -> [String] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { shop($0, &generator) }
  }

  /// Shops with their goods. The city comes after them.
  private static func goods(_ count: Int) -> [String] {
    var generator = SeededGenerator(seed: 5)
    return (0..<count).map { number in
      let goods = (0..<Int.random(in: 0...5, using: &generator)).map { #"{"id":\#($0),"price":1}"# }
      let list = goods.joined(separator: ",")
      return #"{"name":"\#(number)","goods":[\#(list)],"city":"c\#(number)"}"#
    }
  }

  private static func list(_ elements: [String], _ separator: String = ",") -> String {
    "[\(elements.joined(separator: separator))]"
  }

  private func run(
    _ text: String, as feed: Feed, threads: Int, section: Int,
    files: [String] = ["a.csv", "a.ndjson"], _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> Result {
    let folder = try ScratchFolder()
    folder.make("in", text)
    var conversion = Conversion(of: .file(folder("in")), as: feed)
    conversion.threads = threads
    if threads > 1 { conversion.offload = OffloadRule(threshold: 1, processors: 1) }
    conversion.sectionLength = section
    conversion.stamp = 1_600_000_000
    conversion.statistics = .file(folder("stats"))
    conversion.rejects = .file(folder("rejects"))
    conversion.outputs = files.map { name in
      .init(.file(folder(name)), OutputFormat(extensionOf: name) ?? .csv)
    }
    change(&conversion)
    var result = Result()
    do throws(PipelineError) {
      result.unread = try conversion.run().unread
    } catch {
      result.error = error
    }
    for name in folder.names where name != "stats" && name != "in" {
      let bytes = try Data(contentsOf: URL(filePath: folder(name)))
      result.files[name] = String(data: bytes, encoding: .isoLatin1)
    }
    result.files["stats"] = (folder.text("stats") ?? "")
      .replacing(/"seconds":[0-9.e-]+/, with: "").replacing(folder.path, with: "")
    // How many bytes had been read when something was found depends on the pieces that they came
    // in.
    if result.error != nil {
      result.files["stats"]?.replace(/"stages":.*?\}\}/, with: "")
    }
    return result
  }

  /// Checks that several threads leave behind what one thread does, and returns that.
  @discardableResult
  private func same(
    _ text: String, as document: String = Self.shops, files: [String] = ["a.csv", "a.ndjson"],
    sections: [Int] = [700, 5_000, 60_000], _ change: (inout Conversion) -> Void = { _ in },
    at place: SourceLocation = #_sourceLocation
  ) throws -> Result {
    let feed = try OwnFeed.read(document)
    let one = try run(text, as: feed, threads: 1, section: 1, files: files, change)
    for (section, threads) in zip(sections, [3, 2, 4]) {
      let several = try run(
        text, as: feed, threads: threads, section: section, files: files, change)
      let what = Comment("\(threads) threads, \(section) bytes")
      #expect(several.error == one.error, what, sourceLocation: place)
      #expect(several.files["stats"] == one.files["stats"], what, sourceLocation: place)
      #expect(several == one, what, sourceLocation: place)
    }
    return one
  }

  private func cuts(_ text: String, _ document: String, section: Int) throws -> [Int] {
    let folder = try ScratchFolder()
    folder.make("in", text)
    let file = try #require(FileHandle(forReadingAtPath: folder("in")))
    let feed = try OwnFeed.read(document)
    let form = Array(text.utf8.prefix(ListForm.reach)).withUnsafeBytes {
      ListForm($0, rows: feed.tables[0].rows, hasEnvelope: false)
    }
    guard let form else { return [] }
    let cuts = ListCuts(form, file.fileDescriptor, size: text.utf8.count, length: section)
    return (1..<cuts.count).compactMap { cuts.start(of: $0) }
  }

  // MARK: Cuts

  @Test(arguments: [
    ("[", ",", "]"), ("[\n  ", ",\n  ", "\n]\n"), (" [ ", " , ", " ] "), ("", "\n", "\n"),
    ("", "\r\n", ""),
  ])
  func `a list is cut between its elements`(before: String, between: String, after: String) throws {
    let shops = Self.shops(800)
    let text = before + shops.joined(separator: between) + after
    let cuts = try cuts(text, Self.shops, section: 2_000)
    #expect(cuts.count > 20)
    let bytes = Array(text.utf8)
    for cut in cuts {
      let separator = between.contains(",") ? UInt8(ascii: ",") : UInt8(ascii: "\n")
      #expect(bytes[cut] == separator)
      #expect(String(decoding: bytes[(cut + 1)...].prefix(30), as: UTF8.self).contains("{\"id\""))
    }
    #expect(try same(text).error == nil)
  }

  @Test func `the brackets that close together tell elements from those inside them`() throws {
    let goods = Self.goods(900)
    let text = #"{"data":{"id":[{"id":1},{"id":2}],"shops":\#(Self.list(goods))},"end":[1]}"#
    let cuts = try cuts(text, Self.goods, section: 3_000)
    #expect(cuts.count > 10)
    #expect(cuts.allSatisfy { Array(text.utf8)[$0 + 1] == UInt8(ascii: "{") })
    let one = try same(text, as: Self.goods)
    #expect(one.error == nil && one.files["a.csv"]?.utf8.filter { $0 == 10 }.count ?? 0 > 1_000)
  }

  @Test(arguments: [
    "[]", "[1,2,3,4,5,6]", #"[{"id":1},{"name":"b","id":2},{"id":3},{"name":"d"},{"id":5}]"#, "{}",
    #"[{"id":1,"place":{"at":1}},{"id":2,"a":[{},{"id":3}}"#, #"{"id":1}"#, "[{},{},{},{},{},{}]",
  ])
  func `a list whose elements begin unlike each other is not cut`(text: String) throws {
    #expect(try cuts(text, Self.shops, section: 2) == [])
    try same(text)
  }

  @Test func `lists that are elements are cut too`() throws {
    let rows = (0..<900).map { "[\($0),\"]],[\",[1,2]]" }
    let document = """
      sluice: 2
      feed: lists
      rows: "[]"
      columns: {a: {from: "[0]", kind: integer}, b: "[1]"}
      """
    // What stands between them is inside a text as well.
    #expect(try cuts(Self.list(rows), document, section: 500) == [])
    try same(Self.list(rows), as: document)
    let plain = (0..<900).map { "[\($0),\"x\",1]" }
    #expect(try cuts(Self.list(plain), document, section: 500).count > 10)
    #expect(try same(Self.list(plain), as: document).error == nil)
  }

  // MARK: Outputs, errors and counts

  @Test func `rows, rejected records and counts are those of one thread`() throws {
    let shops = Self.shops(3_000)
    let lines = shops.joined(separator: "\n") + "\n"
    for text in [Self.list(shops), lines, Self.list(shops, ",\n  ")] {
      let one = try same(text)
      #expect(one.error == nil && one.files.count == 4)
      #expect((one.files["rejects"]?.count ?? 0) > 1_000)
      #expect(one.unread.count == 1)
    }
  }

  @Test(arguments: ["a.csv", "a.tsv", "a.ndjson", "a.json", "a.sqlite", "a.xlsx"])
  func `every output is that of one thread`(name: String) throws {
    let one = try same(Self.list(Self.shops(900)), files: [name, "b.csv"], sections: [3_000])
    #expect(one.error == nil && one.files.count == 4)
  }

  @Test func `columns, dialect, order, number and choice of rows are those of one thread`() throws {
    let text = Self.list(Self.shops(900))
    try same(text) { $0.columns = ["name", "id"] }
    let excel = try same(text) { $0.dialect = .excel }
    #expect(excel.files["stats"]?.contains("guarded_cells") == true)
    try same(text) { $0.headerRow = .labels }
    try same(text) { $0.from = Day(year: 2026, month: 1, day: 1) }
    try same(text) { $0.sort = [SortOrder("name", isDescending: true)] }
    try same(text) { $0.limit = 7 }
    try same(text) { $0.conditions = [Condition(column: "first", value: "t0")] }
    try same(text) { $0.conditions = [Condition(column: "first", value: "nobody")] }
    try same(text) { $0.outputs[0].own.columns = ["id"] }
    let one = try same(text) { $0.rejectLimit = .count(2) }
    #expect(one.error != nil)
  }

  @Test func `a guarded cell is counted once in each section`() throws {
    let shops = (0..<2_000).map { #"{"id":\#($0),"name":"=\#($0)"}"# }
    let one = try same(Self.list(shops)) { $0.dialect = .excel }
    #expect(one.files["stats"]?.contains(#""guarded_cells":2000"#) == true)
  }

  @Test func `what a section does not know is told as by one thread`() throws {
    let shops = Self.shops(600)
    // Keys that nobody knows, a path that leads nowhere, a list that ends before others like it.
    try same(Self.list(shops), as: Self.shops.replacing("from: id", with: "from: no"))
    try same(Self.list(shops), as: Self.goods)
    let goods = Self.list(Self.goods(300))
    let none = try same(#"{"data":{"stores":\#(goods)}}"#, as: Self.goods)
    #expect(none.error != nil)
    for text in [
      #"{"data":{"shops":\#(goods),"more":\#(goods)}}"#,
      #"{"data":{"shops":\#(goods),"shops":\#(goods)}}"#,
      #"{"data":{"more":\#(goods),"shops":\#(goods)},"data":{"shops":\#(goods)}}"#,
      #"{"data":{"shops":\#(goods)}}[\#(goods)]"#,
    ] {
      try same(text, as: Self.goods)
    }
    // The feed's keys come late.
    let unknown = (0..<400).map { #"{"no":\#($0)}"# }
    try same(Self.list(unknown + shops)) { $0.rejectLimit = .unlimited }
    try same((unknown + shops).joined(separator: "\n"))
  }

  @Test func `a cut that is none is read over`() throws {
    let shops = Self.shops(300)
    // An object on several lines looks like the begin of a line.
    let odd = "{\"id\":7,\n\"place\":\n{\"at\":1}}"
    for count in [1, 40] {
      let text = (shops + Array(repeating: odd, count: count) + shops).joined(separator: "\n")
      #expect(try same(text, sections: [300, 900, 4_000]).error == nil)
    }
    // An element with a list that is written like the outer one.
    let inner = #"{"id":8,"more":\#(Self.list(Array(shops.prefix(40)))),"name":"x"}"#
    let first = (0..<3_000).map { #"{"id":\#($0),"name":"a"}"# }
    let text = Self.list(first + [inner, inner] + first)
    #expect(try same(text, sections: [300, 900, 4_000]).error == nil)
  }

  @Test func `an object in the place of a second list is not taken for it`() throws {
    let element = { (number: Int) in #"{"id":\#(number),"name":"a"}"# }
    let document = Self.shops.replacing(#""[]""#, with: "data.shops[]")
    // Sections begin in this text. What stands between elements comes first after a member of the
    // object.
    let long = #"{"id":7,"name":"\#(String(repeating: "y", count: 9_000))"}"#
    let first = Self.list((0..<500).map(element) + [long])
    let second = (0..<400).map(element).joined(separator: ",")
    let text = #"{"data":{"shops":\#(first),"shops":{"x":{"id":1},\#(second)]}}"#
    for section in [300, 1_000, 4_000] {
      let one = try same(text, as: document, sections: [section, section, section])
      #expect(one.error?.stage == .json)
    }
  }

  @Test func `a number at the end of the lines is counted as one thread counts it`() throws {
    try same(Self.shops(300).joined(separator: "\n") + "\n5") { $0.rejectLimit = .unlimited }
  }

  @Test func `damage anywhere is the same error, with the same counts`() throws {
    var generator = SeededGenerator(seed: 77)
    for round in 0..<60 {
      let shops = Self.shops(round % 3 == 0 ? 2_500 : 250, seed: UInt64(round))
      let goods = Self.goods(200)
      let (text, document) =
        switch round % 4 {
        case 0: (shops.joined(separator: "\n"), Self.shops)
        case 1: (#"{"data":{"a":1,"shops":\#(Self.list(goods)),"b":[]}}"#, Self.goods)
        case 2: (Self.list(shops, ",\n"), Self.shops)
        default: (Self.list(shops), Self.shops)
        }
      var bytes = Array(text.utf8)
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes.removeLast(bytes.count - place)
      case 1: bytes[place] = Array(#"{}[],:"x1\#u{1}"#.utf8).randomElement(using: &generator) ?? 0
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(contentsOf: Array("\n{\"id\":3}\n".utf8), at: place)
      default: bytes.insert(contentsOf: Array("]".utf8), at: place)
      }
      try same(
        String(decoding: bytes, as: UTF8.self), as: document, sections: [400, 3_000, 20_000])
    }
  }

  // MARK: When

  /// Returns whether several threads read the input of a conversion.
  private func isShared(
    _ text: String = Self.list(Self.shops(400)), output: OutputFormat = .csv,
    _ change: (inout Conversion, inout NormalizerOptions) -> Void = { _, _ in }
  ) throws -> Bool {
    let folder = try ScratchFolder()
    folder.make("in", text)
    let feed = try OwnFeed.read(Self.shops)
    var conversion = Conversion(of: .file(folder("in")), as: feed)
    conversion.threads = 3
    conversion.offload = OffloadRule(threshold: 5_000, processors: 1)
    conversion.sectionLength = 3_000
    var options = NormalizerOptions(limit: .unlimited)
    change(&conversion, &options)
    let counters = Counters()
    var part = ConversionPart(feed.tables[0], counters: counters)
    part.branches = [
      try .encoder(
        output, of: feed.tables[0], in: feed,
        options: conversion.encoderOptions(ContentDate(), of: .init(.standardOutput, output)),
        into: ByteKeeper(ByteKeeper.Box()), counters: counters)
    ]
    let pass = ConversionPass(
      conversion: conversion, parts: [part], options: options, counters: counters,
      date: ContentDate())
    return try ListLanes(pass, try conversion.source()) != nil
  }

  @Test func `a large list is shared if its rows can be written apart from each other`() throws {
    #expect(try isShared())
    #expect(try isShared(Self.shops(400).joined(separator: "\n")))
    for format in [OutputFormat.tsv, .ndjson] { #expect(try isShared(output: format)) }
    #expect(try !isShared(output: .json))
    #expect(try !isShared(output: .xlsx))
    #expect(try !isShared(Self.list(Self.shops(20))))
    #expect(try !isShared { conversion, _ in conversion.threads = 1 })
    // Without a number, only a larger one is.
    #expect(try !isShared { conversion, _ in conversion.threads = nil })
    #expect(
      try isShared { conversion, _ in
        conversion.threads = nil
        conversion.offload.threshold = 300
      })
    #expect(try !isShared { conversion, _ in conversion.offload = .never })
    #expect(try !isShared { _, options in options.tracksAllRows = true })
    #expect(
      try !isShared { conversion, _ in
        conversion.input = .bytes(Array(Self.list(Self.shops(400)).utf8))
      })
  }

  // MARK: Ends

  @Test func `an output that cannot be written ends all threads`() throws {
    let folder = try ScratchFolder()
    folder.make("in", Self.list(Self.shops(20_000)))
    for threads in [1, 2, 4] {
      var conversion = Conversion(of: .file(folder("in")), as: try OwnFeed.read(Self.shops))
      conversion.rejectLimit = .unlimited
      conversion.threads = threads
      if threads > 1 { conversion.offload = OffloadRule(threshold: 1, processors: 1) }
      conversion.sectionLength = 20_000
      conversion.outputs = [.init(.file("/dev/full"), .csv)]
      let error = #expect(throws: PipelineError.self) { _ = try conversion.run() }
      #expect(error?.stage == .sink)
    }
  }

  @Test func `a run that is cancelled ends all threads`() throws {
    let folder = try ScratchFolder()
    folder.make("in", Self.list(Self.shops(20_000)))
    let cancellation = Cancellation()
    var conversion = Conversion(of: .file(folder("in")), as: try OwnFeed.read(Self.shops))
    conversion.threads = 3
    conversion.offload = OffloadRule(threshold: 1, processors: 1)
    conversion.sectionLength = 20_000
    conversion.rejectLimit = .unlimited
    conversion.outputs = [.init(.file(folder("a.csv")), .csv)]
    conversion.cancellation = cancellation
    conversion.progress = { progress in if progress.records > 0 { cancellation.cancel() } }
    let error = #expect(throws: PipelineError.self) { _ = try conversion.run() }
    #expect(error?.class == .cancelled)
    #expect(folder.text("a.csv") == nil)
  }
}
