/// Rows that need no closer look, with the number of their key.
///
///     {"street":"Садовая","house":"3","off":"1.6.2020-14.6.2020"}
///
///     Садовая │ 3    │ 2020-06-01 │ 2020-06-14 │ 84a25ea9e5589252
///     └ part  └ part                           └ the hash of the parts
extension PlainRows {
  /// The number of a row's key.
  struct Key: ~Copyable {
    /// A row as it was read, and the number of its record.
    struct Origin: BitwiseCopyable {
      var number = 0
      var offset = 0
      var raw = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Its place in the ``RowSeries``, which is that in a narrow or in a wide one; -1 if it is not
    /// made.
    private(set) var place = -1
    private let places: (narrow: Int, wide: Int)
    /// Its parts in each of them, as ``KeyTexts`` has them.
    private let parts: (narrow: [Int], wide: [Int])
    fileprivate var number: KeyHash<FNV1a>
    /// Whether its check is made too.
    let isChecked: Bool
    fileprivate var checked: KeyHash<CheckedKey>
    /// The rows of the series as they were read, if keys are checked: one whose key has the number
    /// of another is reported.
    private let origins: FixedArray<Origin>

    /// Makes none.
    init() { self.init(places: (-1, -1), isChecked: false, narrow: [], wide: []) }

    /// Makes a number of these parts.
    init(places: (narrow: Int, wide: Int), isChecked: Bool, narrow: [Int], wide: [Int]) {
      self.places = places
      self.isChecked = isChecked
      parts = (narrow, wide)
      place = places.narrow
      number = KeyHash(narrow)
      checked = KeyHash(narrow)
      origins = FixedArray(repeating: Origin(), count: isChecked ? RowSeries.most : 0)
    }

    /// Whether it is made.
    var isMade: Bool {
      @inline(__always) get { place >= 0 }
    }

    /// Keeps where a row is written. The text of the record stays until the series is handed on.
    @inline(__always)
    func keep(_ whole: WholeRecord, number: Int, at row: Int) {
      origins.address[row] = Origin(number: number, offset: whole.offset, raw: whole.raw)
    }

    /// Returns a row as it was read.
    func origin(of row: Int) -> Origin { origins[row] }

    /// Takes it and its parts from the places of a wide series, or of a narrow one.
    mutating func setWide(_ isWide: Bool) {
      place = isWide ? places.wide : places.narrow
      number.setParts(isWide ? parts.wide : parts.narrow)
      checked.setParts(isWide ? parts.wide : parts.narrow)
    }
  }

  /// Whether the numbers of keys can be made in a series. A row whose key is checked must be a
  /// whole record, of which the text is there.
  static func keyIsPossible(
    _ plan: borrowing RowPlan, _ source: Source, checksKeys: Bool
  ) -> Bool {
    guard plan.keyNumberColumn != nil else { return true }
    return (!checksKeys || source == .records)
      && !plan.keyFields.contains { plan.readings[$0].kind == .period }
  }
}

extension RowBuilder {
  /// Sets the number of the key in the next row of the series, of which all other columns are set.
  @inline(never)
  mutating func putKeyNumber() {
    let texts = KeyTexts(ofNext: series, record)
    if plainRows.key.isChecked {
      (record.keyNumber, record.keyCheck) = plainRows.key.checked.state(of: texts).values
    } else {
      record.keyNumber = plainRows.key.number.state(of: texts).value
    }
    beginText()
    series.nextTexts[plainRows.key.place] = appendKeyNumber()
  }
}
