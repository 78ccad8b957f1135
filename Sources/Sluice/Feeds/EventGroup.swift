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

extension Feed {
  /// The feed that has the events of this one as its rows, where several rows make one event: the
  /// columns of the key, the day and the values. What tells an event from others is its key and its
  /// day together.
  func grouped(by group: EventGroup, of event: Event, keyed key: [String]) -> Feed {
    var feed = self
    feed.rows = [.each]
    feed.fields =
      (key + [event.start] + group.values.map(\.name)).map { name in
        Field(path: [.each, .key(name)], rule: .text, columns: [name])
      }
    feed.fields[key.count].rule = .day
    feed.address = AddressColumn(column: nil, parts: key + [event.start])
    feed.event?.group = nil
    return feed
  }
}
