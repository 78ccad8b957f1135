import CSluice

/// Writes rows as NDJSON, or as the array of a JSON text: one object per line, LF, no spaces, keys
/// in column order.
///
///     NDJSON   {"a":1}      JSON   [
///              {"a":2}             {"a":1},
///                                  {"a":2}
///                                  ]
///
/// Texts are escaped as by ``JSONText/appendString(_:to:)``. A missing value is `null`. A decimal
/// is a bare number with its digits as they came. Integers and flags are bare too. Everything else
/// is a string.
package struct NDJSONEncoder<Output: ByteStage & ~Copyable>: RecordStage, ~Copyable {
  private var out: OutputBuffer<Output>
  private let kinds: FixedArray<ColumnKind>
  /// The text before each value: the brace or comma, the key and the colon.
  private var labels = ByteBuffer(capacity: 256)
  private var labelEnds: FixedArray<Int>
  /// The same with `null` after each of them: a row without values, but for its end.
  private var nulls = ByteBuffer(capacity: 256)
  private let isArray: Bool
  /// The number of bytes after the last value: in an array the line ends before the next row.
  private let rowEnd: Int
  /// Whether the next row is the first of an array.
  private var isFirst = true

  /// Makes an encoder of NDJSON, or of an array.
  package init(_ columns: [Column], asArray isArray: Bool = false, into output: consuming Output) {
    self.isArray = isArray
    rowEnd = isArray ? 1 : 2
    out = OutputBuffer(into: output)
    kinds = FixedArray(columns.map(\.kind))
    labelEnds = FixedArray(repeating: 0, count: kinds.count)
    for (index, column) in columns.map(\.name).enumerated() {
      let start = labels.count
      labels.append(index == 0 ? "{" : ",")
      var column = column
      column.withUTF8 { JSONText.appendString(UnsafeRawBufferPointer($0), to: &labels) }
      labels.append(":")
      labelEnds[index] = labels.count
      nulls.append(UnsafeRawBufferPointer(rebasing: labels.contents[start...]))
      nulls.append("null")
    }
    if isArray { out.bytes.append("[") }
  }

  package mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    guard case .wanted = fate else { return }
    if isArray {
      if !isFirst { out.bytes.append(",") }
      out.bytes.append("\n")
      isFirst = false
    }
    if copyRow(record) {
      try out.flushIfFull()
    } else {
      try writeValues(record)
    }
  }

  /// Appends a row if it needs no escapes. Returns whether it did.
  @inline(__always)
  private mutating func copyRow(_ record: borrowing Record) -> Bool {
    let length = record.length
    guard length <= OutputBuffer<Output>.piece else { return false }
    // Room for the labels, for quotes or `null`, and for the end of the row, too.
    var p = out.bytes.end(withRoom: length + labels.count + 4 * kinds.count + 2)
    precondition(record.texts.count >= kinds.count)
    // Read once: what is written may change them, as far as the compiler knows.
    let (count, kinds, texts) = (kinds.count, kinds.address, record.texts.address)
    let (label, labelEnds) = (labels.start.assumingMemoryBound(to: UInt8.self), labelEnds.address)
    var (labelStart, column) = (0, 0)
    while column < count {
      let text = record.text(texts[column])
      guard let source = text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count > 0
      else {
        let next = record.endOfEmpty(column..<count)
        p = putNulls(column..<next, at: p)
        (labelStart, column) = (labelEnds[next - 1], next)
        continue
      }
      p = cscan_put(p, label + labelStart, labelEnds[column] &- labelStart)
      labelStart = labelEnds[column]
      let kind = kinds[column]
      column &+= 1
      if kind.isBare {
        p = cscan_put(p, source, text.count)
        continue
      }
      p.pointee = UInt8(ascii: "\"")
      p += 1
      if kind.isTame {
        p = cscan_put(p, source, text.count)
      } else {
        guard cscan_copy_json(p, source, text.count) == text.count,
          kind == .text || cscan_has_break(source, text.count) == 0
        else { return false }
        p += text.count
      }
      p.pointee = UInt8(ascii: "\"")
      p += 1
    }
    p[0] = UInt8(ascii: "}")
    p[1] = 0x0A
    out.bytes.commit(upTo: p + rowEnd)
    return true
  }

  /// Writes these columns without values. Returns the end.
  @inline(__always)
  private func putNulls(_ columns: Range<Int>, at p: UnsafeMutablePointer<UInt8>)
    -> UnsafeMutablePointer<UInt8>
  {
    func end(_ columns: Int) -> Int {
      columns == 0 ? 0 : labelEnds[columns - 1] + columns * "null".utf8.count
    }
    let (start, end) = (end(columns.lowerBound), end(columns.upperBound))
    return cscan_put(p, nulls.start.assumingMemoryBound(to: UInt8.self) + start, end - start)
  }

  @inline(never)
  private mutating func writeValues(_ record: borrowing Record) throws(PipelineError) {
    var labelStart = 0
    for column in kinds.indices {
      let labelEnd = labelEnds[column]
      out.bytes.append(
        UnsafeRawBufferPointer(start: labels.start + labelStart, count: labelEnd - labelStart))
      labelStart = labelEnd
      let text = record.text(column)
      if text.count == 0 {
        out.bytes.append("null")
      } else if kinds[column].isBare {
        out.bytes.append(text)
      } else {
        try appendString(text, isVerbatim: kinds[column] == .verbatim)
      }
    }
    out.bytes.append(isArray ? "}" : "}\n")
    try out.flushIfFull()
  }

  mutating func handOn() throws(PipelineError) { try out.handOn() }

  mutating func write(rows: inout ByteBuffer) throws(PipelineError) { try out.write(&rows) }

  mutating func beginRow(isFirst: Bool) { self.isFirst = isFirst }

  package consuming func finish() throws(PipelineError) {
    if isArray { out.bytes.append("\n]\n") }
    try out.finish()
  }

  /// Appends a text of any length in quotes: what needs no escapes in pieces, and one escape after
  /// the other.
  private mutating func appendString(
    _ text: UnsafeRawBufferPointer, isVerbatim: Bool
  ) throws(PipelineError) {
    guard let source = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    out.bytes.append(UInt8(ascii: "\""))
    let hasBreak = isVerbatim && cscan_has_break(source, text.count) != 0
    var index = 0
    while index < text.count {
      let piece = min(text.count - index, hasBreak ? 0 : OutputBuffer<Output>.piece)
      out.bytes.reserve(piece)
      let end = out.bytes.start.assumingMemoryBound(to: UInt8.self) + out.bytes.count
      let copied = piece == 0 ? 0 : cscan_copy_json(end, source + index, piece)
      out.bytes.commit(copied)
      index += copied
      if hasBreak || copied < piece {
        index += JSONText.appendEscaped(text, at: index, to: &out.bytes)
      }
      try out.flushIfFull()
    }
    out.bytes.append(UInt8(ascii: "\""))
  }
}

/// Writes rejected records as NDJSON: `record`, `offset`, `field`, `value`, `reason`, `raw`.
final class RejectEncoder<Output: ByteStage & ~Copyable>: RejectReceiver, Rewindable {
  /// Bytes that are collected before they are handed on.
  private let size = 64 << 10
  private var output: Output?
  private var lines = ByteBuffer(capacity: 4096)

  init(into output: consuming Output) { self.output = consume output }

  func receive(_ reject: Reject) throws(PipelineError) {
    lines.append("{")
    if let input = reject.input {
      lines.append("\"input\":")
      append(Array(input.utf8))
      lines.append(",")
    }
    lines.append(string: "\"record\":\(reject.record),\"offset\":\(reject.offset),\"field\":")
    append(reject.field.map { Array($0.utf8) })
    lines.append(",\"value\":")
    append(reject.value)
    lines.append(string: ",\"reason\":\"\(reject.reason.rawValue)\",\"raw\":")
    append(reject.raw)
    lines.append("}\n")
    if lines.count >= size { try flush() }
  }

  /// Hands on the rest and finishes the sink. Throws if the output fails.
  func finish() throws(PipelineError) {
    try flush()
    try output.take()?.finish()
  }

  var position: Int { lines.count }

  func rewind(to position: Int) { lines.truncate(to: position) }

  private func flush() throws(PipelineError) {
    try output?.write(lines)
    lines.removeAll()
  }

  private func append(_ text: [UInt8]?) {
    guard let text else { return lines.append("null") }
    text.withUnsafeBytes { JSONText.appendString($0, to: &lines) }
  }
}

/// Writes statistics as one JSON object on one line.
enum StatisticsEncoder {
  private static let largeCalendar =
    "above 1000 events or 1 MB, which Google Calendar refuses; split it by a column in the name of "
    + "the output, or choose a part with --where"

  /// Returns the object, with a line feed. Each of several inputs has a line of its own after it.
  static func encode(_ statistics: Statistics) -> ByteBuffer {
    var json = JSONObject()
    json.add("read", statistics.read)
    json.add("kept", statistics.kept)
    json.add("filtered", statistics.filtered)
    json.add("skipped", statistics.skipped)
    json.add("rejected", statistics.rejected)
    json.add("rows", statistics.rows)
    json.open("reject_reasons")
    for reason in RejectReason.allCases {
      if let count = statistics.reasons[reason] { json.add(reason.rawValue, count) }
    }
    json.close()
    json.add("same_number", statistics.sameNumber)
    json.add("events", statistics.events)
    json.add("calendar_bytes", statistics.calendarBytes)
    json.add("calendar_warning", statistics.isLargeCalendar ? largeCalendar : nil)
    json.add("guarded_cells", statistics.guardedCells)
    json.add("first_day", statistics.days.map { "\($0.lowerBound)" })
    json.add("last_day", statistics.days.map { "\($0.upperBound)" })
    if !statistics.shares.isEmpty {
      json.open("shares")
      for share in statistics.shares {
        json.open(share.column)
        json.add("of", share.of)
        json.add("total", share.total)
        json.add("sum", share.sum)
        json.close()
      }
      json.close()
    }
    json.open("stages")
    for flow in statistics.flows {
      json.open(flow.stage.rawValue)
      if let count = flow.bytesIn { json.add("bytes_in", count) }
      if let count = flow.bytesOut { json.add("bytes_out", count) }
      json.close()
    }
    json.close()
    json.open("outputs")
    for output in statistics.written { json.add(output.path, output.bytes) }
    json.close()
    if let version = statistics.zonesVersion { json.add("tzdata", version) }
    if statistics.written.contains(where: { $0.files != nil }) {
      json.open("files")
      for output in statistics.written {
        if let files = output.files { json.add(output.path, files) }
      }
      json.close()
      json.add("large_site_calendars", statistics.largeSiteCalendars)
    }
    if !statistics.inputs.isEmpty { json.add("inputs", statistics.inputs.count) }
    json.add("seconds", milliseconds: statistics.seconds)
    var lines = json.finish()
    for input in statistics.inputs {
      let line = encode(input)
      lines.append(line.contents)
    }
    return lines
  }

  private static func encode(_ input: Statistics.Input) -> ByteBuffer {
    var json = JSONObject()
    json.add("input", input.name)
    json.add("bytes", input.bytes)
    json.add("content", input.content)
    json.add("modified", input.modified.map { InstantText.utc($0) })
    json.add("read", input.read)
    json.add("kept", input.kept)
    json.add("rejected", input.rejected)
    json.add("rows", input.rows)
    json.add("error", input.error.map { "\($0)" })
    return json.finish()
  }
}
