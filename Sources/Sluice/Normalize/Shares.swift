/// Fills the columns of a row that are shares of a total. In a first reading it adds the row to the
/// totals instead.
struct ShareColumns: ~Copyable {
  /// A column of shares, with the column of their numbers.
  private struct Share {
    var column: Int
    var of: Int
    var name: String
    /// The index of that column's field, and its name in the feed.
    var field: Int?
    var key: String?
  }

  private let shares: ContiguousArray<Share>
  private let totals: ShareTotals?
  /// The columns that can filter records, for the error message.
  private let choices: [String]

  /// Makes the columns of a table; without totals its shares stay empty.
  init(_ table: Table, _ totals: ShareTotals?) {
    self.totals = totals
    choices = table.filterColumns
    let names = table.columns.map(\.name)
    shares = ContiguousArray(
      table.fields.compactMap { field in
        guard let name = field.shareOf, let of = names.firstIndex(of: name),
          let column = names.firstIndex(of: field.columns[0])
        else { return nil }
        let field = table.fields.firstIndex { $0.columns.first == name }
        let key = field.map { table.fields[$0].path.lastKey }
        return Share(column: column, of: of, name: name, field: field, key: key)
      })
  }

  /// Clears the shares of a row, which may not be a wanted one.
  @inline(__always)
  func clear(_ record: inout Record) {
    if totals != nil { clearAll(&record) }
  }

  @inline(never)
  private func clearAll(_ record: inout Record) {
    for share in shares { record.texts[share.column] = Record.Text() }
  }

  /// Adds the numbers of a row to their totals. Once the totals are known, fills the row's columns
  /// instead.
  ///
  /// Throws ``FeedFault`` if a value has no share. `number` and `offset` are the record's.
  @inline(never)
  func fill(_ record: inout Record, number: Int, at offset: Int) throws(PipelineError) {
    guard let totals else { return }
    for (index, share) in shares.enumerated() {
      let text = record.text(share.of)
      guard text.count > 0 else { continue }
      do throws(ExactDecimal.Fault) {
        let number = try ExactDecimal(text)
        guard totals.areKnown else {
          try totals.add(number, to: index)
          continue
        }
        if let thousandths = totals.share(of: number, index) {
          append(thousandths, share.column, to: &record)
        }
      } catch {
        let text = String(decoding: text.prefix(200), as: UTF8.self)
        throw fault(error, text, share, number: number, at: offset)
      }
    }
  }

  /// Appends thousandths of a percent with their three decimals.
  private func append(_ thousandths: Int, _ column: Int, to record: inout Record) {
    let start = record.bytes.count
    record.bytes.append(string: String(thousandths / 1000))
    record.bytes.append(".")
    for place in [100, 10, 1] {
      record.bytes.append(UInt8(ascii: "0") + UInt8(thousandths / place % 10))
    }
    record.setText(column, from: start)
  }

  /// Throws ``FeedFault`` if a record is about to be rejected for the number of a share. Without it
  /// all other shares would be wrong.
  func check(_ flaw: Flaw, _ value: [UInt8]?, number: Int, at offset: Int)
    throws(PipelineError)
  {
    guard totals != nil, let field = flaw.field,
      let share = shares.first(where: { $0.field == field })
    else { return }
    switch flaw.reason {
    case .notADecimal, .notAnInteger, .wrongKind, .duplicateKey:
      let text = value.map { String(decoding: $0.prefix(200), as: UTF8.self) }
      throw fault(.notANumber, text, share, number: number, at: offset)
    default: return
    }
  }

  private func fault(
    _ fault: ExactDecimal.Fault, _ text: String?, _ share: Share, number: Int, at offset: Int
  ) -> PipelineError {
    let reason: ShareFault =
      switch fault {
      case .notANumber: .notANumber(text)
      case .negative: .negative(text ?? "")
      case .tooLong, .notAPart: .tooLong(limit: ExactDecimal.most)
      }
    return PipelineError(
      .normalize(.share(reason, of: share.name, choices: choices)), at: offset, record: number,
      field: share.key)
  }

  /// Ends the first reading. Throws ``FeedFault`` if a total is zero, because it has no shares.
  func checkTotals() throws(PipelineError) {
    guard let totals, !totals.areKnown, let share = totals.end() else { return }
    throw PipelineError(
      .normalize(.share(.zeroTotal, of: share.of, choices: choices)), at: nil)
  }
}

/// The totals of one table's shares, kept from one reading of the input to the next.
///
///     first reading: 1.5, 3, 6, 1.5 ─▶ total 12.0      second: 1.5 ─▶ 12.500, 3 ─▶ 25.000, …
///                                                                     ╰── sum 100.000
final class ShareTotals {
  /// A column of shares.
  struct Share {
    /// Its name, and the name of the column of its numbers.
    let column: String
    let of: String
    /// The sum of that column's numbers, and whether there were any.
    var total = ExactDecimal()
    var hasValues = false
    /// The sum of the shares as written, in thousandths of a percent.
    var sum = 0
  }

  private(set) var shares: [Share]
  /// Whether all rows have been added. From then on shares are written.
  private(set) var areKnown = false

  /// Makes totals of zero; nil if the table has no shares.
  init?(_ table: Table) {
    shares = table.fields.compactMap { field in
      field.shareOf.map { Share(column: field.columns[0], of: $0) }
    }
    if shares.isEmpty { return nil }
  }

  /// Adds a number to the total of a share. Throws ``ExactDecimal/Fault`` if the total has too many
  /// digits.
  func add(_ number: ExactDecimal, to index: Int) throws(ExactDecimal.Fault) {
    try shares[index].total.add(number)
    shares[index].hasValues = true
  }

  /// Ends the adding of rows. Returns the first share whose numbers are all zero; nil if there is
  /// none.
  func end() -> Share? {
    areKnown = true
    return shares.first { $0.hasValues && $0.total.isZero }
  }

  /// Returns a number's share in thousandths of a percent, and adds it to the sum. Returns nil if
  /// the number is not a part of the total, because the input has changed since the first reading.
  func share(of number: ExactDecimal, _ index: Int) -> Int? {
    guard let share = try? number.thousandthsOfPercent(of: shares[index].total) else { return nil }
    shares[index].sum += share
    return share
  }

  /// Returns the totals for the statistics. With several tables, `table` is put before the names of
  /// columns.
  func statistics(of table: String?) -> [Statistics.Share] {
    shares.map { share in
      let sum = String(share.sum % 1000 + 1000).dropFirst()
      return Statistics.Share(
        column: (table.map { "\($0)." } ?? "") + share.column, of: share.of,
        total: share.total.description, sum: "\(share.sum / 1000).\(sum)")
    }
  }
}
