// The address of a record that is rejected: what else of it can be read.

extension RowBuilder {
  /// Returns the address of a record rejected for this flaw; nil if it is unknown.
  ///
  /// Only one flaw of a record is kept, so each part of the address is judged again.
  mutating func address(despite flaw: Flaw) -> UInt64? {
    guard plan.keyNumberColumn != nil, let field = flaw.field, !flaws.isRecordUnread else {
      return nil
    }
    for index in plan.keyFields {
      guard field != index, !slots[index].isUnreadable, isReadable(index) else { return nil }
    }
    return hashAddress()
  }

  /// Returns whether a part of the address has a value of its kind. An empty value is a part of an
  /// address unless the field is required.
  private func isReadable(_ index: Int) -> Bool {
    let reading = plan.readings[index]
    let text = record.text(reading.column)
    guard text.count > 0 else { return !reading.isRequired && reading.isReadAtOnce }
    switch reading.kind {
    case .text, .verbatim: return true
    case .integer: return DecimalText.isInteger(text)
    case .flag: return FlagText.isFlag(text)
    // No feed has them in its key.
    case .decimal, .day, .instant, .period, .share: return false
    }
  }
}
