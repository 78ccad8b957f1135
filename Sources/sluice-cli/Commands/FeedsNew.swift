import Sluice
import SluiceText

/// Writes a feed's document, made from a sample, to standard output.
func newFeed(_ input: Input, _ console: Console) -> ExitCode {
  do throws(DraftFault) {
    let draft = try draftFeed(input)
    return show(DraftText(draft, input, console.language).document, console)
  } catch {
    switch error {
    case .unreadable(let error):
      console.error(error.text)
      return ExitCode(error)
    case .noRows(let keys):
      console.error(.noRowsInSample(keys))
      return .badData
    case .wantsFile:
      console.error(.sampleWantsFile)
      return .usage
    }
  }
}

/// Lays out a draft of a feed as a document for a person to complete.
private struct DraftText {
  private let draft: FeedDraft
  private let input: Input
  private let language: Language

  init(_ draft: FeedDraft, _ input: Input, _ language: Language) {
    self.draft = draft
    self.input = input
    self.language = language
  }

  /// The document.
  var document: String {
    let parts = [head, envelope, rows, columns, event, guards]
    let text =
      parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
      + "\n"
    // Data that is shown in comments may have characters that YAML does not allow anywhere.
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { [0xFFFE, 0xFFFF].contains($0.value) ? "\u{FFFD}" : $0 }))
  }

  private func note(_ en: Sentence, _ ru: Sentence) -> String {
    "# " + Text(en: en, ru: ru)[language]
  }

  // MARK: Parts

  private var head: [String] {
    var lines = [
      note(
        "A feed of your own. Check it: sluice feeds --check FILE SAMPLE",
        "Свой набор данных. Проверка: sluice feeds --check FILE SAMPLE"),
      note(
        "Use it: sluice convert SAMPLE --feed ./FILE -o out.csv -o out.ics",
        "Применение: sluice convert SAMPLE --feed ./FILE -o out.csv -o out.ics"),
      "feed: \(YAMLText.scalar(name))", "summary: \(YAMLText.scalar(name))",
    ]
    if case .url(let url) = input {
      lines += address(url)
    } else {
      lines.append("# url: https://example.org/feed.json")
    }
    lines += [
      note(
        "A request header; $NAME comes from the environment:",
        "Заголовок запроса; $NAME берётся из окружения:"),
      "# headers: {X-Api-Key: $MY_FEED_KEY}",
      note(
        "The URL is requested again only after this time.",
        "Адрес запрашивается снова только через это время."),
      "max-age: 3h",
      "language: \(language.rawValue)",
    ]
    if draft.columns.contains(where: { $0.reading == .local || $0.kind == .time }) {
      lines += [
        note(
          "The time zone of the local times. The data does not tell it.",
          "Часовой пояс местного времени. Из данных он не виден."),
        "# clock: Europe/London",
      ]
    } else if draft.columns.contains(where: { $0.unix != nil }) {
      lines += [
        note(
          "The offset from UTC of the times that are written.",
          "Смещение от UTC, с которым записывается время."),
        "# clock: \"+03:00\"",
      ]
    }
    return lines
  }

  /// The URL of the sample. A document is for sharing, so userinfo is left out, and so are values
  /// of parameters with the usual names of secrets.
  private func address(_ text: String) -> [String] {
    guard let parts = URLParts(text) else { return ["url: \(YAMLText.scalar(text))"] }
    var url = "\(parts.prefix)\(parts.server)"
    var isWhole = parts.userinfo == nil
    let rest = parts.rest.prefix { $0 != "#" }
    let mark = rest.firstIndex(of: "?") ?? rest.endIndex
    url += rest[..<mark]
    if mark < rest.endIndex {
      let pieces = rest[rest.index(after: mark)...].split(separator: "&")
      let kept = pieces.filter { !Redaction.isTelling($0.prefix { $0 != "=" }) }
      isWhole = isWhole && kept.count == pieces.count
      if !kept.isEmpty { url += "?" + kept.joined(separator: "&") }
    }
    let line = "url: \(YAMLText.scalar(url))"
    guard !isWhole else { return [line] }
    return [
      line,
      note(
        "Secrets of the URL are left out. Name a variable: parameters: {token: $MY_FEED_KEY}",
        "Секреты из адреса убраны. Укажите переменную: parameters: {token: $MY_FEED_KEY}"),
    ]
  }

  /// The name of the file without its extension, reduced to the characters that a feed's name may
  /// have.
  private var name: String {
    var path = ""
    switch input {
    case .file(let file): path = file
    case .url(let url): path = String(url.prefix { $0 != "?" && $0 != "#" })
    case .standardInput, .bytes, .requests: break
    }
    let file = path.split(separator: "/").last ?? ""
    let words = file.prefix { $0 != "." }.lowercased()
      .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.joined(separator: "-").prefix(64)
    return name.isEmpty ? "my-feed" : String(name)
  }

  private var envelope: [String] {
    guard let envelope = draft.envelope else { return [] }
    var lines = [
      note(
        "The data is base64 text inside an answer.", "Данные — текст base64 внутри ответа."),
      "envelope:",
    ]
    for (key, test) in [("status", envelope.status), ("match", envelope.match)] {
      guard let test else { continue }
      lines.append("  \(key): {path: \(path(test.path)), is: \(YAMLText.scalar(test.value))}")
    }
    lines.append("  payload: \(path(envelope.payload))")
    if let version = envelope.version { lines.append("  version: \(path(version))") }
    return lines
  }

  private var rows: [String] {
    guard draft.zip.isEmpty else {
      return [
        note(
          "Parallel lists; their elements of the same place are a row. Rows here: \(draft.count).",
          "Параллельные списки: элементы с одним номером — строка. Строк здесь: \(draft.count)."),
        "zip: [\(draft.zip.map { path($0) }.joined(separator: ", "))]",
      ]
    }
    let count = draft.count
    let found =
      switch draft.form {
      case .objects:
        note(
          "Where the rows are: \(count) \(plural(count, "object", "objects")) here.",
          "Где строки: здесь объектов — \(count).")
      case .lists:
        note(
          "Where the rows are: \(count) \(plural(count, "list", "lists")) here.",
          "Где строки: здесь списков — \(count).")
      case .values:
        note(
          "Where the rows are: \(count) \(plural(count, "value", "values")) here.",
          "Где строки: здесь значений — \(count).")
      }
    let rows = [found, "rows: \(path(draft.rows))"]
    guard let heading = draft.heading else { return rows }
    return rows + [
      note("Without the row of the headings:", "Без строки заголовков:"),
      "where: {\(YAMLText.scalar(heading.column)): {not: \(YAMLText.scalar(heading.text))}}",
    ]
  }

  private var columns: [String] {
    let kinds = FieldKind.allCases.map(\.rawValue).joined(separator: ", ")
    var lines = [
      note(
        "A column: its place in a row, and its kind:",
        "Столбец: откуда в строке он читается и какого он вида:"),
      "# \(kinds).",
      note(
        "A path with [] starts at the document.", "Путь с [] считается от документа."),
      "columns:",
    ]
    for column in draft.columns {
      if let misfits = column.misfits { lines.append(note(on: misfits, column.kind).indented) }
      if let hint = hint(on: column) { lines.append(hint.indented) }
      let example = escaped(column.example, limit: 50)
      let name = YAMLText.scalar(column.name)
      lines.append("  \(name): \(definition(of: column))  # \(example)")
    }
    for omitted in draft.omitted {
      let path = escaped(omitted.path.description, limit: 100)
      lines.append("  # \(path): \(text(of: omitted)[language])")
    }
    return lines
  }

  private func note(on misfits: FeedDraft.Misfits, _ kind: FieldKind) -> String {
    let (count, values, record) = (misfits.count, misfits.values, misfits.record)
    let verb = plural(count, "is", "are")
    let first = escaped(misfits.first, limit: 50)
    return note(
      """
      \(count) of \(values) values \(verb) not of the kind \(kind.rawValue): '\(first)' (record \
      \(record)); such records are rejected.
      """,
      """
      Значений не вида \(kind.rawValue): \(count) из \(values), '\(first)' (запись \(record)); \
      такие записи отклоняются.
      """)
  }

  /// Returns what a person may know better than the sample; nil if there is nothing.
  private func hint(on column: FeedDraft.Column) -> String? {
    let from = self.from(column)
    switch column.reading {
    case .either(let first, let second):
      return note(
        "\(first) or \(second)? The sample fits both: {from: \(from), kind: day, format: \(first)}",
        "\(first) или \(second)? Образец подходит к обоим: {from: \(from), kind: day, "
          + "format: \(first)}")
    case .local:
      return note(
        "The day of a local time. With a clock the time is there too: {from: \(from), kind: instant}",
        "День местного времени. Если указать clock, есть и само время: {from: \(from), "
          + "kind: instant}")
    case .day, .time, nil: return nil
    }
  }

  /// Returns the reason why something is not a column.
  private func text(of omitted: FeedDraft.Omitted) -> Text {
    switch omitted.why {
    case .list(let first, let hasObjects):
      return Text(
        en: "a list in the row, and a column has one value",
        ru: "список в строке, а в столбце — одно значение")
        + (first.map(firstOfList) ?? .verbatim(""))
        + (hasObjects || first != nil
          ? rowsOfList(omitted.path, of: hasObjects) : .verbatim(""))
    case .late:
      let from = path(omitted.path, isRooted: true)
      return Text(
        en: "comes after the rows; as a column it needs the data read twice: {from: \(from)}",
        ru: "стоит после строк; чтобы сделать столбцом, данные читаются дважды: {from: \(from)}")
    case .keyed:
      let rows = path(Path(omitted.path.steps + [.any]))
      return Text(
        en: "its keys are data: it needs a table of its own, rows: \(rows)",
        ru: "его ключи — данные: для него нужна отдельная таблица, rows: \(rows)")
    case .beside:
      return Text(
        en: "another list: it needs a table of its own",
        ru: "другой список: для него нужна отдельная таблица")
    case .mixed:
      return Text(
        en: "not one value, or not of one kind", ru: "не одно значение или разных видов")
    case .empty: return Text(en: "always empty", ru: "всегда пусто")
    case .otherLength:
      return Text(
        en: "a list of another length: it needs a table of its own",
        ru: "список другой длины: для него нужна отдельная таблица")
    case .name: return Text(en: "its name cannot be written", ru: "имя нельзя записать")
    }
  }

  private func firstOfList(_ first: Path) -> Text {
    let steps = first.steps.dropFirst(draft.rows.steps.count)
    let from = path(Path(Array(steps)))
    let all = path(
      Path(
        steps.map { step in if case .element = step { .all(separator: ", ") } else { step } }))
    return Text(
      en: "; its first: {from: \(from)}, all joined: {from: \(all)}",
      ru: "; его первое: {from: \(from)}, все вместе: {from: \(all)}")
  }

  /// Says how each element of a list becomes a row. Without objects in it, an element is a value.
  private func rowsOfList(_ list: Path, of hasObjects: Bool) -> Text {
    let rows = path(Path(list.steps + [.each]))
    let value = hasObjects ? "" : ", {from: $value}"
    return Text(
      en: "; or a row for each of them: rows: \(rows)\(value)",
      ru: "; или строка на каждый элемент: rows: \(rows)\(value)")
  }

  /// The path of a column, as it is written in a document.
  private func from(_ column: FeedDraft.Column) -> String {
    let (steps, rows) = (column.path.steps, draft.rows.steps)
    switch steps.last {
    case .keyName:
      // Keys are counted from the row outwards.
      let inside = rows.count { $0 == .any } - steps.count { $0 == .any }
      return inside == 0 ? "$key" : YAMLText.scalar("$key[\(inside)]")
    case .itself: return "$value"
    default: break
    }
    return column.isOwn
      ? path(Path(Array(steps.dropFirst(rows.count))))
      : path(column.path, isRooted: column.path.arrays == 0)
  }

  private func definition(of column: FeedDraft.Column) -> String {
    let from = from(column)
    var parts = from == column.name ? [] : ["from: \(from)"]
    if column.kind != .text { parts.append("kind: \(column.kind.rawValue)") }
    if let unix = column.unix { parts.append("unix: \(unix.rawValue)") }
    switch column.reading {
    case .day(let format, let names):
      parts.append("format: \(YAMLText.scalar(format))")
      if let names, names != "en" { parts.append("names: \(names)") }
    case .time(let format?): parts.append("format: \(YAMLText.scalar(format))")
    case .local: parts.append("read: instant")
    case .time(nil), .either, nil: break
    }
    if column.isRequired { parts.append("required: true") }
    if let skip = column.skip { parts.append("skip: \(YAMLText.scalar(skip))") }
    if column.kind == .text, !column.isRequired { return from }
    return "{\(parts.joined(separator: ", "))}"
  }

  private var event: [String] {
    guard let event = draft.event else { return [whyNoEvent] }
    guard event.isDoubtful else { return lines(of: event) }
    return [
      note(
        "No row has a day of its own: all events would begin with \(event.start). If that is right:",
        "Своего дня у строк нет: все события начинались бы в \(event.start). Если так и надо:")
    ]
      + lines(of: event).map { $0.isEmpty || $0.hasPrefix("#") ? $0 : "# " + $0 }
  }

  private var whyNoEvent: String {
    draft.columns.contains { [.day, .instant, .period].contains($0.kind) }
      ? note(
        "No column tells one event from another, so there is no calendar.",
        "Нет столбца, по которому различить события, поэтому нет и календаря.")
      : note(
        "No column holds days, so there is no calendar.",
        "Столбца с днями нет, а без него нет и календаря.")
  }

  private func lines(of event: FeedDraft.Event) -> [String] {
    var lines = [
      note(
        "The identity of an event: the columns that stay when its day moves.",
        "По чему узнать событие: столбцы, которые не меняются при переносе дня."),
      "key: [\(draft.key.map(YAMLText.scalar).joined(separator: ", "))]",
      "",
      note(
        "An event of the calendar. {word column} drops out with its word if the column is empty.",
        "Событие календаря. {слово column} пропадает вместе со словом, если столбец пуст."),
      "event:",
      "  calendar: \(YAMLText.scalar(name))",
      "  summary: \"\(event.title.map { "{\($0)}" }.joined(separator: ", "))\"",
      "  # location: \"{street}, {house number}\"",
      "  description: \"{days}\"",
      "  start: \(YAMLText.scalar(event.start))",
    ]
    if let end = event.end { lines.append("  end: \(YAMLText.scalar(end))") }
    if let time = event.startTime {
      lines += [
        note("With a clock, at its time of day:", "Если указать clock — в своё время суток:")
          .indented,
        "  # start: {day: \(YAMLText.scalar(event.start)), time: \(YAMLText.scalar(time))}",
      ]
      if let end = event.endTime { lines.append("  # end: {time: \(YAMLText.scalar(end))}") }
    }
    lines += [
      note("A reminder, and a colour:", "Напоминание и цвет:").indented,
      "  # alarm: 1d", "  # color: dodgerblue",
    ]
    return lines
  }

  private var guards: [String] {
    [
      note(
        "sync refuses a feed that has lost a larger share of its records.",
        "sync не принимает данные, если пропала большая доля записей."),
      "guards: {max-shrink: 25%}",
    ]
  }

  /// Returns a path as it is written in a document: with dots, or key by key if a key contains the
  /// signs of a path. If `isRooted`, the path starts at the document and needs a sign to show that.
  private func path(_ path: Path, isRooted: Bool = false) -> String {
    let isPlain = path.steps.allSatisfy { step in
      guard case .key(let key) = step else { return true }
      return !key.isEmpty && key != "*" && key.first != "$" && !key.contains { ".[]".contains($0) }
    }
    if isPlain { return YAMLText.scalar((isRooted ? "$." : "") + path.description) }
    let keys = path.steps.map { step in
      switch step {
      case .key(let key): YAMLText.scalar(key)
      case .each: "'[]'"
      case .element(let index): "'[\(index)]'"
      case .all: "'[*]'"
      case .any: "{any: true}"
      // No draft has these in a list of keys.
      case .match, .keyName, .itself, .zip: "'*'"
      }
    }
    return "[\(((isRooted ? ["$"] : []) + keys).joined(separator: ", "))]"
  }
}

extension String {
  fileprivate var indented: String { "  " + self }
}
