import Testing

@testable import sluice_cli

@Suite struct ProgressStateTests {
  @Test func `the line says how far the run is`() {
    let state = ProgressState(bytesRead: 12_340_000, totalBytes: 63_281_000, records: 1_234_567)
    #expect(state.line(.en, columns: 80) == "sluice: 12.3 of 63.3 MB (19%), records: 1,234,567")
    #expect(
      state.line(.ru, columns: 80)
        == "sluice: 12,3 из 63,3 МБ (19\u{A0}%), записей: 1\u{A0}234\u{A0}567")
  }

  @Test func `a length that is not known or not true is left out`() {
    var state = ProgressState(bytesRead: 1_000_000, totalBytes: nil, records: 12)
    #expect(state.line(.en, columns: 80) == "sluice: 1.0 MB, records: 12")
    state.totalBytes = 999
    #expect(state.line(.en, columns: 80) == "sluice: 1.0 MB, records: 12")
    state.totalBytes = 0
    #expect(state.line(.en, columns: 80) == "sluice: 1.0 MB, records: 12")
  }

  @Test func `of many requests it says how many of how many`() {
    var state = ProgressState(bytesRead: 0, records: 0, requestsDone: 12, requestsInAll: 250)
    #expect(state.line(.en, columns: 80) == "sluice: 0.0 MB, records: 0, requests: 12 of 250")
    #expect(state.line(.ru, columns: 80) == "sluice: 0,0 МБ, записей: 0, запросов: 12 из 250")
    state.requestsInAll = nil
    #expect(state.line(.en, columns: 80) == "sluice: 0.0 MB, records: 0, requests: 12")
  }

  @Test func `a wait is shown`() {
    var state = ProgressState(bytesRead: 0, records: 0)
    state.secondsToWait = 121
    #expect(state.line(.en, columns: 80) == "sluice: 0.0 MB, records: 0, next request in 121 s")
    #expect(state.line(.ru, columns: 80) == "sluice: 0,0 МБ, записей: 0, новый запрос через 121 с")
  }

  @Test func `the line never exceeds the terminal`() {
    let state = ProgressState(bytesRead: 1, totalBytes: nil, records: 1000)
    for columns in 0...40 {
      #expect(state.line(.en, columns: columns).count <= columns)
    }
  }

  @Test func `nothing is drawn where nobody watches`() {
    let console = Console(language: .en, output: Descriptor(number: -1)) { _ in nil }
    let result = withProgress(
      on: console, isAllowed: true,
      read: { ProgressState(bytesRead: 0, totalBytes: nil, records: 0) }, { 42 })
    #expect(result == 42)
  }
}
