/// The way to make calendar events of rows.
package struct Event: Sendable, Equatable {
  /// The calendar's name.
  package var calendarName: Localized<String>
  /// The name of the calendar's colour (CSS3, RFC 7986, section 5.9), or nil if it has none.
  package var color: String?
  /// The interval of updates, an RFC 5545 duration.
  package var refresh: String
  /// The event's title.
  package var summary: Localized<Template>
  /// The event's title in a calendar of one place, which needs no address; nil if it is the same.
  package var ownSummary: Localized<Template>?
  /// The event's location.
  package var location: Localized<Template>?
  /// The event's description.
  package var description: Localized<Template>?
  /// The event's category.
  package var category: Localized<String>?
  /// The column with its start: a day, an instant, or a period's first day. Empty if the event is
  /// repeated and no column has its first day.
  package var start: String
  /// The column with its end, of the same kind. The day in it is the event's last. Nil for an event
  /// of one day, or without an end.
  package var end: String?
  /// The default time of the reminder before the event, an RFC 5545 duration.
  package var alarm: String?
  /// The way to make one event of several rows, or nil if each row is an event.
  package var group: EventGroup?
  /// How its times are made; nil if columns have them.
  package var timing: EventTiming?
  /// Whether a calendar has its times on the clock of their zone, and not in UTC.
  package var isLocal = false
  /// What else a calendar says about it.
  package var details = EventDetails()
  /// What the rows with events must be; nil for all.
  package var conditions: RowCondition?
  /// What tells its UIDs from those of a row's other events: its name, or its number from the
  /// second on. Empty for the first.
  package var tag = ""
  /// The number of texts that a row has for the events before it: see ``EventTexts``.
  var textsBefore = 0
}

/// A text with placeholders for a row's columns: clauses, joined by commas, of parts, joined by
/// spaces. Any other text between the parts makes it a sentence: see ``Joint``.
///
///     Outage: {street}, {дом house} {корпус building} (planned)
///     prefix  clause    clause of two parts           suffix
///
/// A part without a value in its column is left out with its words. A clause without parts is left
/// out with its comma.
package struct Template: Sendable, Equatable {
  /// A column's text, with words before it.
  package struct Part: Sendable, Equatable {
    /// The words before it, with a space at their end. Empty if there are none.
    package var words: String
    /// The column, or ``Template/days``.
    package var column: String
  }

  /// The placeholder of the event's days, as people write them. It is used like a column's name.
  package static let days = "days"

  /// An empty template.
  static let none = Template(prefix: "", clauses: [])

  /// The text before the first clause.
  package var prefix: String
  /// The clauses.
  package var clauses: [[Part]]
  /// The text after the last clause.
  package var suffix = ""
  /// What is around the parts if it is an ordinary sentence: one for each part. Empty for clauses.
  package var joints: [Joint] = []
}

/// The way to make one event of several rows: those of one key and one day.
package struct EventGroup: Sendable, Equatable {
  /// The values that are made of the rows, in order.
  package var values: [Value]

  /// A value that is made of one column of all rows.
  package struct Value: Sendable, Equatable {
    /// Its name in the event's texts.
    package var name: String
    /// The function that makes it.
    package var verb: Verb
    /// Its source column.
    package var column: String
    /// The largest number of decimals, or nil to keep all.
    package var places: Int?
    /// The text after the number, with a space between.
    package var unit: Localized<String>?
  }

  /// The functions that make one value of many. Missing values are ignored. If all are missing, the
  /// result is missing too.
  package enum Verb: String, Sendable, Equatable, CaseIterable {
    /// The smallest number.
    case least
    /// The largest number.
    case greatest
    /// The smallest and the largest number, `-3…2`, or only one number if they are equal.
    case range
    /// The sum of the numbers.
    case sum
    /// The distinct texts in order of arrival, with commas between.
    case texts

    /// Whether it needs numbers.
    var isOfNumbers: Bool { self != .texts }
  }
}

extension Table {
  /// Returns the table whose rows are the events of this one, if several rows make one event. Its
  /// columns are those of the key, the day and the values. An event is identified by its key and
  /// its day together.
  func grouped(by group: EventGroup, of event: Event, keyed key: [String]) -> Table {
    var table = self
    table.rows = [.each]
    // The texts of a group are those of the rows.
    let text = fields.contains { $0.kind == .verbatim } ? FieldKind.verbatim : .text
    table.fields =
      (key + [event.start] + group.values.map(\.name)).map { name in
        Field(path: [.each, .key(name)], kind: text, columns: [name])
      }
    table.fields[key.count].kind = .day
    table.keyNumber = KeyNumber(column: nil, parts: key + [event.start])
    table.event?.group = nil
    table.event?.conditions = nil
    table.conditions = nil
    return table
  }
}

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

/// The names of colours that a calendar may have (CSS Color Module Level 3, section 4.3, and RFC
/// 7986, section 5.9).
package enum ColorNames {
  /// The names, with a space before and after each.
  private static let list: StaticString = """
    \u{20}
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet \
    brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan \
    darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta \
    darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue \
    darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey \
    dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray \
    green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush \
    lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray \
    lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray \
    lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon \
    mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue \
    mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin \
    navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen \
    paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple red \
    rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue \
    slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise \
    violet wheat white whitesmoke yellow yellowgreen\u{20}
    """

  /// The names.
  package static var all: [String] { "\(list)".split(separator: " ").map(String.init) }

  /// Returns whether there is a colour of this name.
  static func contains(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 &- UInt8(ascii: "a") < 26 }) else { return false }
    let list = UnsafeBufferPointer(start: list.utf8Start, count: list.utf8CodeUnitCount)
    var start = 1
    while start + bytes.count < list.count {
      let end = start + bytes.count
      if list[end] == 0x20, list[start] == bytes[0], list[start..<end].elementsEqual(bytes) {
        return true
      }
      while list[start] != 0x20 { start += 1 }
      start += 1
    }
    return false
  }
}
