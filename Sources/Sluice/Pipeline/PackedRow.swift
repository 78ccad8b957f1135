import CSluice

/// A row as bytes, which another thread reads, or the same one later.
///
///     head: key, days, numbers of columns and events │ events │ length of each text │ texts
///
/// The numbers are in the machine's own byte order: the bytes do not outlive the process.
struct PackedRow: ~Copyable {
  private struct Head: BitwiseCopyable {
    var keyNumber: UInt64
    var keyCheck: UInt64
    var firstDay: Day
    var lastDay: Day
    var columns: UInt32
    var events: UInt16
    var hasDays: Bool
    var isEvent: Bool
  }

  /// The row that was read last. Its texts stay in the bytes that it was read from.
  private(set) var record = Record(columns: 0)

  /// Appends all that a record has. Without `texts` they are missing.
  static func append(
    _ row: borrowing Record, texts: Bool = true, to buffer: inout ByteBuffer
  ) {
    let columns = texts ? row.texts.count : 0
    buffer.reserve(
      MemoryLayout<Head>.size + row.events.count * MemoryLayout<EventDays>.stride
        + columns * MemoryLayout<UInt32>.size + (texts ? row.length : 0))
    let start = buffer.start + buffer.count
    // A row has 100 events at most.
    start.storeBytes(
      of: Head(
        keyNumber: row.keyNumber, keyCheck: row.keyCheck, firstDay: row.firstDay,
        lastDay: row.lastDay, columns: UInt32(columns), events: UInt16(row.events.count),
        hasDays: row.hasDays, isEvent: row.isEvent), as: Head.self)
    var end = start + MemoryLayout<Head>.size
    for event in row.events {
      end.storeBytes(of: event, as: EventDays.self)
      end += MemoryLayout<EventDays>.stride
    }
    for column in 0..<columns {
      end.storeBytes(of: UInt32(row.texts[column].count), as: UInt32.self)
      end += MemoryLayout<UInt32>.size
    }
    for column in 0..<columns {
      let text = row.text(column)
      guard text.count > 0, let source = text.baseAddress else { continue }
      end = UnsafeMutableRawPointer(
        cscan_put(
          end.assumingMemoryBound(to: UInt8.self), source.assumingMemoryBound(to: UInt8.self),
          text.count))
    }
    buffer.commit(end - start)
  }

  /// Reads the row at a place into ``record``, and returns the place after it. The texts are valid
  /// as long as the bytes.
  mutating func read(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
    guard let base = bytes.baseAddress else { return place }
    let head = (base + place).loadUnaligned(as: Head.self)
    (record.keyNumber, record.keyCheck) = (head.keyNumber, head.keyCheck)
    (record.firstDay, record.lastDay) = (head.firstDay, head.lastDay)
    (record.hasDays, record.isEvent) = (head.hasDays, head.isEvent)
    if Int(head.columns) != record.texts.count {
      record.texts = FixedArray(repeating: Record.Text(), count: Int(head.columns))
    }
    if Int(head.events) != record.events.count {
      record.events = ContiguousArray(repeating: EventDays(), count: Int(head.events))
    }
    var index = place + MemoryLayout<Head>.size
    for event in record.events.indices {
      record.events[event] = (base + index).loadUnaligned(as: EventDays.self)
      index += MemoryLayout<EventDays>.stride
    }
    var end = index + record.texts.count * MemoryLayout<UInt32>.size
    for column in record.texts.indices {
      let count = Int((base + index).loadUnaligned(as: UInt32.self))
      record.texts[column] = Record.Text(base: base, start: end, count: count)
      index += MemoryLayout<UInt32>.size
      end += count
    }
    return end
  }
}
