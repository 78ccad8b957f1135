import Sluice

extension FeedDocumentFault {
  /// The problem of a value of another kind than that of its key, and the remedy. `keys` are those
  /// that a mapping may have there; empty if any.
  static func wrongKind(
    _ key: String?, _ found: Kind, _ wanted: [Kind], _ keys: [String]
  ) -> Message {
    let place = key.map { Text.quoted($0) } ?? Text(en: "the document", ru: "весь документ")
    let names = wanted.map(\.name)
    let advice = advice(key, wanted, keys)
    return Message(
      en: "\(place) is \(found.name), not \(Text.joined(names, by: " or ")); \(advice)",
      ru: "\(place) — \(found.name), а не \(Text.joined(names, by: " или ")); \(advice)")
  }

  /// The most keys that are listed in a sentence.
  private static let mostKeys = 12

  /// Returns how values of these kinds are written.
  private static func advice(_ key: String?, _ wanted: [Kind], _ keys: [String]) -> Text {
    if key == "clock" {
      return Text(
        en: "write one zone for all, or set 'zone: {from: $.timezone}' of a column",
        ru: "пишите один пояс для всех или укажите у столбца 'zone: {from: $.timezone}'")
    }
    if key == "any" || key == "all" {
      return Text(
        en: "write [{type: pickup}, {type: extra}]", ru: "пишите [{type: pickup}, {type: extra}]")
    }
    if wanted.contains(.mapping), let key {
      let example = examples[key]
      if keys.isEmpty || keys.count > mostKeys {
        if let example { return Text(en: "write '\(example)'", ru: "пишите '\(example)'") }
      } else {
        let list = keys.joined(separator: ", ")
        guard let example else {
          return Text(en: "its keys are \(list)", ru: "его ключи: \(list)")
        }
        return Text(
          en: "write '\(example)' (its keys: \(list))", ru: "пишите '\(example)' (ключи: \(list))")
      }
    }
    return switch (wanted.first, wanted.last) {
    case (.list, _):
      Text(en: "write [a, b]", ru: "пишите [a, b]")
    case (.text, .list):
      Text(
        en: "write a path, activities[].isin for example",
        ru: "напишите путь, например activities[].isin")
    case (.mapping, _):
      Text(en: "write lines such as 'key: value'", ru: "пишите строки 'key: value'")
    case (.text, _), (nil, _):
      Text(
        en: "write one value, in quotes if it begins with a special character",
        ru: "напишите одно значение, а если оно начинается с особого знака — в кавычках")
    }
  }

  /// How people write the mappings of keys.
  private static var examples: [String: String] {
    [
      "columns": "columns: {street: address, date: {kind: day}}",
      "cut": #"cut: {prefix: "Bin: "}"#,
      "end": "end: {time: to}",
      "envelope": "envelope: {payload: data}",
      "event": #"event: {summary: "{bin}", start: date}"#,
      "for": "for: {minutes: length}",
      "geo": "geo: {lat: latitude, lon: longitude}",
      "guards": "guards: {max-shrink: 25%}",
      "headers": "headers: {X-Api-Key: $MY_FEED_KEY}",
      "map": "map: {1: paper, 2: bio, else: keep}",
      "parts": "parts: {year: y, month: m, day: d}",
      "references": "references: {user_id: users}",
      "repeat": "repeat: {every: week, on: mo}",
      "split": #"split: {by: ",", take: 1}"#,
      "start": "start: {day: date, time: from}",
      "status": "status: {from: state, map: {off: CANCELLED}}",
      "tables": "tables: {users: {rows: \"users[]\", columns: {id: id}}}",
      "values": "values: {lowest: {least: price}}",
      "views": "views: {latest: {table: posts, order: [id desc]}}",
      "where": "where: {type: pickup}",
      "zone": "zone: {from: $.timezone}",
    ]
  }
}

/// The words of other programs.
extension FeedDocumentFault {
  /// Returns the word that was probably meant by a value of a key with choices.
  static func meant(_ value: String, _ key: String) -> String {
    let word = value.lowercased()
    return switch key {
    case "kind": kinds[word] ?? value
    case "unix": ["s": "seconds", "ms": "milliseconds", "true": "seconds"][word] ?? value
    // `german`, `de-AT` and `de_DE.UTF-8`.
    case "names": languages[word] ?? String(word.prefix { $0 != "-" && $0 != "_" })
    default: value
    }
  }

  /// Returns the key that was probably meant, if it is one of those that are allowed.
  static func meant(_ key: String, of allowed: [String]) -> String {
    let other: String? =
      switch key {
      case ">", "after", "gt", "min": "greater"
      case "<", "before", "lt", "max": "less"
      case "!=", "ne": "not"
      case "date": "day"
      case "title", "name", "subject": "summary"
      case "path", "field", "key": "from"
      case "type": "kind"
      case "tz", "timezone": "zone"
      case "dtstart", "begin": "start"
      case "duration": "for"
      case "freq", "frequency", "interval": "every"
      case "lng", "longitude": "lon"
      case "latitude": "lat"
      default: nil
      }
    return other.flatMap { allowed.contains($0) ? $0 : nil } ?? key
  }

  /// Whether a word belongs to the condition of a column.
  static func isComparison(_ word: String) -> Bool {
    ["not", "in", "empty", "greater", "less"].contains(word)
  }

  /// The other names of kinds of columns.
  private static var kinds: [String: String] {
    [
      "date": "day", "datetime": "instant", "timestamp": "instant", "string": "text",
      "str": "text", "int": "integer", "number": "decimal", "float": "decimal",
      "double": "decimal", "bool": "flag", "boolean": "flag", "range": "period",
    ]
  }

  /// The names of languages.
  private static var languages: [String: String] {
    [
      "english": "en", "russian": "ru", "german": "de", "deutsch": "de", "french": "fr",
      "dutch": "nl", "swedish": "sv", "spanish": "es", "italian": "it", "polish": "pl",
      "portuguese": "pt",
    ]
  }

  /// Returns a format that is written as strftime or a spreadsheet has it, in the letters of
  /// Unicode; nil if it is no such format.
  static func inUnicodeLetters(_ format: String) -> String? {
    let directives: [Character: String] = [
      "d": "dd", "e": "d", "m": "MM", "Y": "yyyy", "y": "yy", "b": "MMM", "B": "MMMM", "h": "MMM",
      "a": "EEE", "A": "EEEE", "H": "HH", "I": "hh", "M": "mm", "S": "ss", "p": "a", "z": "Z",
      "F": "yyyy-MM-dd", "T": "HH:mm:ss", "R": "HH:mm",
    ]
    var result = ""
    var isDirective = false
    for character in format {
      if isDirective {
        guard let letters = directives[character] else { return nil }
        result += letters
        isDirective = false
      } else if character == "%" {
        isDirective = true
      } else {
        // Days of the year and years of weeks are rarely meant.
        result.append(character == "D" ? "d" : character == "Y" ? "y" : character)
      }
    }
    return result == format || isDirective ? nil : result
  }
}

extension Text {
  /// Says that a text of events is near to the name of a column, which it does not stand for.
  package static func wordLikeColumn(_ key: String, _ word: String, column: String) -> Text {
    Text(
      en: "\(quoted: key): every event has the text \(quoted: word); for the column write "
        + "\"{\(column)}\"",
      ru: "\(quoted: key): у всех событий один текст \(quoted: word); если нужен столбец, пишите "
        + "\"{\(column)}\"")
  }
}
