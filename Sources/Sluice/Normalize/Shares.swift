extension Normalizer where Next: ~Copyable {
  /// Leaves the shares of a row empty: it may be none that is wanted.
  mutating func clearShares() {
    for share in plan.shares { record.texts[share.column] = Record.Text() }
  }

  /// Adds the row's numbers to their totals or, once these are known, makes columns of its shares.
  @inline(never)
  mutating func share(_ totals: ShareTotals) throws(PipelineError) {
    for (index, share) in plan.shares.enumerated() {
      let text = record.text(share.of)
      guard text.count > 0 else { continue }
      do throws(ExactDecimal.Fault) {
        let number = try ExactDecimal(text)
        guard totals.areKnown else {
          try totals.add(number, to: index)
          continue
        }
        if let thousandths = totals.share(of: number, index) {
          appendShare(thousandths, share.column)
        }
      } catch {
        throw shareFault(error, String(decoding: text.prefix(200), as: UTF8.self), share)
      }
    }
    record.bytes.reserve(16)
  }

  /// Appends thousandths of a percent with their three decimals.
  private mutating func appendShare(_ thousandths: Int, _ column: Int) {
    let start = record.bytes.count
    record.bytes.reserve(32)
    record.bytes.append(string: String(thousandths / 1000))
    record.bytes.append(".")
    for place in [100, 10, 1] {
      record.bytes.append(UInt8(ascii: "0") + UInt8(thousandths / place % 10))
    }
    record.setText(column, from: start)
  }

  /// Throws where a record is about to be refused for a value that a share is of: without it every
  /// share would be wrong.
  func checkShares(_ reason: RejectReason, _ field: Int?, value: [UInt8]?) throws(PipelineError) {
    guard options.shares != nil, let field,
      let share = plan.shares.first(where: { $0.of == plan.entries[field].column })
    else { return }
    switch reason {
    case .notADecimal, .notAnInteger, .wrongKind, .duplicateKey:
      let text = value.map { String(decoding: $0.prefix(200), as: UTF8.self) }
      throw shareFault(.notANumber, text, share)
    default: return
    }
  }

  private func shareFault(_ fault: ExactDecimal.Fault, _ text: String?, _ share: RowPlan.Share)
    -> PipelineError
  {
    let reason: ShareFault =
      switch fault {
      case .notANumber: .notANumber(text)
      case .negative: .negative(text ?? "")
      case .tooLong, .notAPart: .tooLong(limit: ExactDecimal.most)
      }
    let field = plan.entries.first { $0.columns.contains(share.of) }?.name
    return self.fault(
      .share(reason, of: plan.columns[share.of], choices: plan.filterColumns), at: recordOffset,
      record: tally.read.value,
      field: field)
  }

  /// Checks that there are shares of what was added up.
  func checkTotals() throws(PipelineError) {
    guard let totals = options.shares, !totals.areKnown, let share = totals.end() else { return }
    throw fault(
      .share(.zeroTotal, of: share.of, choices: plan.filterColumns), at: nil)
  }
}

/// The totals that the shares of one table are of, from one reading of the input to the next.
///
///     first reading: 1.5, 3, 6, 1.5 ─▶ total 12.0      second: 1.5 ─▶ 12.500, 3 ─▶ 25.000, …
///                                                                     ╰── sum 100.000
final class ShareTotals {
  /// A column of shares.
  struct Share {
    /// Its name, and that of the column that it is a share of.
    let column: String
    let of: String
    /// The sum of that column's numbers, and whether there was one.
    var total = ExactDecimal()
    var hasValues = false
    /// The sum of the shares as they are written, in thousandths of a percent.
    var sum = 0
  }

  private(set) var shares: [Share]
  /// All rows have been added up: from here on shares are written.
  private(set) var areKnown = false

  /// Makes totals of nothing; nil where the feed has no shares.
  init?(_ feed: Feed) {
    shares = feed.fields.compactMap { field in
      field.shareOf.map { Share(column: field.columns[0], of: $0) }
    }
    if shares.isEmpty { return nil }
  }

  /// Adds a number to the total of a share.
  func add(_ number: ExactDecimal, to index: Int) throws(ExactDecimal.Fault) {
    try shares[index].total.add(number)
    shares[index].hasValues = true
  }

  /// Says that all rows have been added up; gives the share that there is none of, where one has
  /// numbers and they are all zero.
  func end() -> Share? {
    areKnown = true
    return shares.first { $0.hasValues && $0.total.isZero }
  }

  /// A number's share in thousandths of a percent, which is about to be written; nil where it is
  /// no part of the total: the input is not what it was.
  func share(of number: ExactDecimal, _ index: Int) -> Int? {
    guard let share = try? number.thousandthsOfPercent(of: shares[index].total) else { return nil }
    shares[index].sum += share
    return share
  }

  /// The totals for the statistics; a table's name stands before a column where there are several
  /// tables.
  func statistics(of table: String?) -> [Statistics.Share] {
    shares.map { share in
      let sum = String(share.sum % 1000 + 1000).dropFirst()
      return Statistics.Share(
        column: (table.map { "\($0)." } ?? "") + share.column, of: share.of,
        total: share.total.description, sum: "\(share.sum / 1000).\(sum)")
    }
  }
}
