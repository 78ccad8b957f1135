/// What makes a row an event of a calendar.
public struct Event: Sendable, Equatable {
  /// The calendar's name.
  public var calendarName: Localized<String>
  /// A colour's name (CSS3, RFC 7986, section 5.9), where it has one.
  public var color: String?
  /// How often to fetch it anew, an RFC 5545 duration.
  public var refresh: String
  /// The event's title.
  public var summary: Localized<Template>
  /// The event's place.
  public var location: Localized<Template>?
  /// What else is said of it.
  public var description: Localized<Template>?
  /// The event's category.
  public var category: Localized<String>?
  /// The column that it begins with: a day, an instant, or a period's first day.
  public var start: String
  /// The column that it ends with, of the same kind; its day is the event's last. Nil for an event
  /// of one day, or without an end.
  public var end: String?
  /// How long before it people are reminded unless they say otherwise, an RFC 5545 duration.
  public var alarm: String?
  /// How several rows make one event; nil where each row is one.
  public var group: EventGroup?
}

/// A text with places for a row's columns: clauses, joined by commas, of parts, joined by spaces.
///
///     Нет горячей воды: {street}, {дом house} {корпус building}
///     prefix            clause    clause of two parts
///
/// A part whose column is missing drops out with its words, a clause without parts with its comma.
public struct Template: Sendable, Equatable {
  /// A column's text behind words.
  public struct Part: Sendable, Equatable {
    /// The words before it, with their space; empty where there are none.
    public var words: String
    /// The column, or ``Template/days``.
    public var column: String
  }

  /// What stands for the event's days, as people write them, where a column's name might.
  public static let days = "days"

  /// A text of nothing.
  static let none = Template(prefix: "", clauses: [])

  /// What stands before the first clause.
  public var prefix: String
  /// The clauses.
  public var clauses: [[Part]]
}
