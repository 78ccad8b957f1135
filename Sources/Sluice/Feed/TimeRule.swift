/// How the text of a day, an instant or a time of day is read, where the kind's own forms are not
/// meant.
package struct TimeRule: Sendable, Equatable {
  /// What it is read from.
  package enum Source: Sendable, Equatable {
    /// A text in the kind's own forms. Those of an instant, if its day is meant.
    case own
    /// A text in one of these formats, tried in order.
    case formats([TimeFormat])
    /// Several values of the row.
    case parts(TimeParts)
    /// A number that counts from midnight.
    case count(TimeUnit)
  }

  /// What it is read from.
  package var source = Source.own
  /// The names of months and weekdays.
  package var names = TimeNames.none
  /// The first of the hundred years that a year of two digits may be; nil if there are none.
  package var firstYear: Int?
  /// Whether a day is that of an instant.
  package var readsInstant = false

  /// Returns the year that two digits mean; nil without a window.
  func year(ofTwoDigits number: Int) -> Int? {
    firstYear.map { first in
      let year = first / 100 * 100 + number
      return year < first ? year + 100 : year
    }
  }
}

/// The values of a row that make a day, an instant or a time of day.
package struct TimeParts: Sendable, Equatable {
  /// A part, by its key in a document.
  package enum Name: String, Sendable, CaseIterable {
    case year, month, day, hour, minute, second
  }

  /// The path of each part; nil for one that the document does not have.
  package var paths: [Path?]

  package subscript(name: Name) -> Path? {
    Name.allCases.firstIndex(of: name).flatMap { paths[$0] }
  }
}

extension Field {
  /// Whether it is made of several values of the row.
  var isOfParts: Bool {
    if case .parts = rule?.source { true } else { false }
  }
}

extension Table {
  /// Returns the indexes of the fields that have the parts of a field, in the order of
  /// ``TimeParts/Name``; empty if it is one value.
  func parts(of field: Field) -> [Int?] {
    guard case .parts(let parts) = field.rule?.source else { return [] }
    return parts.paths.map { path in
      path.flatMap { path in fields.firstIndex { $0.isRead && $0.path == path } }
    }
  }
}
