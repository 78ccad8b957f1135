import CSluice

/// Rows that need no closer look, from one container to the next.
///
///     {"orders":[{"id":7,"lines":[{…},{…}]},{"id":8,"lines":[{…},{…}]},…
///                                 └ ready  └ behind      └ ready again: id is right
///
/// Where containers are short, the ``RowSeries`` is wide and goes on. The texts of the fields
/// around its rows stay in the record's bytes until it is handed on.
extension PlainRows {
  /// A column of a field around the rows. Its text is kept while a series is handed on.
  struct Around: BitwiseCopyable {
    let index: Int
    /// Its place in a wide ``RowSeries``.
    let place: Int
    fileprivate var text = Record.Text()

    init(index: Int, place: Int) { (self.index, self.place) = (index, place) }
  }

  /// What is known of the container that the rows are in.
  struct Container {
    /// Whether it has ended, and nothing has come since but fields around rows.
    var hasEnded = false
    /// The level of the outermost element that has ended since.
    fileprivate(set) var endedLevel = 0
    /// The number of its rows that were handed on, and of the rows before it in the series.
    private var handedOn = 0
    private var before = 0
    /// The number of containers in a row that were short.
    private var shortOnes = 0

    /// Whether a series that ends with each of them is not worth its while.
    fileprivate var areShort: Bool { shortOnes > 1 }

    /// Begins after this number of rows of the series.
    @inline(__always)
    mutating func begin(at count: Int) { (hasEnded, handedOn, before) = (false, 0, count) }

    /// Notes that a series of this number of rows is handed on.
    @inline(__always)
    mutating func handOn(_ count: Int) { (handedOn, before) = (handedOn &+ count &- before, 0) }

    /// Ends when the series has this number of rows.
    @inline(__always)
    fileprivate mutating func end(at count: Int, level: Int) {
      let rows = handedOn &+ count &- before
      shortOnes = rows < 16 ? min(shortOnes &+ 1, 4) : 0
      (hasEnded, endedLevel) = (true, level)
    }
  }

  /// Returns the columns of the fields around rows with so many columns of their own, if they
  /// differ from container to container; nil if a series cannot go on.
  static func columnsAround(_ plan: borrowing RowPlan, rowColumns: Int) -> [Int]? {
    guard plan.rowArrays > 1, plan.judged.count <= 64 else { return nil }
    var columns: [Int] = []
    for index in plan.readings.indices {
      let reading = plan.readings[index]
      guard !reading.isOwn, reading.level > 0 else { continue }
      switch reading.kind {
      case .text, .integer, .decimal, .flag, .day, .instant, .time, .verbatim, .hidden: break
      case .period, .share, .occurrence: return nil
      }
      columns += reading.column..<reading.columnsEnd
    }
    columns += plan.madeAround.map { plan.readings[plan.made[$0].field].column }
    return rowColumns + columns.count <= RowSeries.mostColumns ? columns : nil
  }
}

extension RowBuilder {
  /// The most bytes that the texts of fields around the rows of a series may take.
  private static var mostBytesAround: Int { 32 << 10 }

  /// Whether the series goes on when a container ends. Otherwise it must be handed on before.
  var seriesGoesOn: Bool {
    @inline(__always) get {
      series.isWide && plainRows.container.areShort && record.bytes.count < Self.mostBytesAround
    }
  }

  /// Begins an element with records inside. Its `key` is that of ``noteKey(_:_:)`` unless it is
  /// given.
  mutating func beginParent(_ level: Int, key: ObjectToken? = nil, at offset: Int) {
    if !plainRows.container.hasEnded { leavePlainRows() }
    // The texts around the rows of the series begin with those of the outermost element that has
    // ended.
    if series.count == 0 || level > plainRows.container.endedLevel {
      parentStarts[level] = record.bytes.count
    }
    guard !plan.shape.isPlain else { return }
    if let key { storeKey(key, level, at: offset) } else { storeKey(level, at: offset) }
  }

  /// Stores the key of an element that begins.
  private mutating func storeKey(_ key: ObjectToken, _ level: Int, at offset: Int) {
    guard level < plan.shape.keyFields.count else { return }
    for field in plan.shape.keyFields[level] where !storeAround(key, field) {
      _ = store(.string, RawSpan(_unsafeBytes: key.text), field, at: offset)
    }
  }

  /// Ends an element with records inside, and drops its fields. Those of a series that goes on are
  /// kept.
  mutating func endParent(_ level: Int) {
    endContainer(level: level)
    flaws.end(level: level)
    if series.count == 0 { record.bytes.truncate(to: parentStarts[level]) }
    clearSlots(arrays: level)
  }

  /// Notes that the container of the rows has ended, with an element of this level.
  mutating func endContainer(level: Int) {
    if plainRows.areReady, plainRows.mayGoOn {
      plainRows.areReady = false
      plainRows.container.end(at: series.count, level: level)
    } else {
      if !plainRows.container.hasEnded { leavePlainRows() }
      plainRows.container.endedLevel = min(plainRows.container.endedLevel, level)
    }
  }

  /// Notes that a value of such a field has come: those between two containers change nothing for
  /// the rows.
  @inline(__always)
  mutating func notePlainRows(_ reading: RowPlan.Reading) {
    if reading.isOwn || reading.level == 0 || !plainRows.container.hasEnded { leavePlainRows() }
  }

  /// Prepares for the rows of a container, after another one. Returns false if they need a closer
  /// look.
  @inline(never)
  mutating func beginContainer() -> Bool {
    plainRows.container.hasEnded = false
    if !plainRows.giveDays { (record.hasDays, endDay) = (false, nil) }
    deriveAround()
    guard flaws.areNone, makeColumnsAround() else { return false }
    if series.count == 0, series.isWide != plainRows.container.areShort {
      setSeriesWide(plainRows.container.areShort)
    }
    for number in plainRows.around.indices {
      let index = plainRows.around[number].index
      let text = record.texts[index]
      guard text.base != nil else { continue }
      // What is kept of the last time may be another before the row is written.
      let start = record.bytes.count
      record.bytes.append(record.text(text))
      record.setText(index, from: start)
    }
    start = record.bytes.count
    plainRows.madeEnd = 0
    plainRows.areReady = true
    plainRows.container.begin(at: series.count)
    return true
  }

  // MARK: Handing on

  /// Keeps what is around the next row: the record becomes rows of the series.
  @inline(__always)
  mutating func keepAround() {
    guard series.isWide else { return }
    for number in plainRows.around.indices {
      let index = plainRows.around[number].index
      plainRows.around.address[number].text = record.texts[index]
    }
    plainRows.days = (record.firstDay, record.lastDay, record.hasDays)
  }

  /// Puts it back.
  @inline(__always)
  mutating func putAroundBack() {
    guard series.isWide else { return }
    for number in plainRows.around.indices {
      record.texts[plainRows.around[number].index] = plainRows.around[number].text
    }
    (record.firstDay, record.lastDay, record.hasDays) = plainRows.days
  }
}
