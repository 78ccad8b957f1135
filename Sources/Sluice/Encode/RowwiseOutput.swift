/// The stage of a ``RowwiseOutput``.
protocol RowwiseStage: SplitEncoder, ~Copyable {
  /// Writes rows that another encoder has made, and leaves the buffer empty.
  mutating func write(rows: inout ByteBuffer) throws(PipelineError)
}

extension CSVEncoder: RowwiseStage where Output: ~Copyable {}
extension NDJSONEncoder: RowwiseStage where Output: ~Copyable {}
extension NarrowingStage: RowwiseStage where Next: RowwiseStage & ~Copyable {}

extension Branch {
  /// Makes the branch of an encoder for the chosen columns of a table. `twin` makes such encoders
  /// for other threads.
  static func rowwise<Encoder: RowwiseStage & ~Copyable, Twin: RowwiseStage & ~Copyable>(
    _ encoder: consuming Encoder, _ chosen: ChosenColumns?,
    twin: @escaping (consuming SwitchedSink, Counters) -> Twin
  ) -> Branch {
    func make(
      _ output: consuming ByteSink, _ counters: Counters
    ) throws(PipelineError) -> RowwiseEncoder {
      let isOpen = Box(false)
      let encoder = twin(SwitchedSink(isOpen, output), counters)
      guard let chosen else { return try RowwiseEncoder(encoder, isOpen) }
      return try RowwiseEncoder(NarrowingStage(chosen, into: encoder), isOpen)
    }
    guard let chosen else { return Branch(rowwise: encoder, make) }
    return Branch(rowwise: NarrowingStage(chosen, into: encoder), make)
  }

  private init<Encoder: RowwiseStage & ~Copyable>(
    rowwise encoder: consuming Encoder,
    _ make: @escaping (consuming ByteSink, Counters) throws(PipelineError) -> RowwiseEncoder
  ) {
    let box = Box(encoder)
    self.init(box)
    rowwise = RowwiseOutput(encoder: make) { (rows) throws(PipelineError) in
      try box.value.pointee.write(rows: &rows)
    }
  }
}

extension RowwiseEncoder {
  /// Makes an encoder whose sink opens after the header.
  fileprivate init<Encoder: RowwiseStage & ~Copyable>(
    _ encoder: consuming Encoder, _ isOpen: Box<Bool>
  ) throws(PipelineError) {
    let box = Box(encoder)
    try box.value.pointee.handOn()
    isOpen.value.pointee = true
    branch = Branch(box)
    handOn = { () throws(PipelineError) in try box.value.pointee.handOn() }
  }
}

/// Drops bytes until it is opened.
struct SwitchedSink: ByteStage, ~Copyable {
  private let isOpen: Box<Bool>
  private var next: ByteSink

  fileprivate init(_ isOpen: Box<Bool>, _ next: consuming ByteSink) {
    self.isOpen = isOpen
    self.next = next
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    if isOpen.value.pointee { try next.write(bytes) }
  }

  mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    if isOpen.value.pointee { try next.take(&buffer) } else { buffer.removeAll() }
  }

  consuming func finish() throws(PipelineError) { try next.finish() }
}
