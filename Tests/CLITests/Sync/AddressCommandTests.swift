import Foundation
import Testing

/// `--address`, in a conversion and night after night.
@Suite(.needsProgram)
struct AddressCommandTests {
  private let folder: Scratch
  private var feed: String { folder("feed.json") }

  init() throws { folder = try Scratch() }

  /// Puts houses of one street at the source.
  private func offer(_ houses: String...) throws {
    let records = houses.map { SmallFeed.record(house: "\"\($0)\"") }
    try folder.write("feed.json", SmallFeed.list(records))
  }

  private func sync(_ address: String, _ more: String...) throws -> Run {
    try BuiltProgram.run(
      [
        "sync", feed, "--state", folder("state"), "--today", "2020-06-01", "--address", address,
        "-o", folder("a.csv"), "-o", folder("a.ics"),
      ] + more)
  }

  /// The houses in the published table.
  private var houses: [String] {
    folder.text("a.csv").split(whereSeparator: \.isNewline).dropFirst().map {
      String($0.split(separator: ",", omittingEmptySubsequences: false)[2])
    }
  }

  private func events(_ status: String) -> Int {
    folder.text("a.ics").components(separatedBy: "STATUS:\(status)").count - 1
  }

  @Test func `one place is converted, from a file and from standard input`() throws {
    try offer("14", "15", "150")
    let file = try BuiltProgram.run(["convert", feed, "--address", "наличная 15"])
    #expect(file.code == 0 && file.errors == "", "\(file.errors)")
    #expect(file.output.contains(",Наличная,15,") && !file.output.contains(",150,"))
    let pipe = try BuiltProgram.run(
      ["convert", "-", "--address", "Yfkbxyfz 15"],
      reading: .bytes(folder.bytes("feed.json")?.array ?? []))
    #expect(pipe.output == file.output, "\(pipe.errors)")
  }

  @Test func `several places or none end a conversion, and files stay`() throws {
    try offer("15А", "15Б")
    try folder.write("a.csv", "old")
    let several = try BuiltProgram.run(
      ["convert", feed, "--address", "Наличная 15", "-o", folder("a.csv")])
    several.expectFailure(
      64,
      "normalize: \"Наличная 15\" may be one of several places: Колпино, Наличная, house 15А; "
        + "Колпино, Наличная, house 15Б; add")
    let none = try BuiltProgram.run(
      ["convert", feed, "--address", "Наличная 16", "-o", folder("a.csv")])
    none.expectFailure(
      1, "normalize: nothing is found for \"Наличная 16\"; the nearest places: Колпино, Наличная")
    #expect(folder.text("a.csv") == "old")
    #expect(try BuiltProgram.run(["convert", feed, "--address", "…"]).code == 64)
  }

  @Test func `a typing error is named, so that nobody gets the calendar of another house`() throws {
    try offer("15")
    let run = try BuiltProgram.run(["convert", feed, "--address", "Налычная 15"])
    #expect(run.code == 0 && run.output.contains(",Наличная,15,"))
    #expect(run.errors == "sluice: the place is Колпино, Наличная, house 15\n")
  }

  @Test func `a place that leaves the feed has nothing at the moment`() throws {
    try offer("14", "15")
    try sync("Наличная 15").expectSilence()
    #expect(houses == ["15"] && events("CONFIRMED") == 1)
    // Another house fits the text better than none, but it was not meant.
    try offer("14", "15А")
    try sync("Наличная 15").expectSilence()
    #expect(houses == [] && events("CANCELLED") == 1)
    #expect(
      try sync("Наличная 15", "-v").errors.contains(
        "there is nothing for this address at the moment"))
    try offer("14", "15")
    try sync("Наличная 15").expectSilence()
    #expect(houses == ["15"] && events("CONFIRMED") == 1)
  }

  @Test func `a broken source is the only news of a place that has nothing at the moment`() throws {
    try offer("14", "15")
    try sync("Наличная 15").expectSilence()
    try offer("14", "16")
    try sync("Наличная 15").expectSilence()
    try folder.write("feed.json", "[{")
    let run = try sync("Наличная 15", "--stale-ok", "7d")
    #expect(run.code == 0 && run.errors.contains("the published files are unchanged"))
    #expect(run.errors.split(whereSeparator: \.isNewline).count == 1, "\(run.errors)")
  }

  @Test func `a place that was never there publishes nothing`() throws {
    try offer("14")
    let run = try sync("Наличная 15")
    #expect(run.code == 75 && folder.bytes("a.csv") == nil)
    #expect(
      run.errors.contains(
        "error: sync: nothing is found for \"Наличная 15\", so nothing was published; the nearest "
          + "places: Колпино, Наличная, house 14"), "\(run.errors)")
    try offer("14", "15")
    try sync("Наличная 15").expectSilence()
    #expect(houses == ["15"])
  }

  @Test func `another text is another place, and a renamed one is accepted`() throws {
    try offer("14", "15")
    try sync("Наличная 15").expectSilence()
    try sync("Наличная 14").expectSilence()
    #expect(houses == ["14"])
    try offer("14", "15Б")
    try sync("Наличная 15").expectSilence()
    #expect(houses == [])
    try sync("Наличная 15", "--accept").expectSilence()
    #expect(houses == ["15Б"])
    try sync("Наличная 15").expectSilence()
    #expect(houses == ["15Б"])
  }
}
