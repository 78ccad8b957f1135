extension Normalizer where Next: ~Copyable {
  /// Forgets what was read of the fields that stand at this level.
  mutating func clearSlots(arrays: Int) {
    let isOwn = arrays == plan.rowArrays
    for index in slots.indices where plan.readings[index].isOwn == isOwn {
      guard isOwn || plan.entries[index].arrays == arrays else { continue }
      slots[index] = Slot()
      let reading = plan.readings[index]
      for column in reading.column..<reading.columnsEnd { record.texts[column] = Record.Text() }
    }
  }

  /// Begins or ends a record.
  mutating func row(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    switch kind {
    case .endObject, .endArray:
      if offset &+ 1 &- recordOffset > Limits.record {
        throw fault(.recordTooLong(limit: Limits.record), at: recordOffset, record: number)
      }
      inRecord = false
      try text.withUnsafeBytes { (raw) throws(PipelineError) in try judge(raw) }
      record.bytes.truncate(to: recordStart)
      return .proceed
    default:
      followsObject = false
      recordOffset = offset
      recordStart = record.bytes.count
      flaw = nil
      record.hasDays = false
      endDay = nil
      clearSlots(arrays: plan.rowArrays)
      if kind == .beginObject || kind == .beginArray {
        inRecord = true
        guard kind == .beginArray else { return .record }
        flaw = Flaw(reason: text.byteCount > 0 ? .wrongFieldCount : .notAnObject)
        return .capture
      }
      flaw = Flaw(reason: .notAnObject)
      try text.withUnsafeBytes { (raw) throws(PipelineError) in
        try judge(JSONText.scalar(kind, raw))
      }
      record.bytes.truncate(to: recordStart)
      return .proceed
    }
  }

  /// Keeps a field's value. Of an object or array that stands around records the raw text is asked
  /// for; one inside a record is part of the record's.
  mutating func store(_ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    let arrays = plan.entries[index].arrays
    if !inRecord, arrays < plan.rowArrays, levels[arrays].hasRows {
      throw fault(
        .afterItsRows(field: plan.entries[index].name), at: offset, field: plan.entries[index].name)
    }
    switch kind {
    case .endObject, .endArray:
      closeFlaw(text, index, at: offset)
      return .proceed
    case _ where slots[index].isSet:
      slots[index].isDuplicate = true
      note(.duplicateKey, kind, text, index, at: offset)
    case .string, .number:
      let start = record.bytes.count
      if plan.readings[index].isText {
        text.withUnsafeBytes { WhiteSpace.appendCollapsed($0, to: &record.bytes) }
        record.setText(plan.readings[index].column, from: start)
      } else {
        record.bytes.append(text)
        slots[index].raw = Record.Text(start: start, count: record.bytes.count - start)
        switch plan.readings[index].rule {
        case .flag: storeFlag(index)
        case .verbatim: record.setText(plan.readings[index].column, from: start)
        case .text, .integer, .decimal, .day, .instant, .period, .share: break
        }
      }
    case .null: break
    default: storeOther(kind, text, index, at: offset)
    }
    slots[index].isSet = true
    return !inRecord && (kind == .beginObject || kind == .beginArray) ? .capture : .proceed
  }

  /// Keeps `true` or `false` where one is wanted; anything else is wrong.
  @inline(never)
  private mutating func storeOther(
    _ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int
  ) {
    guard plan.entries[index].rule == .flag, kind == .true || kind == .false else {
      return note(.wrongKind, kind, text, index, at: offset)
    }
    let start = record.bytes.count
    record.bytes.append(kind == .true ? "true" : "false")
    record.setText(plan.entries[index].column, from: start)
  }

  /// Makes a column of a word for true or false that was kept.
  @inline(never)
  private mutating func storeFlag(_ index: Int) {
    let raw = slots[index].raw
    let start = record.bytes.count
    record.bytes.reserve(raw.count + 16)
    WhiteSpace.appendCollapsed(
      UnsafeRawBufferPointer(start: record.bytes.start + raw.start, count: raw.count),
      to: &record.bytes)
    FlagText.tidy(&record.bytes, from: start)
    record.setText(plan.entries[index].column, from: start)
  }

  /// Remembers what is wrong, where nothing was before.
  private mutating func note(
    _ reason: RejectReason, _ kind: TokenKind, _ text: RawSpan, _ index: Int, at offset: Int
  ) {
    var flaw = Flaw(reason: reason, field: index)
    switch kind {
    case .beginObject, .beginArray: flaw.container = offset..<offset
    case .string, .number:
      flaw.value = text.withUnsafeBytes { Array(UTF8Encoding.prefix($0, Limits.captured)) }
    case .null: break
    default: flaw.value = JSONText.word(kind).map { Array("\($0)".utf8) }
    }
    if inRecord {
      if self.flaw == nil { self.flaw = flaw }
    } else {
      let level = plan.entries[index].arrays
      if levels[level].flaw == nil { levels[level].flaw = flaw }
    }
  }

  /// Says where the object or array that is wrong ends; of one around records, what it is.
  private mutating func closeFlaw(_ text: RawSpan, _ index: Int, at offset: Int) {
    guard !inRecord else {
      if let container = flaw?.container, container.isEmpty {
        flaw?.container = container.lowerBound..<offset + 1
      }
      return
    }
    let level = plan.entries[index].arrays
    guard levels[level].flaw?.container != nil else { return }
    levels[level].flaw?.container = nil
    levels[level].flaw?.value = text.withUnsafeBytes {
      Array(UTF8Encoding.prefix($0, Limits.captured))
    }
  }
}
