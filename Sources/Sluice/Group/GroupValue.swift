/// One value of a group of rows, as far as they have come.
struct GroupValue {
  /// What is kept of different texts; more of them are only hinted at.
  private static let most = 32
  private static let longest = 4096
  private let value: EventGroup.Value
  private let column: Int
  private let unit: [UInt8]
  /// The number so far; of a range the smallest.
  private var number: SignedDecimal?
  /// Of a range the largest.
  private var last: SignedDecimal?
  /// The smallest or largest number as it was written.
  private var written: [UInt8] = []
  private var texts: [[UInt8]] = []
  private var length = 0
  private var hasMore = false

  /// `columns` are those of the rows.
  init(_ value: EventGroup.Value, columns: [String], _ language: Language) {
    self.value = value
    column = columns.firstIndex(of: value.column) ?? 0
    unit = value.unit.map { Array(" \($0[language])".utf8) } ?? []
  }

  /// Forgets all rows.
  mutating func clear() {
    number = nil
    last = nil
    texts.removeAll(keepingCapacity: true)
    length = 0
    hasMore = false
  }

  /// Takes a row into account; throws where its number cannot be reckoned with.
  mutating func add(_ record: borrowing Record) throws(ExactDecimal.Fault) {
    let text = record.text(column)
    guard text.count > 0 else { return }
    guard value.verb.isOfNumbers else { return addText(text) }
    try add(SignedDecimal(text), text)
  }

  /// Says why the value of a row cannot be reckoned with.
  func fault(_ record: borrowing Record) -> FeedFault {
    let text = record.text(column).prefix(200)
    return .notReckonable(column: value.column, value: String(decoding: text, as: UTF8.self))
  }

  private mutating func add(_ new: SignedDecimal, _ text: UnsafeRawBufferPointer)
    throws(ExactDecimal.Fault)
  {
    guard var number else {
      (self.number, last, written) = (new, new, Array(text))
      return
    }
    switch value.verb {
    case .least where new.isLess(than: number), .greatest where number.isLess(than: new):
      (self.number, written) = (new, Array(text))
    case .range:
      if new.isLess(than: number) { self.number = new }
      if let last, last.isLess(than: new) { self.last = new }
    case .sum:
      try number.add(new)
      self.number = number
    case .least, .greatest, .texts: break
    }
  }

  private mutating func addText(_ text: UnsafeRawBufferPointer) {
    guard !hasMore, !texts.contains(where: { $0.elementsEqual(text) }) else { return }
    guard texts.count < Self.most, length + text.count <= Self.longest else {
      hasMore = true
      return
    }
    texts.append(Array(text))
    length += text.count
  }

  /// What the rows make together; nothing where none had a value.
  var text: [UInt8] {
    var text: [UInt8] = []
    switch value.verb {
    case .least, .greatest:
      guard let number else { return [] }
      if value.places == nil { text += written } else { append(number, to: &text) }
    case .sum:
      guard let number else { return [] }
      append(number, to: &text)
    case .range:
      guard let number, let last else { return [] }
      append(number, to: &text)
      var end: [UInt8] = []
      append(last, to: &end)
      if text != end { text += "…".utf8 + end }
    case .texts:
      text = Array(texts.joined(separator: ", ".utf8))
      if hasMore { text += ", …".utf8 }
      return text
    }
    return text + unit
  }

  private func append(_ number: SignedDecimal, to text: inout [UInt8]) {
    (value.places.map { number.rounded(to: $0) } ?? number).append(to: &text)
  }
}
