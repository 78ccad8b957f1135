extension Normalizer where Next: ~Copyable {
  mutating func reject(
    _ reason: RejectReason, _ field: Int?, value: [UInt8]?, _ raw: UnsafeRawBufferPointer
  ) throws(PipelineError) {
    try checkShares(reason, field, value: value)
    tally.rejected.increase()
    tally.reasons.withLock { $0[reason, default: 0] += 1 }
    guard let receiver = options.rejects else { return }
    let key = reason == .wrongKind ? blockedKey : nil
    try receiver.receive(
      Reject(
        record: tally.read.value, offset: recordOffset,
        field: field.map { plan.entries[$0].name } ?? key, value: value, reason: reason,
        raw: Array(UTF8Encoding.prefix(raw, Limits.captured))))
  }

  /// Tells of a record that is refused for this field, nil for the record itself; where the address
  /// is what is wrong, nobody can tell whose record it is.
  mutating func noteRefusal(_ flawed: Int?) {
    guard options.keepsBook else { return }
    guard addressColumn != nil, let flawed, !addressFields.contains(flawed),
      addressFields.allSatisfy({
        !plan.entries[$0].isRequired || record.texts[plan.entries[$0].column].count > 0
      })
    else { return next.refuse(address: nil) }
    next.refuse(address: address.hash(record))
  }

  /// The text of a field as it came; nil where there is none.
  func rawText(_ index: Int) -> [UInt8]? {
    let text =
      plan.readings[index].isReadAtOnce
      ? record.texts[plan.entries[index].column] : slots[index].raw
    guard text.count > 0 else { return nil }
    return Array(UTF8Encoding.prefix(record.text(text), Limits.captured))
  }

  /// The text of a value that is wrong as such; nil where it lies behind what is kept of `raw`.
  func value(of flaw: Flaw, in raw: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let container = flaw.container, flaw.field != nil else { return flaw.value }
    let start = container.lowerBound - recordOffset
    let end = min(container.upperBound - recordOffset, raw.count)
    guard start >= 0, start < end else { return nil }
    return Array(
      UTF8Encoding.prefix(UnsafeRawBufferPointer(rebasing: raw[start..<end]), Limits.captured))
  }

  /// Checks that the document was this feed's and that few enough records were refused.
  mutating func checkEnd() throws(PipelineError) {
    // Where a null stood for it, the way is right.
    if gone < plan.steps.count, nothing <= gone, lack != nil || plan.steps[gone] != .each {
      throw lack
        ?? fault(
          .missing(
            path: Path(Array(plan.steps.prefix(gone + 1))).description,
            keys: keys.at(depth: gone + 1)), at: nil)
    }
    let read = tally.read.value
    if read > blocked, !keys.areKnown {
      let expected = plan.entries.filter { $0.arrays == plan.rowArrays }.map(\.name)
      let found = keys.at(depth: plan.steps.count + 1)
      throw fault(.noKnownKey(expected: expected, keys: found), at: nil)
    }
    let judged = read - tally.filtered.value
    guard options.limit.allows(tally.rejected.value, of: judged) else {
      throw fault(
        .tooManyRejects(rejected: tally.rejected.value, of: judged, limit: options.limit), at: nil)
    }
    try checkTotals()
    if read > 0, let (column, nearest) = filter.blame {
      let name = plan.columns[column]
      tally.blame.withLock { $0 = (name, nearest) }
    }
  }
}
