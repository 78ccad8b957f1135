import Testing

@testable import Sluice
@testable import SluiceSync

/// The classes of faults, and the decisions that follow from them.
@Suite struct FaultClassTests {
  /// A fault, and what follows from it.
  struct Row {
    var fault: Fault
    var `class`: FaultClass
    var result: SyncRecord.Result
    /// Another try is worth it.
    var isRetried = false
    /// Somebody who waits is not kept waiting for it.
    var isForNobody = false
    /// Another request is not worth it.
    var concernsServer = false
    var isBrokenServer = false
    var isForbidden = false
  }

  private static func status(_ code: Int) -> Fault {
    .source(.status(code, url: "http://h/", retryAfter: nil))
  }

  /// At least one of each class.
  static let rows: [Row] = [
    Row(fault: .csv(.empty), class: .badData, result: .badData),
    Row(fault: .envelope(.json(.empty)), class: .badData, result: .badData),
    Row(fault: .source(.empty), class: .badFeed, result: .badData),
    Row(fault: .source(.paging(.same)), class: .badFeed, result: .badData),
    Row(fault: .normalize(.emptied(before: 3)), class: .badFeed, result: .badData),
    Row(fault: .normalize(.noSuchTable("", tables: [])), class: .usage, result: .failed),
    Row(fault: .normalize(.noZone("", .unknown)), class: .noInput, result: .failed),
    Row(fault: .place(.absent("", near: [])), class: .nothingFound, result: .failed),
    Row(fault: .ledger(.noEvents(feed: "")), class: .usage, result: .failed),
    Row(fault: .source(.noFile(path: "")), class: .noInput, result: .failed),
    Row(fault: .sync(.noCopy(input: "", folder: "")), class: .noInput, result: .failed),
    Row(fault: .source(.spool(errno: 28)), class: .cannotRead, result: .failed),
    Row(fault: .envelope(.spool(errno: 28)), class: .cannotRead, result: .failed),
    Row(fault: .source(.cancelled), class: .cancelled, result: .failed),
    Row(
      fault: .sink(.isFolder(path: "")), class: .cannotCreate, result: .failed,
      concernsServer: true),
    Row(fault: .sync(.folder(path: "", errno: 13)), class: .cannotCreate, result: .failed),
    Row(
      fault: .sink(.write(path: "", errno: 28)), class: .cannotWrite, result: .failed,
      concernsServer: true),
    Row(
      fault: .ledger(.output(PipelineError(.json(.empty)))), class: .cannotWrite, result: .failed),
    Row(fault: .ledger(.corrupt(path: "", detail: "")), class: .badState, result: .failed),
    Row(fault: .sync(.badRecord(path: "")), class: .badState, result: .failed),
    Row(fault: .sync(.busy(pid: nil, folder: "")), class: .busy, result: .failed),
    Row(
      fault: .sink(.database(.locked(path: ""), isMerge: true)), class: .busy, result: .failed,
      concernsServer: true),
    Row(fault: .sync(.emptied(before: 3)), class: .guarded, result: .refused),
    Row(fault: .sink(.noReaderLeft), class: .readerGone, result: .failed, concernsServer: true),
    Row(
      fault: .source(.libraryMissing(package: "", detail: "")), class: .notInstalled,
      result: .failed, concernsServer: true),
    Row(
      fault: .source(.unconnected(detail: "")), class: .unreachable, result: .unreachable,
      isRetried: true, isForNobody: true, concernsServer: true),
    Row(
      fault: .source(.tls(detail: "")), class: .blocked, result: .unreachable,
      concernsServer: true),
    Row(fault: status(407), class: .blocked, result: .unreachable, concernsServer: true),
    Row(
      fault: .source(.cut(received: 0, expected: nil, detail: "")), class: .connectionLost,
      result: .unreachable, isRetried: true, isBrokenServer: true),
    Row(
      fault: .source(.tooSlow(bytesPerSecond: 1, seconds: 1, received: 0, expected: nil)),
      class: .stalled, result: .unreachable, isRetried: true, isForNobody: true,
      isBrokenServer: true),
    Row(
      fault: .source(.tooLong(seconds: 1, received: 0, expected: nil)), class: .timedOut,
      result: .unreachable, isBrokenServer: true),
    Row(
      fault: status(429), class: .serverBusy, result: .unreachable, isRetried: true,
      concernsServer: true),
    Row(
      fault: status(503), class: .serverBusy, result: .unreachable, isRetried: true,
      concernsServer: true),
    Row(fault: status(502), class: .gatewayFailed, result: .unreachable, isRetried: true),
    Row(fault: status(504), class: .gatewayFailed, result: .unreachable, isRetried: true),
    Row(fault: status(401), class: .unauthorized, result: .unreachable, concernsServer: true),
    Row(fault: status(403), class: .forbidden, result: .unreachable, isForbidden: true),
    Row(fault: status(404), class: .badAnswer, result: .unreachable),
    Row(fault: status(500), class: .badAnswer, result: .unreachable),
    Row(fault: .source(.refused(status: "")), class: .badAnswer, result: .unreachable),
  ]

  @Test(arguments: rows.indices)
  func `every decision follows from the class`(index: Int) {
    let row = Self.rows[index]
    let error = PipelineError(row.fault)
    #expect(error.class == row.class)
    #expect(SyncRecord.Result(error) == row.result)
    #expect((RetryRule().pause(after: error, try: 1) { $0 } != nil) == row.isRetried)
    #expect(
      (RetryRule.attended.pause(after: error, try: 1) { $0 } != nil)
        == (row.isRetried && !row.isForNobody))
    #expect(error.concernsServer == row.concernsServer)
    #expect(error.isBrokenServer == row.isBrokenServer)
    #expect(error.isForbidden == row.isForbidden)
  }

  @Test func `every class has a row`() {
    #expect(Set(Self.rows.map(\.class)) == Set(FaultClass.allCases))
  }
}
