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
