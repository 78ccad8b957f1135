import CScan

/// A field of records that are handed on as wholes.
struct ObjectField: BitwiseCopyable {
  /// The field's number; -1 where the feed does not know the key.
  var index = -1
  /// Its column, where its rule is text; else -1.
  var textColumn = -1
  /// The last text needed no tidying, if it was not short.
  var isTidy = false
}

extension Normalizer where Next: ~Copyable {
  /// Bytes of a text that is looked at with one vector.
  private static var shortText: Int { 16 }

  /// Takes records as wholes that have some of the feed's keys, none of them twice.
  mutating func recognize(_ names: [UnsafeRawBufferPointer]) -> Bool {
    var known: Set<Int> = []
    for (place, name) in names.enumerated() {
      objectFields[place] = ObjectField()
      guard
        case .field(let index)? = plan.tree.node(of: name, in: plan.rowNode).map({ plan.roles[$0] })
      else { continue }
      let reading = plan.readings[index]
      // What becomes a column as it comes, but for texts, is read from tokens.
      guard known.insert(index).inserted, reading.isText || !reading.isReadAtOnce else {
        return false
      }
      objectFields[place].index = index
      if reading.isText { objectFields[place].textColumn = reading.column }
    }
    return !known.isEmpty
  }

  /// Takes a record. Its texts stay where they are, but for those that have to be tidied.
  mutating func object(
    _ values: UnsafeBufferPointer<ObjectValue>, _ raw: UnsafeRawBufferPointer, at offset: Int
  ) throws(PipelineError) {
    recordOffset = offset
    recordStart = record.bytes.count
    record.hasDays = false
    endDay = nil
    if !followsObject {
      // What these records do not have stays empty from here on.
      clearSlots(arrays: plan.rowArrays)
      flaw = nil
      followsObject = true
    }
    for place in 0..<values.count {
      let field = objectFields[place]
      if field.textColumn >= 0 {
        // A short text is looked at sooner than asked after.
        let isKnownTidy =
          values[place].count > Self.shortText && values[place].isRepeated && field.isTidy
        setText(field.textColumn, values[place], isKnownTidy, place)
      } else if field.index >= 0 {
        setRaw(field.index, values[place])
      }
    }
    try judge(raw)
    record.bytes.truncate(to: recordStart)
  }

  @inline(__always)
  private mutating func setText(
    _ column: Int, _ value: ObjectValue, _ isKnownTidy: Bool, _ place: Int
  ) {
    let isTidy = isKnownTidy || cscan_is_tidy(value.start, value.count) != 0
    // Of a text that is long enough to be asked for.
    if !isKnownTidy, value.count > Self.shortText { objectFields[place].isTidy = isTidy }
    if isTidy {
      record.texts[column] = Record.Text(base: value.start, count: value.count)
    } else {
      let start = record.bytes.count
      WhiteSpace.appendCollapsed(value.text, to: &record.bytes)
      record.setText(column, from: start)
    }
  }

  @inline(__always)
  private mutating func setRaw(_ field: Int, _ value: ObjectValue) {
    slots[field].raw = Record.Text(base: value.start, count: value.count)
    let reading = plan.readings[field]
    for column in reading.column..<reading.columnsEnd { record.texts[column] = Record.Text() }
  }
}
