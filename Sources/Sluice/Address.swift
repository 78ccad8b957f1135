/// The place that an earlier run found for ``Conversion/address``.
package struct KnownPlace: Sendable, Equatable {
  /// The conditions that select it.
  package var conditions: [Condition]
  /// Whether another place may be chosen if the feed does not have this one.
  package var mayChange: Bool

  package init(_ conditions: [Condition], mayChange: Bool = false) {
    self.conditions = conditions
    self.mayChange = mayChange
  }
}

/// The place that a run chose for ``Conversion/address``.
package struct ChosenPlace: Sendable, Equatable {
  /// The conditions that select it: one for each column of its name.
  package var conditions: [Condition]
  /// How it was found; nil if an earlier run found it.
  package var found: FoundPlace?
}

/// Chooses the one place that a text names. It sees all records, also those with flaws and those
/// that are skipped: a place with nothing planned is there.
///
///     one place                   it is chosen
///     several                     PlaceFault.several, unless only one has no more than was typed
///     none, but known before      the known one: there is nothing at the moment
///     none                        PlaceFault.absent, with the nearest
final class PlaceChoice: LeftOutObserver {
  private let text: String
  private var finder: Finder
  private let known: KnownPlace?
  private var knownFilter: Filter
  private var hasKnown = false

  init(_ text: String, _ known: KnownPlace?, in table: Table) {
    self.text = text
    self.known = known
    finder = Finder(text, in: table, keepsRows: false)
    knownFilter = Filter([], place: known?.conditions ?? [], table)
  }

  func see(_ record: borrowing Record) {
    if known != nil, !hasKnown { hasKnown = knownFilter.matches(record) }
    finder.take(record)
  }

  /// Returns the place. Throws ``PlaceFault`` if there is not exactly one.
  func chosen() throws(PipelineError) -> ChosenPlace {
    if let known, hasKnown { return ChosenPlace(conditions: known.conditions) }
    let result = finder.result()
    guard let first = result.places.first else {
      if let known { return ChosenPlace(conditions: known.conditions) }
      throw PipelineError(.place(.absent(text, near: result.near.map(\.named))))
    }
    guard result.isFirstMeant else {
      throw PipelineError(
        .place(.several(text, places: result.places.map(\.named), isMore: result.isMore)))
    }
    let conditions = first.parts.map { Condition(column: $0.column, value: $0.text) }
    return ChosenPlace(conditions: conditions, found: first)
  }
}

/// Chooses the places of several texts in one reading.
final class PlaceChoices: LeftOutObserver {
  private let choices: [(text: String, choice: PlaceChoice)]

  init(_ texts: [String], _ known: [String: KnownPlace], in table: Table) {
    choices = texts.map { ($0, PlaceChoice($0, known[$0], in: table)) }
  }

  func see(_ record: borrowing Record) {
    for (_, choice) in choices { choice.see(record) }
  }

  /// Returns the place of each text. Throws ``PlaceFault`` for the first that has not exactly one.
  func chosen() throws(PipelineError) -> [String: ChosenPlace] {
    var places: [String: ChosenPlace] = [:]
    for (text, choice) in choices { places[text] = try choice.chosen() }
    return places
  }
}

extension Conversion {
  /// The places of addresses that need no search, and the other addresses.
  var knownChoices: (places: [String: ChosenPlace], unknown: [String]) {
    var places: [String: ChosenPlace] = [:]
    var unknown: [String] = []
    for address in addresses {
      if let known = knownPlaces[address], !known.mayChange {
        places[address] = ChosenPlace(conditions: known.conditions)
      } else {
        unknown.append(address)
      }
    }
    return (places, unknown)
  }
}

extension NormalizerOptions {
  /// The options of a reading that shows all records to an observer, and hands none on.
  func observing(_ observer: any LeftOutObserver) -> NormalizerOptions {
    var all = NormalizerOptions(limit: .unlimited)
    all.zones = zones
    all.observer = observer
    return all
  }
}

/// Looks for the places that come nearest to what conditions name, among the records that do not
/// match them.
final class NearPlaces: LeftOutObserver {
  private var finder: Finder

  /// Makes a search; nil if the conditions do not name a place in several columns.
  init?(_ conditions: [Condition], in table: Table) {
    let conditions = conditions.filter { $0.comparison == .equal }
    // Most runs have none, and must not look up the columns.
    guard conditions.count > 1, let text = table.searchRule.text(of: conditions) else {
      return nil
    }
    finder = Finder(text, in: table, keepsRows: false)
  }

  func see(_ record: borrowing Record) { finder.take(record) }

  /// The places, the nearest first, at most ``Finder/mostNear``.
  var places: [NamedPlace] {
    let result = finder.result()
    return Array((result.places.map(\.named) + result.near.map(\.named)).prefix(Finder.mostNear))
  }
}

extension FoundPlace {
  /// Its name.
  package var named: NamedPlace { NamedPlace(parts) }
}

extension NearPlace {
  /// Its name, and in what it differs.
  package var named: NamedPlace { NamedPlace(place.parts, differingIn: difference) }
}

extension SearchRule {
  /// Returns conditions as people would type the place that they name, or nil if fewer than two of
  /// its columns are named: then the values of one column say more.
  ///
  /// Of several values of a column the first is taken.
  fileprivate func text(of conditions: [Condition]) -> String? {
    // With the words that say which part each is, in any language. A letter without its house would
    // be taken for the beginning of a name.
    let words = AddressWords.russian
    let house = items.first { $0.part == .house }?.column
    let hasHouse = conditions.contains { $0.column == house && !$0.value.isEmpty }
    let texts = items.compactMap { item -> String? in
      if item.part?.isOfHouse == true, !hasHouse { return nil }
      guard let value = conditions.first(where: { $0.column == item.column })?.value,
        !value.isEmpty
      else { return nil }
      return switch item.part {
      case .house: "\(words.house[0]) \(value)"
      case .building: "\(words.building[0]) \(value)"
      case .letter: "\(words.letter[0]) \(value)"
      case .locality, .street, nil: value
      }
    }
    return texts.count > 1 ? texts.joined(separator: ", ") : nil
  }
}
