/// Looks for columns without a value in any row: a path that is misspelt gives one.
struct ColumnCheck: RecordStage, ~Copyable {
  /// What was found, which outlives the check.
  final class Finding {
    fileprivate var isFilled: [Bool]
    fileprivate var rows = 0
    private let columns: [String]

    /// Makes a finding about the columns of rows.
    init(_ columns: [String]) {
      self.columns = columns
      isFilled = columns.map { _ in false }
    }

    /// The columns that are empty in all rows; none where there are no rows.
    var empty: [String] {
      rows == 0 ? [] : zip(columns, isFilled).filter { !$0.1 }.map(\.0)
    }
  }

  private let finding: Finding

  init(finding: Finding) { self.finding = finding }

  mutating func write(_ record: borrowing Record) {
    finding.rows += 1
    for column in finding.isFilled.indices where record.text(column).count > 0 {
      finding.isFilled[column] = true
    }
  }

  consuming func finish() {}
}
