import CScan

/// Writes rows as NDJSON: one object a line, LF, no spaces, keys in column order.
///
/// A missing value is `null`, a decimal a bare number with its digits as they came, everything
/// else a string.
struct NDJSONEncoder<Output: ByteStage & ~Copyable>: RecordStage, ~Copyable {
  private var out: OutputBuffer<Output>
  private let kinds: ContiguousArray<ColumnKind>
  /// What stands before each value: the bracket or comma, the key and the colon.
  private var labels = ByteBuffer(capacity: 256)
  private var labelEnds: ContiguousArray<Int> = []

  init(_ feed: Feed, into output: consuming Output) {
    self.init(columns: feed.columns, kinds: feed.columnKinds, into: output)
  }

  /// Makes an encoder for rows of other columns than a feed's.
  init(columns: [String], kinds: [ColumnKind], into output: consuming Output) {
    out = OutputBuffer(into: output)
    self.kinds = ContiguousArray(kinds)
    for (index, column) in columns.enumerated() {
      labels.append(index == 0 ? "{" : ",")
      var column = column
      column.withUTF8 { JSONText.appendString(UnsafeRawBufferPointer($0), to: &labels) }
      labels.append(":")
      labelEnds.append(labels.count)
    }
  }

  mutating func write(_ record: borrowing Record) throws(PipelineError) {
    var labelStart = 0
    for column in 0..<kinds.count {
      let labelEnd = labelEnds[column]
      out.bytes.append(
        UnsafeRawBufferPointer(start: labels.start + labelStart, count: labelEnd - labelStart))
      labelStart = labelEnd
      let text = record.text(column)
      if text.count == 0 {
        out.bytes.append("null")
      } else if kinds[column] == .decimal {
        out.bytes.append(text)
      } else {
        try appendString(text)
      }
    }
    out.bytes.append("}\n")
    try out.flushIfFull()
  }

  consuming func finish() throws(PipelineError) { try out.finish() }

  @inline(__always)
  private mutating func appendString(_ text: UnsafeRawBufferPointer) throws(PipelineError) {
    out.bytes.append(UInt8(ascii: "\""))
    if text.count <= OutputBuffer<Output>.piece, let source = text.baseAddress {
      out.bytes.reserve(text.count + 16)
      let copied = cscan_copy_json(
        out.bytes.start.assumingMemoryBound(to: UInt8.self) + out.bytes.count,
        source.assumingMemoryBound(to: UInt8.self), text.count)
      out.bytes.commit(copied)
      if copied < text.count { try appendEscaped(text, from: copied) }
    } else {
      try appendEscaped(text, from: 0)
    }
    out.bytes.append(UInt8(ascii: "\""))
  }

  @inline(never)
  private mutating func appendEscaped(_ text: UnsafeRawBufferPointer, from start: Int)
    throws(PipelineError)
  {
    for index in start..<text.count {
      JSONText.appendEscaped(text[index], to: &out.bytes)
      try out.flushIfFull()
    }
  }
}
