import Glibc
import Sluice
import Testing

@testable import sluice_cli

/// The codes that scripts stand on.
@Suite struct ExitCodeTests {
  private func code(_ fault: Fault) -> Int32 { ExitCode(PipelineError(fault)).rawValue }

  @Test func `a source has the codes of the contract`() {
    #expect(code(.source(.empty)) == 65)
    #expect(code(.source(.unknownForm(looksLike: "gzip", start: [0x1F]))) == 65)
    #expect(code(.source(.noFile(path: "x"))) == 66)
    #expect(code(.source(.folder(path: nil))) == 66)
    #expect(code(.source(.certificateFile(path: "x", detail: ""))) == 66)
    #expect(code(.source(.read(path: nil, errno: EIO))) == 74)
    #expect(code(.source(.refused(status: "error"))) == 69)
    #expect(code(.source(.libraryMissing(package: "x", detail: ""))) == 69)
    #expect(code(.source(.status(404, url: "", retryAfter: nil))) == 69)
  }

  @Test func `a sink has the codes of the contract`() {
    #expect(code(.sink(.isFolder(path: ""))) == 73)
    #expect(code(.sink(.write(path: "", errno: EIO))) == 74)
    #expect(code(.sink(.locked(path: ""))) == 75)
    #expect(code(.sink(.noReaderLeft)) == 0)
  }

  @Test func `a nightly run has the codes of the contract`() {
    #expect(code(.sync(.busy(pid: 1, folder: ""))) == 75)
    #expect(code(.sync(.emptied(before: 1))) == 75)
    #expect(code(.sync(.noCopy(input: "", folder: ""))) == 66)
    #expect(code(.sync(.folder(path: "", errno: EIO))) == 73)
    #expect(code(.sync(.badRecord(path: ""))) == 74)
  }

  @Test func `data that is broken is 65, whatever stage says so`() {
    for (fault, _) in FaultSamples.all("name") {
      switch fault {
      case .source, .sink, .sync: break
      // What the first of them met.
      case .requests(let several): #expect(code(fault) == code(several.first.fault))
      case .envelope(.spool): #expect(code(fault) == 74)
      case .normalize(.noEvents), .normalize(.noSuchColumn): #expect(code(fault) == 64)
      default: #expect(code(fault) == 65)
      }
    }
  }

  /// Faults that no sample of a text is of.
  static let more: [Fault] =
    ([
      .open(path: "", errno: EIO), .access(path: "", errno: EIO), .locked(path: ""),
      .corrupt(path: "", detail: ""), .notALedger(path: ""),
      .newer(path: "", version: 2, known: 1), .otherFeed(path: "", found: "", wanted: ""),
      .noEvents(feed: ""), .incomplete(path: ""), .refused(path: "", code: 1, detail: ""),
      .output(PipelineError(.json(.empty))),
    ] as [DatabaseFault]).flatMap {
      [Fault.ledger($0), .sink(.database($0, isMerge: true))]
    }
    + ([
      .empty, .noKnownColumn(expected: [], found: []), .duplicateColumn(""), .unclosedQuote,
      .notUTF8(likely: nil), .tooManyFields(limit: 1), .rowTooLong(limit: 1),
    ] as [CSVFault]).map { Fault.csv($0) }
    + ([
      .noSuchTable("", tables: []), .sameKey(table: "", key: []),
      .noSuchRow(table: "", column: "", value: "", parent: ""), .emptied(before: 1),
    ] as [FeedFault]).map { Fault.normalize($0) }
    + [.sync(.ledgerGone(folder: "")), .sink(.notAFile(path: ""))]
}
