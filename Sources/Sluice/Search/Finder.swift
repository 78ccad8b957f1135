/// A place of a feed: rows that have the same texts in the columns of its name.
package struct FoundPlace: Sendable, Equatable {
  /// A text of the place's name, and the part of an address that it is.
  package typealias Part = PlacePart

  /// A row of the place.
  package struct Row: Sendable, Equatable {
    /// The texts of the feed's columns, in order. A missing one is empty.
    package var texts: [String]
    /// Its first and last day; nil if it has none.
    package var days: ClosedRange<Day>?
  }

  /// The parts of its name, in the order of the feed's rule.
  package var parts: [Part]
  /// Its rows, in the order of the feed, at most ``Finder/mostRows``.
  package var rows: [Row]
  /// Why it was found; empty if the texts are equal.
  package var reasons: Set<MatchReason>
}

/// A place that is near to one that was not found.
package struct NearPlace: Sendable, Equatable {
  /// In what it differs from what was typed.
  package typealias Difference = NamedPlace.Difference

  /// The place.
  package var place: FoundPlace
  /// In what it differs.
  package var difference: Difference

  package init(place: FoundPlace, difference: Difference) {
    self.place = place
    self.difference = difference
  }
}

/// The result of a search.
package struct SearchResult: Sendable, Equatable {
  /// The places, the best first, at most ``Finder/mostPlaces``.
  package var places: [FoundPlace] = []
  /// Whether there are more.
  package var isMore = false
  /// Whether the first place is the only one that has no more than what was typed. Then it is
  /// meant, even if others come after it: `Садовая 14` before `Садовая 14, литер А`.
  package var isFirstMeant = false
  /// If there is none: the places that come nearest, at most ``Finder/mostNear``.
  package var near: [NearPlace] = []
}

/// Finds places by what people type, in one pass over a feed's rows.
///
/// It keeps the best places and no others, so its memory does not grow with the feed.
package struct Finder {
  /// The most places that are kept.
  package static let mostPlaces = 20
  /// The most places that are suggested if none is found.
  package static let mostNear = 5
  /// The most rows of a place that are kept.
  package static let mostRows = 400
  /// The most names whose comparison is kept.
  private static let mostNames = 8192

  /// What is known of a name, so that each is compared once.
  private struct KnownName {
    var text: [UInt8]
    /// Its place in the natural order.
    var order: [UInt32]
    /// Whether the house has a name, which belongs to it.
    var isNamed: Bool
    /// The match for each reading.
    var matches: [NameMatch?]
    /// The smallest cost of a match, readings included; nil if there is none.
    var penalty: Int?
    /// If there is none: how far it is.
    var distance: Int?
  }

  /// The order of places that were found. The smaller is better.
  private struct Rank: Comparable {
    var penalty: Int
    var house: Int
    var more: Int
    var disorder: Int
    var unnamed: Int

    static func < (a: Rank, b: Rank) -> Bool {
      (a.penalty, a.house, a.more, a.disorder, a.unnamed)
        < (b.penalty, b.house, b.more, b.disorder, b.unnamed)
    }
  }

  private struct SearchColumn {
    var index: Int
    var name: String
    var part: SearchRule.Part?
  }

  private struct Candidate {
    var rank: Rank
    var key: UInt64
    /// The place of its name, and of its house, in the natural order.
    var nameOrder: [UInt32]
    var houseOrder: [UInt32]
    var place: FoundPlace
    var difference = NearPlace.Difference.name
  }

  /// Whether the rows of places are kept, and not only their names.
  private let keepsRows: Bool
  private let query: AddressQuery
  private let matchers: [NameMatcher]
  /// The words of all readings.
  private let words: [Word]
  private let columns: [SearchColumn]
  /// The columns of the name, without those of the house.
  private let nameColumns: [Int]
  /// Whether the text names a house in any reading.
  private let namesHouse: Bool
  private let houseColumns: (house: Int?, building: Int?, letter: Int?)
  private var names: [UInt64: KnownName] = [:]
  /// Whether houses with these letters have names.
  private var namedHouses: [UInt64: Bool] = [:]
  /// The smallest cost of any name so far, whatever its house.
  private var bestPenalty = Int.max
  private var found: [Candidate] = []
  private var near: [Candidate] = []
  private var isMore = false

  /// Makes a search for a text in a table. The table has at least one text column. Without rows, it
  /// reads the columns of names only.
  package init(_ text: String, in table: Table, keepsRows: Bool = true) {
    self.keepsRows = keepsRows
    let all = table.columns.map(\.name)
    let rule = table.searchRule
    let columns = rule.items.compactMap { item in
      all.firstIndex(of: item.column).map {
        SearchColumn(index: $0, name: item.column, part: item.part)
      }
    }
    self.columns = columns
    func index(_ part: SearchRule.Part) -> Int? { columns.first { $0.part == part }?.index }
    houseColumns = (index(.house), index(.building), index(.letter))
    nameColumns = columns.filter { $0.part?.isOfHouse != true }.map(\.index)
    query = AddressQuery(text, hasHouses: houseColumns.house != nil)
    matchers = query.readings.map(NameMatcher.init)
    words = matchers.flatMap(\.words)
    namesHouse = query.readings.contains { !$0.houses.isEmpty }
  }

  /// Whether the text has any word or number to search for.
  package var isEmpty: Bool { query.readings.isEmpty }

  /// Considers a row.
  package mutating func take(_ record: borrowing Record) {
    guard !isEmpty else { return }
    let isNamed = hasNamedHouse(record)
    let hash = nameHash(record, isNamed)
    let name = known(hash, record, isNamed)
    if let penalty = name.penalty {
      if penalty < bestPenalty {
        // Another name is no answer if the one that was typed is there, with or without the house.
        bestPenalty = penalty
        found = []
        isMore = false
      }
      takeNamed(record, name)
    } else if found.isEmpty, let distance = name.distance, isNearEnough(distance) {
      takeNear(
        record, name, distance: distance, .name, difference: houseDistance(record))
    }
  }

  /// Returns what was found.
  package func result() -> SearchResult {
    if let best = found.first?.rank {
      let places = found.filter { $0.rank.house == best.house }
      let isExact = best.more == 0 && best.unnamed == 0
      return SearchResult(
        places: places.map(\.place), isMore: isMore && places.count == found.count,
        isFirstMeant: places.count == 1 && !isMore
          || isExact && places.count > 1 && best < places[1].rank)
    }
    return SearchResult(
      near: near.prefix(Self.mostNear).map {
        NearPlace(place: $0.place, difference: $0.difference)
      })
  }

  // MARK: Names

  /// Whether the house of a row has a name: "Rose Cottage". Its digits do not matter.
  private mutating func hasNamedHouse(_ record: borrowing Record) -> Bool {
    guard let column = houseColumns.house else { return false }
    let text = record.text(column)
    // A name has two letters side by side. Bytes within a letter are none.
    var (run, hasRun) = (0, false)
    var hash = FNV1a()
    for byte in text where byte & 0xC0 != 0x80 {
      run = byte >= 0xC0 || (0x61..<0x7B).contains(byte | 0x20) ? run + 1 : 0
      if run > 1 { hasRun = true }
    }
    guard hasRun else { return false }
    for byte in text where !(0x30..<0x3A).contains(byte) { hash.add(byte) }
    if let known = namedHouses[hash.value] { return known }
    if namedHouses.count >= Self.mostNames { namedHouses.removeAll() }
    let isNamed = PlaceHouse.hasName(text)
    namedHouses[hash.value] = isNamed
    return isNamed
  }

  /// The columns of a row's name. The house is one of them if it has a name.
  private func columns(_ isNamed: Bool) -> [Int] {
    guard isNamed, let house = houseColumns.house else { return nameColumns }
    return nameColumns + [house]
  }

  private func nameHash(_ record: borrowing Record, _ isNamed: Bool) -> UInt64 {
    var hash = FNV1a()
    for column in columns(isNamed) {
      hash.add(record.text(column))
      hash.add(0x1F)
    }
    return hash.value
  }

  private mutating func known(
    _ hash: UInt64, _ record: borrowing Record, _ isNamed: Bool
  ) -> KnownName {
    if let name = names[hash], name.isNamed == isNamed, isSame(name.text, record, isNamed) {
      return name
    }
    var text: [UInt8] = []
    var name = PlaceName()
    for column in columns where column.part?.isOfHouse != true {
      let bytes = record.text(column.index)
      text += bytes
      text.append(0x1F)
      let column = (text: String(decoding: bytes, as: UTF8.self), part: column.part)
      name.add(column.text, isLocality: column.part == .locality)
    }
    if isNamed, let house = houseColumns.house {
      text += record.text(house)
      text.append(0x1F)
      name.add(PlaceHouse.nameWords(of: record.text(house)), isLocality: false)
    }
    name.hear(words)
    let matches = matchers.map { $0.match(name) }
    var known = KnownName(text: text, order: [], isNamed: isNamed, matches: matches)
    known.penalty = zip(matches, query.readings).compactMap { match, reading in
      match.map { $0.penalty + reading.cost }
    }.min()
    if known.penalty == nil {
      known.distance = zip(matchers, query.readings).compactMap { matcher, reading in
        matcher.distance(name).map { $0 + reading.cost }
      }.min()
    }
    // Most names are neither, and need no place in the order.
    if known.penalty != nil || known.distance != nil {
      for column in columns where column.part?.isOfHouse != true {
        let text = String(decoding: record.text(column.index), as: UTF8.self)
        Self.addOrder(of: text, to: &known.order)
      }
    }
    if names.count >= Self.mostNames { names.removeAll() }
    names[hash] = known
    return known
  }

  private func isSame(_ text: [UInt8], _ record: borrowing Record, _ isNamed: Bool) -> Bool {
    var start = 0
    for column in columns(isNamed) {
      let bytes = record.text(column)
      guard text.count > start + bytes.count, text[start + bytes.count] == 0x1F,
        text[start..<start + bytes.count].elementsEqual(bytes)
      else { return false }
      start += bytes.count + 1
    }
    return start == text.count
  }

  // MARK: Houses

  private func house(_ record: borrowing Record) -> PlaceHouse {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    func text(_ column: Int?) -> UnsafeRawBufferPointer { column.map { record.text($0) } ?? none }
    return PlaceHouse(
      house: text(houseColumns.house), building: text(houseColumns.building),
      letter: text(houseColumns.letter))
  }

  /// Considers a row whose name fits.
  private mutating func takeNamed(_ record: borrowing Record, _ name: KnownName) {
    let house = namesHouse || name.isNamed ? house(record) : PlaceHouse()
    var best: (rank: Rank, reasons: Set<MatchReason>)?
    var nearest: PlaceHouse.Difference?
    for (match, reading) in zip(name.matches, query.readings) {
      guard let match, match.penalty + reading.cost <= bestPenalty else { continue }
      let isOther = house.inside.map { !reading.inside.contains($0) } ?? false
      if isOther, !reading.inside.isEmpty { continue }
      func consider(_ cost: Int, more: Int, _ reason: MatchReason?) {
        let more = isOther ? more + 1 : more
        // A flat that the place does not have makes it worse than one that has it.
        let disorder = match.disorder + (house.inside == nil && !reading.inside.isEmpty ? 1 : 0)
        let rank = Rank(
          penalty: match.penalty + reading.cost, house: cost, more: more, disorder: disorder,
          unnamed: match.unnamed)
        if let best, best.rank <= rank { return }
        var reasons = match.reasons
        for reason in [reason, reading.reason, more > 0 ? .broader : nil] {
          if let reason { reasons.insert(reason) }
        }
        best = (rank, reasons)
      }
      if reading.houses.isEmpty {
        consider(0, more: name.isNamed && house.number.house != nil ? 1 : 0, nil)
      }
      for typed in reading.houses {
        switch house.fit(typed.number) {
        case .same(let more): consider(typed.cost, more: more, typed.reason)
        case .other(let difference): nearest = Self.nearer(nearest, difference)
        }
      }
    }
    if let best {
      insertFound(record, name, best.rank, best.reasons)
    } else if found.isEmpty, let nearest {
      let (kind, distance): (NearPlace.Difference, Int) =
        switch nearest {
        case .letter: (.letter, 0)
        case .building: (.building, 1)
        case .house(let by): (.house, 2 + min(by ?? 1_000_000, 1_000_000))
        }
      takeNear(record, name, distance: name.penalty ?? 0, kind, difference: distance)
    }
  }

  private static func nearer(
    _ a: PlaceHouse.Difference?, _ b: PlaceHouse.Difference
  ) -> PlaceHouse.Difference {
    func value(_ difference: PlaceHouse.Difference) -> Int {
      switch difference {
      case .letter: 0
      case .building: 1
      case .house(let by): 2 + min(by ?? 1_000_000, 1_000_000)
      }
    }
    guard let a, value(a) <= value(b) else { return b }
    return a
  }

  /// How far the house of a row is from the one that was typed, if the name differs.
  private func houseDistance(_ record: borrowing Record) -> Int {
    guard namesHouse else { return 0 }
    let house = house(record)
    var best = 3_000_000
    for reading in query.readings {
      for typed in reading.houses {
        switch house.fit(typed.number) {
        case .same(let more): best = min(best, more)
        case .other(.letter): best = min(best, 3)
        case .other(.building): best = min(best, 4)
        case .other(.house(let by)): best = min(best, 5 + min(by ?? 1_000_000, 1_000_000))
        }
      }
    }
    return best
  }

  // MARK: The best

  private mutating func insertFound(
    _ record: borrowing Record, _ name: KnownName, _ rank: Rank, _ reasons: Set<MatchReason>
  ) {
    // Nothing that is near is shown beside something that is found.
    near = []
    let new = Candidate(
      rank: rank, key: 0, nameOrder: name.order, houseOrder: [],
      place: FoundPlace(parts: [], rows: [], reasons: reasons))
    let lost = Self.insert(record, new, columns, keepsRows, into: &found, most: Self.mostPlaces)
    if let lost, lost.house == found.first?.rank.house { isMore = true }
  }

  /// Whether a name at this distance may be among the nearest.
  private func isNearEnough(_ distance: Int) -> Bool {
    guard near.count == Self.mostNear, let worst = near.last else { return true }
    return distance <= worst.rank.penalty
  }

  private mutating func takeNear(
    _ record: borrowing Record, _ name: KnownName, distance: Int,
    _ kind: NearPlace.Difference, difference: Int
  ) {
    let new = Candidate(
      rank: Rank(penalty: distance, house: difference, more: 0, disorder: 0, unnamed: 0),
      key: 0,
      nameOrder: name.order, houseOrder: [],
      place: FoundPlace(parts: [], rows: [], reasons: []), difference: kind)
    _ = Self.insert(record, new, columns, keepsRows, into: &near, most: Self.mostNear)
  }

  /// Puts a row to its place, or a new place among the best. Returns the rank of the place that had
  /// to go for it or was not good enough, if there is one.
  private static func insert(
    _ record: borrowing Record, _ candidate: consuming Candidate, _ columns: [SearchColumn],
    _ keepsRows: Bool, into list: inout [Candidate], most: Int
  ) -> Rank? {
    var new = candidate
    let isFull = list.count == most
    // Most rows end here: whatever costs time comes after.
    if isFull, let worst = list.last, isBefore(worst, new, comparesHouses: false) {
      return new.rank
    }
    new.key = placeKey(record, columns)
    if let index = list.firstIndex(where: { $0.key == new.key }) {
      if keepsRows, list[index].place.rows.count < mostRows {
        list[index].place.rows.append(row(record))
      }
      return nil
    }
    for column in columns {
      let text = String(decoding: record.text(column.index), as: UTF8.self)
      if column.part?.isOfHouse == true { addOrder(of: text, to: &new.houseOrder) }
      new.place.parts.append(
        FoundPlace.Part(column: column.name, part: column.part, text: text))
    }
    let index = list.firstIndex { isBefore(new, $0, comparesHouses: true) } ?? list.count
    guard index < most else { return new.rank }
    if keepsRows { new.place.rows.append(row(record)) }
    list.insert(new, at: index)
    return isFull ? list.removeLast().rank : nil
  }

  private static func row(_ record: borrowing Record) -> FoundPlace.Row {
    var texts: [String] = []
    for column in record.texts.indices {
      texts.append(String(decoding: record.text(column), as: UTF8.self))
    }
    return FoundPlace.Row(
      texts: texts, days: record.hasDays ? record.firstDay...record.lastDay : nil)
  }

  /// The hash of the place's folded texts.
  private static func placeKey(
    _ record: borrowing Record, _ columns: [SearchColumn]
  ) -> UInt64 {
    var hash = FNV1a()
    for column in columns {
      Fold.forEachByte(of: record.text(column.index)) { hash.add($0) }
      hash.add(0x1F)
    }
    return hash.value
  }

  /// Orders places by rank, then as people do: house 2 before house 10, a missing part first.
  private static func isBefore(
    _ a: Candidate, _ b: Candidate, comparesHouses: Bool
  ) -> Bool {
    if a.rank != b.rank { return a.rank < b.rank }
    if a.nameOrder != b.nameOrder { return a.nameOrder.lexicographicallyPrecedes(b.nameOrder) }
    return comparesHouses && a.houseOrder.lexicographicallyPrecedes(b.houseOrder)
  }

  /// Adds the letters of a text, with each number as its length and its digits.
  static func addOrder(of text: String, to order: inout [UInt32]) {
    for token in AddressToken.all(in: text) {
      if token.isNumber { order.append(UInt32(token.letters.count)) }
      order += token.letters
      order.append(0)
    }
    order.append(0)
  }
}
