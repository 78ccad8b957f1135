/// Writes statistics as one JSON object on one line.
enum StatisticsEncoder {
  private static let largeCalendar =
    "above 1000 events or 1 MB, which Google Calendar refuses; choose a part with --where"

  /// The object, with a line feed.
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
    json.add("seconds", milliseconds: statistics.seconds)
    return json.finish()
  }
}
