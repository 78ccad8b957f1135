/// A file that is being written.
struct OpenFile {
  let output: Output
  /// The tables in it.
  let tables: Range<Int>
  /// The selections that choose its rows; empty if it gets all that come.
  var selectors: [RowSelector] = []
}

/// A site that is being written.
struct OpenSite {
  let site: SiteEncoder
  /// The table in it.
  let table: Int
  let output: Conversion.Output
  /// The selection that chooses its rows; nil if it gets all that come.
  let selector: RowSelector?
}
