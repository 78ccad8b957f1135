@testable import Sluice

/// What came of asking a URL.
struct Fetch: Equatable {
  var body: [UInt8] = []
  var error: PipelineError?
  var expected = 0
  var modified: Int?
  var flow: [Int] = []

  /// Asks a URL with limits that suit tests.
  init(
    _ url: String, certificateFile: String? = nil, refusesAt: Int = .max,
    onWrite: @escaping () -> Void = {}, limits change: (inout HTTPLimits) -> Void = { _ in }
  ) {
    var limits = HTTPLimits()
    limits.connectSeconds = 20
    limits.totalSeconds = 60
    change(&limits)
    let source = HTTPSource(url: url, certificateFile: certificateFile, limits: limits)
    var collector = BodyCollector(refusesAt: refusesAt, onWrite: onWrite)
    let (counters, date) = (Counters(), ContentDate())
    do throws(PipelineError) {
      try source.run(into: &collector, counters: counters, date: date)
    } catch {
      self.error = error
    }
    body = collector.bytes
    expected = counters.expectedBytes.value
    modified = date.seconds
    flow = [counters.source.bytesIn.value, counters.source.bytesOut.value]
  }

  /// What went wrong at the source.
  var fault: SourceFault? {
    guard case .source(let fault)? = error?.fault else { return nil }
    return fault
  }

  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }
}
