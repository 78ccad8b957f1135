import Sluice
import SluiceSync
import SluiceText

extension Command {
  /// The row of `find`.
  static let find = Command(
    name: "find",
    summary: Text(
      en: "find a place by what people type, and show its days",
      ru: "найти адрес или другое место так, как его пишут люди, и показать его дни"),
    operands: [
      Operand(
        value: .text("TEXT..."), isRequired: true, isRepeatable: true,
        help: Text(
          en: """
            an address or a name, in one word or several; 15к1, 15/1 and 'house 15 building 1' are \
            the same; typing errors, Latin letters and the wrong keyboard layout do not matter
            """,
          ru: """
            адрес или название, одним словом или несколькими; 15к1, 15/1 и «дом 15 корпус 1» — \
            одно и то же; опечатки, латинские буквы и чужая раскладка не мешают
            """))
    ],
    notes: [
      Text(
        en: """
          Without --input, it searches the last good copy that sync keeps. It ends with 0 if a \
          place is found, and with 1 if none is; then it shows the places that come nearest.
          """,
        ru: """
          Без --input поиск идёт в последней удачной копии, которую хранит sync. Если место \
          найдено, код завершения 0, если нет — 1; тогда показаны самые похожие места.
          """)
    ],
    examples: [
      Example(
        line: "sluice find пр. Непокоренных, 15к1",
        meaning: Text(
          en: "when one house has no hot water", ru: "когда в доме не будет горячей воды")),
      Example(
        line: "sluice find Sadovaya 14 --input feed.zip",
        meaning: Text(en: "search a file", ru: "искать в файле")),
      Example(
        line: "sluice find Lindenweg 4 --feed ./waste.yaml --json",
        meaning: Text(
          en: "another feed, for another program", ru: "другой набор данных, для другой программы")),
    ],
    options: FindOptions.self)
}

/// The options of `find`.
struct FindOptions: CommandOptions {
  /// What is searched for.
  var text: String
  var reading: ReadingOptions
  /// The table to search: the one that was named, or else the first.
  private var table: Table
  /// Whether the last good copy is searched instead of an input.
  private var isLastGood: Bool
  /// The day from which days are counted, or nil for today.
  var today: Day?
  var isJSON: Bool
  /// The state folder, or nil for the usual one.
  var state: String?

  var feedRead: Feed? { reading.feed }
  var openVariables: OpenVariables? { reading.variables }

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    text = arguments.operands.joined(separator: " ")
    isLastGood = arguments[.input] == nil
    do throws(UsageError) {
      reading = try ReadingOptions(arguments.with(operand: arguments[.input]))
    } catch {
      // Without a URL of the feed's own, the copy is one of another input.
      guard case .noInput = error else { throw error }
      reading = try ReadingOptions(arguments.with(operand: "-"))
    }
    today = try arguments.value(.today) { Day(iso: $0) }
    isJSON = arguments.has(.json)
    state = arguments[.state]
    let (name, tables) = (arguments[.table], reading.feed.tables)
    guard let table = tables.first(where: { name == nil || $0.name == name }) else {
      throw .noSuchTable(name ?? "", tables: tables.map(\.name))
    }
    self.table = table
    guard canFind(text, in: table) else { throw .emptyOperand("TEXT") }
  }
}

extension FindOptions {
  /// Searches, and shows the places.
  func run(_ console: Console) -> ExitCode {
    let result: SearchResult
    do throws(UsageError) {
      var conversion = try reading.conversion(isOffline: isLastGood)
      if reading.feed.tables.count > 1 { conversion.table = table.name }
      let state = isLastGood ? try StatePath.chosen(state) : nil
      do throws(PipelineError) {
        result =
          if let state {
            try findInLastGood(text, in: conversion, state: state) { error in
              if reading.verbosity == .verbose { console.note(.passedOver(error)) }
            }
          } else {
            try SluiceSync.find(text, in: conversion)
          }
      } catch {
        console.error(isLastGood ? error.text + .orGiveInput(for: error) : reading.text(of: error))
        return ExitCode(error)
      }
    } catch {
      console.error(error.text(command: .find))
      return ExitCode(error)
    }
    let report = FindReport(
      table: table, today: today ?? reading.feed.today,
      language: console.language)
    let lines = result.places.map { isJSON ? $0.json(in: report.table) : report.line($0) }
    let shown = show(lines.joined(), console)
    if result.places.isEmpty {
      console.note(.nothingFound(text, isNear: !result.near.isEmpty))
      for near in result.near {
        console.put("  " + report.line(near.place, .missing(in: near.named)))
      }
      return shown == .done ? .nothingSelected : shown
    }
    if !isJSON, let narrower = Text.narrower(result.places.map(\.named), isMore: result.isMore) {
      console.note(narrower)
    }
    return shown
  }
}

/// Lays out places, for people and for programs.
private struct FindReport {
  /// The most days of a place in its line.
  private static let most = 5

  let table: Table
  let today: Day
  let language: Language

  /// The line of a place, with its days. `remark` says what it lacks.
  func line(_ place: FoundPlace, _ remark: Text? = nil) -> String {
    var line = Text.name(of: place)[language]
    if let remark { line += " " + remark[language] }
    var texts: [String] = []
    for row in rows(of: place) {
      let text = text(of: row, place)
      // The feed may have a row twice.
      if !text.isEmpty, !texts.contains(text) { texts.append(text) }
    }
    if !texts.isEmpty { line += ": " + texts.prefix(Self.most).joined(separator: "; ") }
    if texts.count > Self.most { line += "; …" }
    return line + "\n"
  }

  /// A row without the name of its place.
  private func text(of row: FoundPlace.Row, _ place: FoundPlace) -> String {
    let days = row.days.map { days in
      "\(Text.days(days)[language]), \(Text.distance(of: days, from: today)[language])"
    }
    return [label(row, place), days].compactMap(\.self).joined(separator: ": ")
  }

  /// The rows to show: those that are not past, by day; or else the last one.
  private func rows(of place: FoundPlace) -> [FoundPlace.Row] {
    let dated = place.rows.filter { $0.days != nil }
    guard !dated.isEmpty else { return place.rows }
    func first(_ row: FoundPlace.Row) -> Day { row.days?.lowerBound ?? today }
    func last(_ row: FoundPlace.Row) -> Day { row.days?.upperBound ?? today }
    let coming = dated.filter { last($0) >= today }.sorted { first($0) < first($1) }
    guard coming.isEmpty else { return coming }
    let latest = dated.map(last).max()
    return Array(dated.filter { last($0) == latest }.prefix(Self.most))
  }

  /// What tells the rows of a place apart: the columns of the key that are not in its name, or, in
  /// a feed without days, all others.
  private func label(_ row: FoundPlace.Row, _ place: FoundPlace) -> String? {
    let named = Set(place.parts.map(\.column))
    let key = table.keyNumber?.parts ?? table.key
    let columns = table.columns
    var texts: [String] = []
    for (column, text) in zip(columns, row.texts) where !named.contains(column.name) {
      guard !text.isEmpty, column.kind != .keyNumber else { continue }
      if key.contains(column.name) {
        texts.append(escaped(text))
      } else if row.days == nil {
        texts.append("\(column.name) \(escaped(text))")
      }
    }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }
}

extension Text {
  /// Reports that no place was found. `isNear` says that a list of others follows.
  fileprivate static func nothingFound(_ text: String, isNear: Bool) -> Text {
    isNear
      ? Text(
        en: "nothing is found for \(quoted: text); the nearest:",
        ru: "по запросу \(quoted: text) ничего не найдено; самое похожее:")
      : Text(
        en: "nothing is found for \(quoted: text)",
        ru: "по запросу \(quoted: text) ничего не найдено")
  }

  /// Reports a record of another input that cannot be read.
  fileprivate static func passedOver(_ error: PipelineError) -> Text {
    let text = error.text
    return Text(
      en: "looking for the newest copy, a record is passed over: \(text[.en])",
      ru: "при поиске самой новой копии пропущена запись о другом источнике: \(text[.ru])")
  }

  /// Another remedy if there is no copy to search.
  fileprivate static func orGiveInput(for error: PipelineError) -> Text {
    guard case .sync(.noCopy) = error.fault else { return .verbatim("") }
    return Text(
      en: "; or search a file or a URL: --input INPUT",
      ru: "; либо укажите файл или адрес: --input INPUT")
  }
}
