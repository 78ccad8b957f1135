import Sluice
import SluiceText

/// Reports that a feed's document has no errors, and shows the result of a sample.
func checkFeed(_ feed: Feed, _ file: String, _ sample: Input?, _ console: Console) -> ExitCode {
  do throws(PipelineError) {
    _ = try Zones(of: feed)
  } catch {
    console.error(error.text)
    return ExitCode(error)
  }
  let language = console.language
  let report =
    Text.documentIsRight(file)[language] + "\n" + FeedReport.text(of: feed, language)
  for (key, word, column) in feed.tables.flatMap(\.wordsLikeColumns) {
    console.note(.wordLikeColumn(key, word, column: column))
  }
  // Variables that only requests need are not an error of the document.
  let unset = feed.unsetVariables
  if !unset.isEmpty { console.note(.notSet(unset, feed: feed.name)) }
  guard let sample else { return show(report, console) }
  var conversion = Conversion(of: sample, as: feed)
  // The limit is checked after the whole sample was read.
  conversion.rejectLimit = .unlimited
  let trial = checkSample(conversion)
  let shown = show(report + "\n" + SampleReport.text(of: trial, feed, language), console)
  if let error = trial.error {
    console.error(error.text)
    return ExitCode(error)
  }
  for part in trial.parts {
    let counts = part.statistics
    let table = feed.tables.count == 1 ? nil : part.table.name
    guard RejectLimit.standard.allows(counts.rejected, of: counts.judged) else {
      let fault = FeedFault.tooManyRejects(
        rejected: counts.rejected, of: counts.judged, limit: .standard)
      console.error(
        PipelineError(.normalize(fault)).line(
          of: nil, Message.tooManyInSample(counts.rejected, of: counts.judged, table: table).text))
      return .badData
    }
    if let pair = part.keys?.pairs.first {
      console.error(.sameKey(pair.first, pair.second, ofTable: table))
      return .badData
    }
  }
  return shown == .done && trial.statistics.rejected > 0 ? .someRejected : shown
}

extension Table {
  /// Texts of its event that are the same in every event, and look like the name of a column.
  fileprivate var wordsLikeColumns: [(key: String, word: String, column: String)] {
    let templates: [(String, Localized<Template>?)] = events.flatMap { event in
      [
        ("summary", event.summary), ("own", event.ownSummary), ("location", event.location),
        ("description", event.description), ("url", event.details.url),
      ] + event.details.categories.map { ("categories", $0) }
    }
    let columns = columns.map(\.name)
    return templates.compactMap { key, template in
      guard let template, template.ru == template.en, template.en.clauses.isEmpty else {
        return nil
      }
      let word = template.en.prefix
      let letters = Array(word.lowercased())
      let column = columns.first { column in
        column == word
          || letters.count > 2 && editDistance(Array(column.lowercased()), letters) <= 1
      }
      return column.map { (key, word, $0) }
    }
  }
}

/// Lays out the result of a sample, for people.
private enum SampleReport {
  /// The report, in lines.
  static func text(of trial: SampleCheck, _ feed: Feed, _ language: Language) -> String {
    var lines: [String] = []
    for part in trial.parts {
      if feed.tables.count == 1 {
        lines += text(of: part, language)
      } else {
        lines.append(
          Text(en: "table \(part.table.name):", ru: "таблица \(part.table.name):")[language])
        lines += text(of: part, language).map { "  " + $0 }
      }
    }
    for share in trial.statistics.shares {
      lines.append(
        labeled(
          Text(en: "total of \(share.of)", ru: "сумма \(share.of)"),
          Text(
            en: "\(share.total), \(share.column): \(share.sum) in all",
            ru: "\(share.total), \(share.column): всего \(share.sum)")[language], language))
    }
    if feed.event != nil {
      lines.append(
        labeled(Text(en: "events", ru: "событий"), "\(trial.statistics.events)", language))
    }
    if !trial.firstEvent.isEmpty {
      lines.append(Text(en: "first event:", ru: "первое событие:")[language])
      lines += trial.firstEvent.map { "  " + escaped($0, limit: 1000) }
    }
    return lines.map { escaped($0, limit: .max) + "\n" }.joined()
  }

  private static func labeled(_ label: Text, _ value: String, _ language: Language) -> String {
    "\(label[language]): \(value)"
  }

  /// The result of one table, in lines.
  private static func text(of part: SampleCheck.Part, _ language: Language) -> [String] {
    let counts = part.statistics
    var lines = [
      labeled(Text(en: "records", ru: "записей"), Text.counts(counts)[language], language)
    ]
    if let days = counts.daysRead {
      lines.append(
        labeled(Text(en: "days", ru: "дни"), "\(days.lowerBound) … \(days.upperBound)", language))
    }
    if let row = part.firstRow {
      lines.append(
        labeled(Text(en: "first row", ru: "первая строка"), escaped(row, limit: 1000), language))
    }
    if !part.emptyColumns.isEmpty {
      let columns = part.emptyColumns.joined(separator: ", ")
      let empty = Text(
        en: "empty in all rows: \(columns) (are their paths right?)",
        ru: "пусто во всех строках: \(columns) (верны ли пути?)")
      lines.append(empty[language])
    }
    lines += counts.unread.map { Text.unread($0)[language] }
    if let keys = part.keys { lines += KeyLines.text(keys, language) }
    return lines + RejectLines.text(counts, part.rejects, part.table, language)
  }
}

/// Lays out the rows with equal keys.
private enum KeyLines {
  /// The number of rows with equal keys, then the first pairs.
  static func text(_ keys: KeyReport, _ language: Language) -> [String] {
    let columns = keys.columns.joined(separator: ", ")
    let part =
      keys.isWhole
      ? .verbatim("")
      : Text(
        en: " (the first \(keys.rows) rows; the others were not checked)",
        ru: " (первые строки: \(keys.rows); остальные не проверены)")
    guard keys.repeated > 0 else {
      let none = Text(
        en: "key \(columns): no duplicates", ru: "ключ \(columns): повторов нет")
      return [(none + part)[language]]
    }
    let head = Text(
      en: "key \(columns): rows with the key of an earlier row: \(keys.repeated)",
      ru: "ключ \(columns): строк с ключом, который уже был: \(keys.repeated)")
    return [(head + part)[language]]
      + keys.pairs.map { pair in
        let place = Text(
          en: "rows \(pair.first) and \(pair.second)", ru: "строки \(pair.first) и \(pair.second)")
        let key = pair.key.map { escaped($0, limit: 200) }.joined(separator: ", ")
        return "  \(place[language]): \(key)"
      }
  }
}

/// Lays out the rejected records, with reasons.
enum RejectLines {
  /// The counts by reason, then the first records.
  static func text(
    _ counts: Statistics, _ rejects: [Reject], _ table: Table, _ language: Language
  ) -> [String] {
    var lines: [String] = []
    for reason in RejectReason.allCases {
      guard let count = counts.reasons[reason] else { continue }
      let label = Text(
        en: "rejected as \(reason.rawValue)", ru: "отклонено, \(reason.rawValue)")
      lines.append("\(label[language]): \(count)")
    }
    if !rejects.isEmpty {
      lines.append(Text(en: "first rejected:", ru: "первые отклонённые:")[language])
    }
    for reject in rejects {
      let raw = escaped(String(decoding: reject.raw, as: UTF8.self), limit: 300)
      let place = Text(
        en: "record \(reject.record), byte \(reject.offset)",
        ru: "запись \(reject.record), байт \(reject.offset)")[language]
      let culprit = reject.field.map { ", " + column(of: $0, table) } ?? ""
      let value = reject.value.map {
        " = " + Text.quoted(String(decoding: $0, as: UTF8.self))[language]
      }
      lines.append(
        "  \(place), \(reject.reason.rawValue)\(culprit)\(value ?? ""): \(raw)")
    }
    return lines
  }

  /// The column that is read from a key, and the key if its name differs.
  private static func column(of key: String, _ table: Table) -> String {
    let fields = table.fields.filter { $0.kind != .hidden && $0.path.lastKey == key }
    guard let columns = fields.first?.columns, fields.count == 1, columns != [key] else {
      return escaped(key, limit: 80)
    }
    return "\(columns.joined(separator: ", ")) (\(escaped(key, limit: 80)))"
  }
}
