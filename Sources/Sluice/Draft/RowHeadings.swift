/// Finds what the values of rows that are lists are called.
///
///     {"columns": ["day", "close"], "data": [["2026-11-02", 1.5]]}             a list of texts
///     {"meta": [{"name": "day"}, {"name": "close"}], "data": [["2026-11-02", 1.5]]}    of objects
///     [["day", "close"], ["2026-11-02", 1.5]]                                  the first row
struct RowHeadings {
  /// Where headings stand.
  enum Origin {
    /// A list of texts, or of objects that have them.
    case list(Int)
    /// The first row. A document has to leave it out.
    case firstRow
  }

  /// The headings of the lists at a place. There is one for each value of the widest row.
  struct Found {
    let origin: Origin
    let names: [String]
  }

  /// Keys of objects that describe columns, the best first.
  private static let nameKeys = [
    "fieldName", "name", "field", "id", "key", "code", "label", "title", "text",
  ]

  /// Words in the key of a list of headings.
  private static let listWords: Set<Substring> = [
    "cols", "column", "columns", "field", "fields", "head", "header", "headers", "heading",
    "headings", "heads", "keys", "labels", "names", "schema", "titles", "stolbtsy", "polia",
  ]

  private let places: [SamplePlace]

  init(_ places: [SamplePlace]) { self.places = places }

  /// Returns the places of the values of rows that are lists; nil if the elements at `rows` are no
  /// such rows. Some values may be lists or objects.
  static func columns(of rows: Int, in places: [SamplePlace]) -> [Int]? {
    let place = places[rows]
    guard place.path.steps.last?.isWild == true, place.lists > 0, place.objects == 0,
      place.values == 0, let each = place.children[.each]
    else { return nil }
    let columns = place.childOrder.filter { $0 != each }
      .filter { if case .element = places[$0].path.steps.last { true } else { false } }
    return !columns.isEmpty && places[each].elements <= place.lists * columns.count
      ? columns : nil
  }

  /// Whether all values of rows that are lists are plain.
  static func arePlain(_ rows: Int, in places: [SamplePlace]) -> Bool {
    guard let each = places[rows].children[.each] else { return false }
    return places[each].objects == 0 && places[each].lists == 0
  }

  /// Returns the headings of rows; nil if the data has none. `columns` are the places of their
  /// values. Rows whose values are not all plain have theirs elsewhere.
  func headings(of rows: Int, columns: [Int]) -> Found? {
    if let found = beside(rows, width: columns.count) { return found }
    return Self.arePlain(rows, in: places) ? firstRow(rows, columns) : nil
  }

  /// Returns the headings in a list beside that of the rows, or else in the only such list that is
  /// in no other.
  private func beside(_ rows: Int, width: Int) -> Found? {
    let around = places[places[rows].parent].parent
    let found = places.indices.compactMap { index in
      places[index].path.steps.last == .each ? heading(at: index, width: width) : nil
    }
    func list(of heading: Found) -> SamplePlace? {
      guard case .list(let index) = heading.origin else { return nil }
      return places[places[index].parent]
    }
    if let sibling = found.first(where: { list(of: $0)?.parent == around }) { return sibling }
    let outer = found.filter { list(of: $0)?.path.arrays == 0 }
    return outer.count == 1 && places[rows].path.arrays == 1 ? outer.first : nil
  }

  /// Returns the headings that the elements at a place may be: as many in each list, and the same.
  private func heading(at each: Int, width: Int) -> Found? {
    let place = places[each]
    guard place.lists == 0, place.parent >= 0,
      place.elements == places[place.parent].lists * width
    else { return nil }
    let texts: SamplePlace
    if place.objects == 0 {
      let words = DraftNames.ascii(place.path.lastKey).split(separator: "_")
      guard words.contains(where: { Self.listWords.contains($0) }) else { return nil }
      texts = place
    } else {
      let named = Self.nameKeys.compactMap { place.children[.key($0)] }
        .first { places[$0].values == place.elements }
      guard let named else { return nil }
      texts = places[named]
    }
    guard texts.strings == place.elements, texts.values == texts.strings else { return nil }
    let names = Array(texts.texts.prefix(width))
    guard !names.contains(where: { Self.isTelling($0, at: place) }) else { return nil }
    return Set(names).count == width && texts.distinct.count == width
      ? Found(origin: .list(each), names: names) : nil
  }

  /// Returns the texts of the first row, if some column has only numbers or times below its text.
  private func firstRow(_ rows: Int, _ columns: [Int]) -> Found? {
    var names: [String] = []
    var isHeading = false
    for column in columns {
      let place = places[column]
      guard case .text(let text, isNumber: false) = place.held, !text.isEmpty else { return nil }
      let name = String(decoding: text, as: UTF8.self)
      guard name.unicodeScalars.contains(where: { !$0.properties.isWhitespace }),
        !Self.isTelling(name, at: place)
      else { return nil }
      names.append(name)
      isHeading = isHeading || place.isTelling
    }
    return isHeading && Set(names).count == names.count
      ? Found(origin: .firstRow, names: names) : nil
  }
}

extension RowHeadings {
  /// Whether a text is a number, a day or a time, and no heading.
  private static func isTelling(_ text: String, at place: SamplePlace) -> Bool {
    // The text alone, to see what it could be.
    var alone = SamplePlace(path: place.path, parent: -1, hasDataKeys: false)
    var text = text
    text.withUTF8 { alone.see(UnsafeRawBufferPointer($0), isNumber: false, in: 1) }
    return alone.isTelling
  }
}

extension SamplePlace {
  /// Whether all values are numbers, flags, days or times, so that no text is among them.
  fileprivate var isTelling: Bool {
    values > 0
      && (numbers + quotedNumbers + flags == values || days == values || instants == values
        || periods == values || reading != nil)
  }
}
