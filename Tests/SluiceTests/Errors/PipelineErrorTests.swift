import Testing

@testable import Sluice

/// The line that an error is described by, and the codes in it.
@Suite struct PipelineErrorTests {
  @Test func `an error is one line of stage, byte, record, field and code`() {
    #expect("\(PipelineError(.json(.tooDeep(limit: 512)), at: 12))" == "json: byte 12: too-deep")
    #expect("\(PipelineError(.source(.noFile(path: "/secret"))))" == "source: no-file")
    let error = PipelineError(
      .normalize(.groupApart(key: ["x"], day: Day(number: 0))), at: 4096, record: 3, field: "a\nb")
    #expect("\(error)" == #"normalize: byte 4096: record 3: field "a\nb": group-apart"#)
  }

  @Test func `several requests are described by the first that failed`() {
    let first = PipelineError(.source(.cut(received: 7, expected: 9, detail: "")), at: 7)
    let several = PipelineError(
      RequestsFault(
        first: first, name: .page(2), missing: [.page(2)], kept: 1, remedy: .resume))
    #expect("\(several)" == "source: byte 7: cut")
    #expect(several.code == "cut" && several.class == .connectionLost)
  }

  @Test(
    arguments: [
      (.json(.notUTF8), "not-utf8"),
      (.json(.loneSurrogate), "lone-surrogate"),
      (.base64(.urlAlphabet(byte: 0x5F)), "url-alphabet"),
      (.unzip(.zip64Missing(entry: EntryName("x"))), "zip64-missing"),
      (.unzip(.crc(entry: EntryName("x"), declared: 1, actual: 2)), "crc"),
      (.source(.invalidURL("")), "invalid-url"),
      (.source(.notJSON(.csv)), "not-json"),
      (.source(.folder(path: nil)), "folder"),
      (.sink(.notAFile(path: "")), "not-a-file"),
      (.ledger(.notALedger(path: "")), "not-a-ledger"),
      (.sync(.ledgerGone(folder: "")), "ledger-gone"),
    ] as [(Fault, String)])
  func `a code is the name of the case in kebab case`(fault: Fault, code: String) {
    #expect(fault.code == code)
  }

  @Test(
    arguments: [
      (.envelope(.json(.truncated)), "json-truncated"),
      (.source(.paging(.same)), "paging-same"),
      (.source(.paging(.pageSize(rows: 3))), "paging-page-size"),
      (.source(.redirect(to: "", .tooMany(limit: 5))), "redirect-too-many"),
      (.normalize(.share(.zeroTotal, of: "", choices: [])), "share-zero-total"),
      (.sink(.database(.locked(path: ""), isMerge: true)), "database-locked"),
      (.ledger(.output(PipelineError(.json(.empty)))), "output"),
    ] as [(Fault, String)])
  func `the code of a fault that wraps another names both`(fault: Fault, code: String) {
    #expect(fault.code == code)
  }
}
