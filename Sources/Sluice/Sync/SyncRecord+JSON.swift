extension SyncRecord {
  /// The number that changes with what the fields mean.
  private static let format = 1

  /// The record as one flat JSON object, with a line feed.
  var encoded: ByteBuffer {
    var json = JSONObject()
    json.add("format", Self.format)
    json.add("feed", feed)
    json.add("input", input)
    json.add("ran", ran)
    json.add("result", result.rawValue)
    if let maxAge { json.add("max_age", maxAge) }
    if let publishing {
      json.add("publishing", publishing.payload)
      json.add("publishing_copy", publishing.slot.rawValue)
      json.add("publishing_source", publishing.source)
      json.add("publishing_day", "\(publishing.today)")
    }
    if let copy {
      json.add("copy", copy.slot.rawValue)
      json.add("size", copy.size)
      json.add("source", copy.source)
      json.add("payload", copy.payload)
      json.add("version", copy.version)
      json.add("taken", copy.taken)
      json.add("confirmed", copy.confirmed)
      json.add("read", copy.counts.read)
      json.add("kept", copy.counts.kept)
      json.add("filtered", copy.counts.filtered)
      json.add("skipped", copy.counts.skipped)
      json.add("rejected", copy.counts.rejected)
      json.add("rows", copy.counts.rows)
      json.add("last_day", copy.lastDay.map { "\($0)" })
      json.add("etag", copy.validators.entityTag)
      json.add("last_modified", copy.validators.lastModified)
      if copy.isDoubtful { json.add("doubtful", 1) }
    }
    return json.finish()
  }

  /// Takes the fields of a file; nil where they are not those of a record.
  init?(_ fields: FlatFields) {
    guard fields.number("format") == Self.format, let feed = fields.text("feed"),
      let input = fields.text("input"), let ran = fields.number("ran"),
      let result = fields.text("result").flatMap(Result.init)
    else { return nil }
    self.init(
      feed: feed, input: input, ran: ran, result: result, maxAge: fields.number("max_age"),
      publishing: Pending(fields))
    guard publishing != nil || fields.text("publishing") == nil else { return nil }
    guard let slot = fields.text("copy") else { return }
    guard let slot = Slot(rawValue: slot), let copy = Copy(fields, in: slot) else { return nil }
    self.copy = copy
  }
}

extension SyncRecord.Copy {
  fileprivate init?(_ fields: FlatFields, in slot: SyncRecord.Slot) {
    guard let size = fields.number("size"), let source = fields.text("source"),
      let payload = fields.text("payload"),
      let taken = fields.number("taken"), let confirmed = fields.number("confirmed"),
      let read = fields.number("read"), let kept = fields.number("kept"),
      let filtered = fields.number("filtered"), let skipped = fields.number("skipped"),
      let rejected = fields.number("rejected"), let rows = fields.number("rows")
    else { return nil }
    self.init(
      slot: slot, size: size, source: source, payload: payload, version: fields.text("version"),
      taken: taken, confirmed: confirmed,
      counts: SyncRecord.Counts(
        read: read, kept: kept, filtered: filtered, skipped: skipped, rejected: rejected,
        rows: rows),
      validators: HTTPValidators(
        entityTag: fields.text("etag"), lastModified: fields.text("last_modified")))
    isDoubtful = fields.number("doubtful") == 1
    lastDay = fields.day("last_day")
    if lastDay == nil, fields.text("last_day") != nil { return nil }
  }
}

extension SyncRecord.Pending {
  fileprivate init?(_ fields: FlatFields) {
    guard let payload = fields.text("publishing"), let source = fields.text("publishing_source"),
      let slot = fields.text("publishing_copy").flatMap(SyncRecord.Slot.init),
      let today = fields.day("publishing_day")
    else { return nil }
    self.init(slot: slot, source: source, payload: payload, today: today)
  }
}
