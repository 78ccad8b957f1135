import Testing

@testable import Sluice

/// The one place that `--address` names.
@Suite struct AddressChoiceTests {
  private static let feed = """
    feed: houses
    rows: "[]"
    columns:
      town: town
      street: street
      house: house
      letter: letter
      off: {kind: period, skip: never}
    key: [town, street, house, letter]
    search: {locality: town, street: street, house: house, letter: letter}
    """

  private func conversion(_ address: String, _ lines: [String]) throws -> Conversion {
    let csv = "town,street,house,letter,off\n" + lines.joined(separator: "\n")
    var conversion = Conversion(of: .bytes(Array(csv.utf8)), as: try Feed(yaml: Self.feed))
    conversion.address = address
    return conversion
  }

  /// The rows of the place that a text names, without their days.
  private func rows(
    _ address: String, _ lines: [String], change: (inout Conversion) -> Void = { _ in }
  ) throws -> [String] {
    var conversion = try conversion(address, lines)
    change(&conversion)
    let text = String(decoding: try conversion.bytes(as: .csv), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).prefix(4).joined(separator: ",")
    }
  }

  private func fault(_ address: String, _ lines: [String]) throws -> PlaceFault? {
    do {
      _ = try rows(address, lines)
      return nil
    } catch let error as PipelineError {
      guard case .place(let fault) = error.fault else { throw error }
      return fault
    }
  }

  private let days = "\"1.7.2020\""

  @Test func `all rows of the one place are kept, and no others`() throws {
    let lines = [
      "П,Садовая,1,,\(days)", "П,Садовая,15,,\(days)", "П,Садовая,15,,\"3.7.2020\"",
      "П,Садовая,15,А,\(days)", "К,Садовая,2,,\(days)",
    ]
    #expect(try rows("садовая 15 А", lines) == ["П,Садовая,15,А"])
    #expect(try rows("Cfljdfz 2", lines) == ["К,Садовая,2,"])
  }

  @Test func `a place with no more than was typed is meant, whatever has more`() throws {
    let lines = ["П,Садовая,15,А,\(days)", "П,Садовая,15,,\(days)", "П,Садовая,15,Б,\(days)"]
    #expect(try rows("садовая 15", lines) == ["П,Садовая,15,"])
  }

  @Test func `of several places none is chosen`() throws {
    let letters = ["П,Садовая,15,А,\(days)", "П,Садовая,15,Б,\(days)"]
    guard case .several("садовая 15", let places, false)? = try fault("садовая 15", letters) else {
      Issue.record("a place was chosen")
      return
    }
    #expect(
      places.map { $0.parts.map(\.text) } == [
        ["П", "Садовая", "15", "А"], ["П", "Садовая", "15", "Б"],
      ])
    let towns = ["П,Садовая,1,,\(days)", "К,Садовая,1,,\(days)"]
    #expect(try rows("К Садовая 1", towns) == ["К,Садовая,1,"])
    guard case .several? = try fault("Садовая 1", towns) else {
      Issue.record("a town was chosen")
      return
    }
  }

  @Test func `a place that is not there is told with the nearest`() throws {
    guard
      case .absent("Садовая 15Б", let near)? = try fault("Садовая 15Б", ["П,Садовая,15,,\(days)"])
    else {
      Issue.record("something was found")
      return
    }
    #expect(near.map(\.difference) == [.letter])
    #expect(near.first?.parts.map(\.text) == ["П", "Садовая", "15", ""])
  }

  @Test func `a place is there though its record is skipped or cannot be read`() throws {
    let skipped = ["П,Садовая,15,,never", "П,Садовая,1,,\(days)"]
    #expect(try rows("Садовая 15", skipped) == [])
    let rejected = ["П,Садовая,15,,\"31.6.2020\"", "П,Садовая,1,,\(days)"]
    #expect(try rows("Садовая 15", rejected) { $0.rejectLimit = .unlimited } == [])
  }

  @Test func `a place that was known is kept, though the feed has it no longer`() throws {
    let lines = ["П,Садовая,15,А,\(days)"]
    let known = [("town", "П"), ("street", "Садовая"), ("house", "15"), ("letter", "")].map {
      Condition(column: $0, value: $1)
    }
    // The text now fits another place, which was not meant.
    #expect(
      try rows("Садовая 15", lines) { $0.knownPlaces["Садовая 15"] = KnownPlace(known) } == [])
    let other = try rows("Садовая 15", lines) {
      $0.knownPlaces["Садовая 15"] = KnownPlace(known, mayChange: true)
    }
    #expect(other == ["П,Садовая,15,А"])
    let both = try rows("Садовая 15", lines + ["П,Садовая,15,,\(days)"]) {
      $0.knownPlaces["Садовая 15"] = KnownPlace(known, mayChange: true)
    }
    #expect(both == ["П,Садовая,15,"])
  }

  @Test func `conditions hold beside the address`() throws {
    let lines = ["П,Садовая,15,А,\(days)", "П,Садовая,15,Б,\(days)"]
    let rows = try rows("Садовая 15А", lines) {
      $0.conditions = [Condition(column: "letter", value: "Б")]
    }
    #expect(rows == [])
  }

  @Test func `records are counted once, though the input is read twice`() throws {
    var conversion = try conversion(
      "Садовая 15", ["П,Садовая,15,,\(days)", "П,Садовая,1,,\(days)"])
    conversion.from = Day(number: 0)
    let statistics = try conversion.forEachRow { _ in }
    #expect(statistics.read == 2 && statistics.kept == 1 && statistics.filtered == 1)
    guard case .bytes(let bytes) = conversion.input else { return }
    #expect(statistics.flows.first { $0.stage == .source }?.bytesIn == bytes.count)
  }

  @Test func `conditions that name a place are answered with the places that come nearest`() throws
  {
    var conversion = try conversion(
      "x",
      [
        "П,Садовая,15,А,\(days)", "П,Садовая,17,,\(days)", "П,Лесная,15,,\(days)",
      ])
    conversion.address = nil
    func near(_ conditions: (String, String)...) -> [[String]] {
      conversion.conditions = conditions.map { Condition(column: $0, value: $1) }
      let outcome = convert(conversion, counters: Counters(), from: conversion.source)
      return outcome.nearPlaces.map { $0.parts.map(\.text).filter { !$0.isEmpty } }
    }
    #expect(
      near(("street", "Садовая"), ("house", "15"), ("letter", "Б")).first == [
        "П", "Садовая", "15", "А",
      ])
    #expect(near(("street", "Садвая"), ("house", "17")).first == ["П", "Садовая", "17"])
    // Values of one column say more than places, and a match needs no help.
    #expect(near(("street", "Садвая")) == [])
    #expect(near(("street", "Садовая"), ("house", "17")) == [])
  }
}
