/// Turns the tokens of a feed into its rows.
///
/// What it reads, and where, a ``Feed`` says; it knows no feed itself. A record's values are
/// copied once, as they come, into one reused piece of memory; when the record ends it is judged
/// and becomes rows, or is skipped, filtered away or refused. Records are counted in `tally`.
///
///     [ {"№ дома": " 65 ", "Период…": "22.06.2020-05.07.2020, 1.8.2020"}, …
///       ^ beginRecord      ^ store                                      ^ judge: two rows
///
/// Throws ``FeedFault`` where the document is not this feed's, and at the end where more records
/// were refused than the limit allows.
struct Normalizer<Next: RecordStage & ~Copyable>: TokenStage, ~Copyable {
  var next: Next
  let plan: RowPlan
  let options: NormalizerOptions
  let tally: Tally
  var cursor: PathCursor
  var record: Record
  var filter: Filter
  let addressColumn: Int?
  var address: AddressHash
  /// The fields that an address is made of.
  let addressFields: [Int]
  var cell: PeriodCell
  /// What was read of each field.
  var slots: FixedArray<Slot>
  /// The fields of records that are handed on as wholes, in the order of their values.
  var objectFields = FixedArray(repeating: ObjectField(), count: RecordShape.most)
  /// The record before was handed on as a whole.
  var followsObject = false
  /// The lists around a record, outermost first.
  var levels: ContiguousArray<Level>
  /// What is wrong with the record in hand: the first thing.
  var flaw: Flaw?
  /// The last day of the record in hand, where a field of its own tells it.
  var endDay: Day?
  /// The record in hand: where it and its texts begin.
  var inRecord = false
  var recordOffset = 0
  var recordStart = 0
  /// How many elements of the outermost list have come, where these are not the rows.
  var elements = 0
  /// How far the way to the rows was gone, for an error that says where it broke off.
  var gone = 0
  /// The furthest that a null stood in for the rest of the way.
  var nothing = 0
  /// Where the way broke off first, as long as nothing has gone further.
  var lack: PipelineError?
  /// The object or array in hand that the way cannot go through.
  var wrongWay: WrongWay?
  /// How many values were refused that the way could not go through.
  var blocked = 0
  /// The key of the last of them; a flaw of a wrong kind without a field is there.
  var blockedKey = ""
  var keys = KeysSeen()

  init(
    _ feed: Feed, options: NormalizerOptions, into next: consuming Next, tally: Tally
  ) {
    plan = RowPlan(feed)
    self.options = options
    self.next = next
    self.tally = tally
    cursor = PathCursor(plan.tree)
    let columns = feed.columns
    record = Record(columns: feed.width)
    filter = Filter(options.conditions, feed)
    addressColumn = feed.addressIndex
    let parts = feed.address?.parts ?? []
    address = AddressHash(columns: parts.compactMap { columns.firstIndex(of: $0) })
    addressFields = feed.fields.indices.filter {
      feed.fields[$0].columns.contains(where: parts.contains)
    }
    cell = PeriodCell(skip: plan.skip)
    slots = FixedArray(repeating: Slot(), count: feed.fields.count)
    levels = ContiguousArray(repeating: Level(), count: plan.rowArrays)
  }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    let node = cursor.step(kind, text)
    if inRecord, offset &- recordOffset > Limits.record {
      throw fault(.recordTooLong(limit: Limits.record), at: recordOffset, record: number)
    }
    if kind == .key, !inRecord || !keys.areKnown, cursor.isOnWay {
      keys.see(text, depth: cursor.depth)
    }
    guard node >= 0 else { return .proceed }
    switch plan.roles[node] {
    case .field(let index):
      guard kind == .key else { return try store(kind, text, index, at: offset) }
      if inRecord { keys.areKnown = true }
      return .proceed
    case .row:
      return try row(kind, text, at: offset)
    case .way, .rows, .parent:
      return kind == .key ? .proceed : try walk(kind, text, node, at: offset)
    }
  }

  consuming func finish() throws(PipelineError) {
    try checkEnd()
    tally.elements.set(plan.elementPlace == nil ? tally.read.value : elements)
    try next.finish()
  }

  /// The number of the record in hand, from 1.
  var number: Int { tally.read.value + 1 }

  func fault(_ fault: FeedFault, at offset: Int?, record: Int? = nil, field: String? = nil)
    -> PipelineError
  {
    PipelineError(.normalize(fault), at: offset, record: record, field: field)
  }
}

/// What the user asks of the normalizer.
struct NormalizerOptions {
  var conditions: [Condition] = []
  /// The days that a row must overlap, both inclusive.
  var from: Day?
  var to: Day?
  var limit = RejectLimit.standard
  var rejects: (any RejectReceiver)?
  /// Somebody keeps book of the whole feed, whatever is asked of it: rows of records that are
  /// filtered away are passed over too, and the addresses of refused ones are told.
  var keepsBook = false
  /// The totals that shares are of; nil where there are no shares, or nobody wants them.
  var shares: ShareTotals?

  /// The same for a second reading: what is refused has been counted.
  var again: NormalizerOptions {
    var options = self
    options.limit = .count(.max)
    return options
  }
}

/// What was read of one field.
struct Slot: BitwiseCopyable {
  /// A value was there.
  var isSet = false
  /// A second value was there.
  var isDuplicate = false
  /// The text as it came, where the field's rule reads it later.
  var raw = Record.Text()
}

/// A list on the way to the rows, as it stands around the record in hand.
struct Level {
  /// Where the texts of its element begin in the record's bytes.
  var start = 0
  /// Rows have come: a field for all of them comes too late.
  var hasRows = false
  /// The way to the rows went on through its element.
  var isPassed = false
  /// What is wrong with its fields: the first thing.
  var flaw: Flaw?
}

/// What is wrong with a record before its texts are even read.
struct Flaw {
  var reason: RejectReason
  /// The field; nil where the record itself is wrong.
  var field: Int?
  /// The value's text; of an object or array, where it lies in the document.
  var value: [UInt8]?
  var container: Range<Int>?
}

/// A value on the way to the rows that is of another kind than the way asks for.
struct WrongWay {
  /// Its place on the way.
  var index: Int
  var found: TokenKind
  var offset: Int
  /// How many containers are around what is in it.
  var depth: Int
}

/// The keys that are there, kept until a record has one of the feed's.
struct KeysSeen {
  private static let kept = 20
  /// A record has had one of the feed's keys.
  var areKnown = false
  private var names: [(depth: Int, name: String)] = []

  mutating func see(_ text: RawSpan, depth: Int) {
    let name = text.withUnsafeBytes { String(decoding: $0.prefix(200), as: UTF8.self) }
    guard names.count < Self.kept, !names.contains(where: { $0.name == name && $0.depth == depth })
    else { return }
    names.append((depth, name))
  }

  /// Forgets the keys of objects that at least this many containers are around.
  mutating func forget(from depth: Int) { names.removeAll { $0.depth >= depth } }

  /// The keys of objects that this many containers are around, themselves included.
  func at(depth: Int) -> [String] { names.filter { $0.depth == depth }.map(\.name) }
}
