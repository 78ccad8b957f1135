import Foundation
import Testing

@testable import Sluice

/// csv-spectrum: what its files hold comes back from our CSV as it was.
@Suite struct CSVSpectrumTests {
  @Test(
    .enabled(if: Corpora.has("csv-spectrum"), "csv-spectrum is not beside the repository"),
    arguments: [
      "comma_in_quotes", "empty", "empty_crlf", "escaped_quotes", "json", "location_coordinates",
      "newlines", "newlines_crlf", "quotes_and_newlines", "simple", "simple_crlf", "utf8",
    ])
  func `every value comes back`(_ name: String) throws {
    let csv = try Corpora.bytes("csv-spectrum/csvs/\(name).csv")
    let table = RFC4180.rows(csv)
    let columns = table[0].map { String(decoding: $0, as: UTF8.self) }
    let feed = Encoding.feed(columns)
    let rows = Array(table.dropFirst())
    for dialect in CSVDialect.allCases {
      let (written, guarded) = try Encoding.csv(rows, feed, dialect)
      let read = RFC4180.rows(
        dialect == .excel ? Array(written.dropFirst(3)) : written,
        separator: DelimitedForm(dialect).separator)
      #expect(guarded == 0)
      #expect(read == table)
    }
  }

  @Test(
    .enabled(if: Corpora.has("csv-spectrum"), "csv-spectrum is not beside the repository"),
    arguments: [
      "comma_in_quotes", "empty", "escaped_quotes", "json", "newlines", "quotes_and_newlines",
      "simple", "utf8",
    ])
  func `NDJSON of the same values is what the set says they are`(_ name: String) throws {
    let table = RFC4180.rows(try Corpora.bytes("csv-spectrum/csvs/\(name).csv"))
    let columns = table[0].map { String(decoding: $0, as: UTF8.self) }
    let ndjson = try Encoding.ndjson(Array(table.dropFirst()), Encoding.feed(columns))
    let read = try ndjson.split(separator: 0x0A).map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      // A missing value is null here, and an empty text there.
      return try #require(object).mapValues { $0 as? String ?? "" }
    }
    let json = Data(try Corpora.bytes("csv-spectrum/json/\(name).json"))
    let expected = try #require(JSONSerialization.jsonObject(with: json) as? [[String: String]])
    #expect(read == expected)
  }
}
