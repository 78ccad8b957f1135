import Testing

@testable import Sluice

/// Reads the parts of a workbook, with the unzipper.
struct WorkbookReader {
  let bytes: [UInt8]

  /// The text of a part.
  func part(_ path: String) throws -> String {
    let outcome = Unzipping.whole(bytes, UnzipOptions(entry: path))
    #expect(outcome.error == nil)
    return String(decoding: outcome.output, as: UTF8.self)
  }

  /// The XML of each cell of a sheet, by its reference, without the reference.
  func cells(_ sheet: Int = 1) throws -> [String: String] {
    var cells: [String: String] = [:]
    for cell in try part("xl/worksheets/sheet\(sheet).xml").split(separator: "<c r=\"").dropFirst()
    {
      let reference = cell.prefix { $0 != "\"" }
      let rest = cell.dropFirst(reference.count + 2)
      cells[String(reference)] = String(
        rest[..<(rest.range(of: "</c>")?.lowerBound ?? rest.endIndex)])
    }
    return cells
  }

  /// The names of the sheets.
  func sheets() throws -> [String] {
    try part("xl/workbook.xml").split(separator: "<sheet name=\"").dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
  }
}
