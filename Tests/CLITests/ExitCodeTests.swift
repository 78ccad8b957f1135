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
    #expect(code(.sink(.notAFolder(path: ""))) == 73)
    #expect(code(.sink(.foreignFile(path: "", name: ""))) == 73)
    #expect(code(.sink(.mountPoint(path: ""))) == 73)
    #expect(code(.sink(.cannotExchange(path: ""))) == 74)
    #expect(code(.sink(.siteTooLarge(limit: 1))) == 65)
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

  /// The codes of all faults that are not of the data, by stage.
  private static let table: [Int32: [(stage: Stage, codes: String)]] = [
    0: [(.sink, "no-reader-left")],
    1: [(.normalize, "absent")],
    64: [
      (.source, "no-date no-date-of-archive no-such-date same-date out-of-order third-input"),
      (.normalize, "no-events no-such-column no-such-table several"),
      (.sink, "database-no-events"), (.sync, "no-events"),
    ],
    66: [
      (.source, "nothing-to-ask no-file folder unreadable invalid-url certificate-file"),
      (.normalize, "no-zone"),
      (.sync, "no-copy"),
    ],
    69: [
      (.source, "refused library-missing unresolved unconnected connect-timeout certificate tls"),
      (.source, "status content-encoding headers-too-large body-too-large cut too-slow too-long"),
      (.source, "redirect-too-many redirect-scheme redirect-downgrade redirect-internal-address"),
      (.source, "redirect-malformed transfer content-length transfer-coding"),
      (.source, "out-of-time answers-too-large"),
    ],
    73: [
      (.sink, "folder-missing folder-not-writable is-folder dangling-link foreign-link"),
      (.sink, "temporary-in-the-way create not-a-file database-open written-twice"),
      (.sink, "not-a-folder foreign-file mount-point"),
      (.sink, "workbook-on-terminal workbook-of-columns"),
      (.sync, "folder lock open foreign-folder shared-folder"),
    ],
    74: [
      (.source, "read changed too-large-to-keep spool"), (.envelope, "spool"),
      (.sink, "write unfinished wrong-size read-back set-mode sync close rename changed"),
      (.sink, "not-put-back database-access database-corrupt database-not-a-ledger"),
      (.sink, "database-newer database-other-feed database-incomplete database-refused"),
      (.sink, "database-distrusted cannot-exchange"),
      (.sink, "database-output"),
      (.sync, "bad-record bad-names access corrupt not-a-ledger newer other-feed incomplete"),
      (.sync, "unreadable-record"),
      (.sync, "refused output"),
    ],
    75: [
      (.sink, "locked database-locked"),
      (.sync, "busy emptied shrunk older-version all-past ledger-gone unknown-events locked"),
      (.sync, "other-calendar no-rows clock-back no-place"),
      (.sync, "too-many-cancelled other-document"),
    ],
  ]

  @Test func `every fault has the code of the contract, and one of the data is 65`() {
    var expected: [String: Int32] = [:]
    for (exit, rows) in Self.table {
      for (stage, codes) in rows {
        for code in codes.split(separator: " ") { expected["\(stage): \(code)"] = exit }
      }
    }
    var unused = Set(expected.keys)
    for fault in FaultSamples.all("name").map(\.fault) + Self.more {
      let name = PipelineError(fault).description
      #expect(code(fault) == expected[name] ?? 65, "\(name)")
      unused.remove(name)
    }
    #expect(unused == [])
  }

  @Test func `a code is words of small letters and digits`() {
    for fault in FaultSamples.all("name").map(\.fault) + Self.more {
      let words = fault.code.split(separator: "-", omittingEmptySubsequences: false)
      #expect(words.allSatisfy { !$0.isEmpty && $0.allSatisfy(isPlain) }, "\(fault.code)")
    }
  }

  private func isPlain(_ letter: Character) -> Bool {
    ("a"..."z").contains(letter) || ("0"..."9").contains(letter)
  }

  /// Faults that have no sample in ``FaultSamples``.
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
      .empty, .noKnownColumn(expected: [], found: []), .duplicateColumn("", places: [1, 2]),
      .unclosedQuote,
      .notUTF8(likely: nil), .tooManyFields(limit: 1), .rowTooLong(limit: 1),
    ] as [CSVFault]).map { Fault.csv($0) }
    + ([
      .noSuchTable("", tables: []), .sameKey(table: "", key: []),
      .noSuchRow(table: "", column: "", value: "", parent: ""), .emptied(before: 1),
    ] as [FeedFault]).map { Fault.normalize($0) }
    + [.sync(.ledgerGone(folder: "")), .sink(.notAFile(path: ""))]
}
