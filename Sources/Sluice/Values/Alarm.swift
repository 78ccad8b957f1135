/// A reminder some time before an event.
package struct Alarm: Equatable, Sendable {
  /// The units of time; the raw value is the letter on the command line.
  package enum Unit: Character, Sendable {
    case minutes = "m"
    case hours = "h"
    case days = "d"
    case weeks = "w"
  }

  package var amount: Int
  package var unit: Unit

  /// Takes a positive whole number of at most six digits with a unit: `30m`, `2h`, `1d`, `1w`.
  package init?(_ text: String) {
    guard let unit = text.last.flatMap(Unit.init), let amount = wholeNumber(text.dropLast()),
      (1...999_999).contains(amount)
    else { return nil }
    self.amount = amount
    self.unit = unit
  }

  /// How long before, `P1D` or the like (RFC 5545, section 3.3.6).
  ///
  /// A day stays a day: where clocks change, it is not 24 hours.
  package var duration: String {
    switch unit {
    case .minutes: "PT\(amount)M"
    case .hours: "PT\(amount)H"
    case .days: "P\(amount)D"
    case .weeks: "P\(amount)W"
    }
  }
}
