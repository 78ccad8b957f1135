import Foundation
import Testing

@testable import Sluice

/// What people type finds what they mean: tables of queries, each with its first place.
@Suite struct SearchTableTests {
  /// A feed of the tables, and its data.
  struct Sample: CustomTestStringConvertible {
    var name: String
    var feed: Feed
    var data: [UInt8]
    var testDescription: String { name }

    /// Reads a feed beside the tables.
    init(_ name: String) throws {
      self.name = name
      feed = try FeedDocument.read(SearchTables.bytes("\(name).yaml"))
      data = try SearchTables.bytes("\(name).json")
    }

    /// The full-size sample of the hot-water feed.
    init() throws {
      name = "hot-water"
      feed = try #require(Feed.named("hot-water"))
      data = try SearchTables.bytes("../../../Samples/hot-water/full.json")
    }

    /// The first place that each query finds, its texts joined as in the tables.
    func first(_ queries: [String], dropping parts: Int = 0) throws -> [String] {
      try results(queries).map { result in
        guard let place = result.places.first else { return "-" }
        return place.parts.dropFirst(parts).map(\.text).joined(separator: "|")
      }
    }

    /// The results of all queries, in one pass.
    func results(_ queries: [String]) throws -> [SearchResult] {
      var finders = queries.map { Finder($0, in: feed.tables[0]) }
      let conversion = Conversion(of: .bytes(data), as: feed)
      let box = RecordBox { record in
        for index in finders.indices { finders[index].take(record) }
      }
      try conversion.read(from: conversion.source) { (_, _) in Branch(RecordTap(box: box)) }
      return finders.map { $0.result() }
    }
  }

  /// Returns the queries of a table that find another place first than they should.
  private func failures(_ table: String, _ sample: Sample, dropping parts: Int = 0) throws
    -> [String]
  {
    let rows = try SearchTables.rows(table)
    let found = try sample.first(rows.map(\.query), dropping: parts)
    return zip(rows, found).compactMap { row, found in
      found == row.place ? nil : "\(row.query): \(found), not \(row.place)"
    }
  }

  @Test func `what people of the city type finds the place that they mean`() throws {
    let rows = try SearchTables.rows("city")
    #expect(rows.count >= 150)
    #expect(try failures("city", Sample(), dropping: 1) == [])
  }

  @Test(arguments: ["city-2", "city-3"])
  func `what others type finds the place that they mean`(table: String) throws {
    #expect(try failures(table, Sample(), dropping: 1) == [])
  }

  @Test(arguments: ["hold-out", "hold-out-2"])
  func `queries that were put aside find their places`(table: String) throws {
    #expect(try failures(table, Sample(), dropping: 1) == [])
  }

  @Test(arguments: [
    "bins", "stations", "players", "streets", "properties", "strassen", "stops", "squad",
    "readings", "shops", "houses", "village",
  ])
  func `a feed with other columns is searched as well`(name: String) throws {
    #expect(try SearchTables.rows(name).count >= 20)
    #expect(try failures(name, Sample(name)) == [])
  }
}

/// The tables of queries.
enum SearchTables {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Support/search")

  /// The bytes of a file, by its path in the folder of the tables.
  static func bytes(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: folder.appending(path: path)))
  }

  /// The queries of a table and the places that they must find first.
  static func rows(_ table: String) throws -> [(query: String, place: String)] {
    let text = String(decoding: try bytes("\(table).tsv"), as: UTF8.self)
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      try #require(fields.count == 2, "\(line)")
      return (String(fields[0]), String(fields[1]))
    }
  }
}

/// Calls a closure with each row.
private final class RecordBox {
  let body: (borrowing Record) -> Void
  init(_ body: @escaping (borrowing Record) -> Void) { self.body = body }
}

/// Passes wanted rows on to a box.
private struct RecordTap: RecordStage, ~Copyable {
  let box: RecordBox

  mutating func take(_ record: borrowing Record, _ fate: RowFate) {
    if case .wanted = fate { box.body(record) }
  }

  consuming func finish() {}
}
