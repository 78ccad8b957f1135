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

/// How several rows make one event: those of one key and one day.
public struct EventGroup: Sendable, Equatable {
  /// What an event says of its rows, in order.
  public var values: [Value]

  /// What is made of a column of all rows.
  public struct Value: Sendable, Equatable {
    /// Its name in the event's texts.
    public var name: String
    /// How it is made.
    public var verb: Verb
    /// The column it is made of.
    public var column: String
    /// The most decimals that it has; nil where none are taken away.
    public var places: Int?
    /// What stands behind the number, with a space between.
    public var unit: Localized<String>?
  }

  /// How many values become one; missing ones do not count, and of none nothing is made.
  public enum Verb: String, Sendable, Equatable, CaseIterable {
    /// The smallest number.
    case least
    /// The largest number.
    case greatest
    /// The smallest and the largest, `-3…2`; once where they are the same.
    case range
    /// All numbers together.
    case sum
    /// The different texts in order of their coming, with commas between.
    case texts

    /// It is made of numbers.
    var isOfNumbers: Bool { self != .texts }
  }
}

extension Table {
  /// The table that has the events of this one as its rows, where several rows make one event: the
  /// columns of the key, the day and the values. What tells an event from others is its key and its
  /// day together.
  func grouped(by group: EventGroup, of event: Event, keyed key: [String]) -> Table {
    var table = self
    table.rows = [.each]
    table.fields =
      (key + [event.start] + group.values.map(\.name)).map { name in
        Field(path: [.each, .key(name)], rule: .text, columns: [name])
      }
    table.fields[key.count].rule = .day
    table.address = AddressColumn(column: nil, parts: key + [event.start])
    table.event?.group = nil
    return table
  }
}

/// The names of colours that a calendar may have (CSS Color Module Level 3, section 4.3; RFC 7986,
/// section 5.9).
package enum ColorNames {
  /// The names, a space before and behind each.
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

  /// There is a colour of this name.
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
