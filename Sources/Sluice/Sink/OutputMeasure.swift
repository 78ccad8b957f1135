/// Measures the outputs of a run, and refuses more of them than the run's input can explain.
///
/// A record may have 16 MiB of text and a hundred periods, and each period is a row with all of it.
/// So a small archive could fill the disk. The bytes are counted a buffer at a time.
///
/// Only the encoding thread calls this, as with ``OutputQueue``.
final class OutputMeasure {
  /// The limit if none is set: this many bytes, or ``factor`` times the bytes read, if that is
  /// more.
  private static let least = 64 << 20
  private static let factor = 100
  /// The size of the largest piece of input, which counts as read before the end of its reading.
  private static let piece = 256 << 10

  private let limit: Int?
  private let counters: Counters
  /// The bytes handed to files, and those by which databases have grown.
  private var written = 0
  private var grown = 0
  /// The bytes that wait in a temporary file and become smaller before they are written.
  private var waiting = 0
  private var isOver = false

  /// Makes a measure with this limit in bytes; nil for the usual one.
  init(limit: Int?, counters: Counters) {
    self.limit = limit
    self.counters = counters
  }

  /// Counts bytes that are about to be written. Throws ``SinkFault/tooMuchOutput(limit:)`` if they
  /// are beyond the limit.
  func add(_ count: Int) throws(PipelineError) {
    written += count
    try check(reading: Self.piece)
  }

  /// Counts bytes that wait in a temporary file. They are no output yet, so that only the usual
  /// limit is theirs. Throws like ``add(_:)``.
  func add(waiting count: Int) throws(PipelineError) {
    waiting += count
    let allowed = max(Self.least, allowance(Self.piece))
    guard isOver || waiting <= allowed else {
      throw PipelineError(sink: .tooMuchOutput(limit: allowed))
    }
  }

  /// Sets the number of bytes by which all databases have grown. Throws like ``add(_:)``.
  func set(growth: Int) throws(PipelineError) {
    grown = growth
    try check(reading: Self.piece)
  }

  /// Ends the measuring after all outputs are complete. Throws like ``add(_:)``. Nothing is counted
  /// afterwards.
  func end() throws(PipelineError) {
    try check(reading: 0)
    isOver = true
  }

  /// Counts nothing any more, so that reports about a failed run can be written.
  func stop() { isOver = true }

  private func check(reading piece: Int) throws(PipelineError) {
    if isOver { return }
    let allowed = limit ?? max(Self.least, allowance(piece))
    guard written + grown > allowed else { return }
    throw PipelineError(sink: .tooMuchOutput(limit: limit ?? max(Self.least, allowance(0))))
  }

  private func allowance(_ piece: Int) -> Int {
    let read = counters.textBytes + piece
    return read.multipliedReportingOverflow(by: Self.factor).overflow ? .max : read * Self.factor
  }
}

/// Calls a closure whenever rows of a mebibyte of text have come. For outputs that are written by
/// other code, whose size has to be asked for.
struct RowMeter: RecordStage, ~Copyable {
  private static let step = 1 << 20

  private let measure: () throws(PipelineError) -> Void
  private var count = 0

  init(_ measure: @escaping () throws(PipelineError) -> Void) { self.measure = measure }

  mutating func take(_ row: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    count += row.length
    guard count >= Self.step else { return }
    count = 0
    try measure()
  }

  consuming func finish() throws(PipelineError) { try measure() }
}
