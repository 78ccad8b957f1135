/// What a calendar says about an event beside its time and its texts.
package struct EventDetails: Sendable, Equatable {
  /// Its address on the web.
  package var url: Localized<Template>?
  package var status: EventStatusRule?
  /// Its categories, after the one that all events have.
  package var categories: [Localized<Template>] = []
  /// The columns of its latitude and its longitude, in degrees.
  package var geo: Place?

  /// The columns of a place on the earth.
  package struct Place: Sendable, Equatable {
    package var latitude: String
    package var longitude: String
  }

  /// Whether a calendar says nothing more.
  var isEmpty: Bool { self == EventDetails() }
}

/// The status of an event (RFC 5545, section 3.8.1.11).
package enum EventStatus: String, Sendable, CaseIterable {
  case confirmed = "CONFIRMED"
  case tentative = "TENTATIVE"
  case cancelled = "CANCELLED"

  /// Reads a status in any case.
  init?(_ text: String) { self.init(rawValue: text.uppercased()) }
}

/// How a column says the status of an event.
package struct EventStatusRule: Sendable, Equatable {
  package var column: String
  /// The statuses of its values; those of RFC 5545 mean themselves.
  package var map: [String: EventStatus] = [:]
  /// That of any other value, and of none.
  package var other = EventStatus.confirmed

  /// Returns the status of a value.
  func status(of value: String) -> EventStatus { map[value] ?? EventStatus(value) ?? other }
}
