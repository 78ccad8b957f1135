/// A part of an address. The raw value is its key in a feed document.
package enum AddressPart: String, Sendable, CaseIterable {
  case locality, street, house, building, letter

  /// Whether it is part of the number of a house, and not of a name.
  package var isOfHouse: Bool { self == .house || self == .building || self == .letter }
}

/// A text of a place's name, and the part of an address that it is.
package struct PlacePart: Sendable, Equatable {
  /// The column.
  package var column: String
  /// Its part of an address; nil if the feed does not say.
  package var part: AddressPart?
  /// The text, which may be empty.
  package var text: String

  package init(column: String, part: AddressPart?, text: String) {
    self.column = column
    self.part = part
    self.text = text
  }
}

/// A place as it is named, for messages.
package struct NamedPlace: Sendable, Equatable {
  /// In what it differs from what was typed.
  package enum Difference: Sendable, Equatable {
    case letter, building, house, name
  }

  /// The parts, in the order in which people write them.
  package var parts: [PlacePart]
  /// In what it differs from what was typed; nil if in nothing.
  package var difference: Difference?

  package init(_ parts: [PlacePart], differingIn difference: Difference? = nil) {
    self.parts = parts
    self.difference = difference
  }
}

/// Reasons that a text does not select one place.
package enum PlaceFault: Equatable, Sendable {
  /// The feed has no such place. `near` are those that come nearest.
  case absent(String, near: [NamedPlace])
  /// Several places have this name. `isMore` says that not all of them are in `places`.
  case several(String, places: [NamedPlace], isMore: Bool)

  /// The kind of problem.
  package var `class`: FaultClass {
    switch self {
    case .absent: .nothingFound
    case .several: .usage
    }
  }
}
