import Sluice
import SluiceSync
import SluiceText

extension Command {
  /// The row of `inspect`.
  static let inspect = Command(
    name: "inspect",
    summary: Text(
      en: "show the content of an input: form, entries, records, keys, dates, first rejects",
      ru: "показать, что внутри: формат, файлы архива, записи, ключи, даты, первые отклонённые"),
    operands: [.input],
    examples: [
      Example(
        line: "sluice inspect feed.zip",
        meaning: Text(en: "look into a file", ru: "заглянуть в файл")),
      Example(
        line: "sluice inspect --feed hot-water",
        meaning: Text(en: "look at the feed's current data", ru: "узнать, что отдают сейчас")),
    ],
    options: InspectOptions.self)
}

/// The options of `inspect`.
struct InspectOptions: CommandOptions {
  var reading: ReadingOptions

  var feedRead: Feed? { reading.feed }
  var openVariables: OpenVariables? { reading.variables }

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    reading = try ReadingOptions(arguments)
  }
}

extension InspectOptions {
  /// Reads the input and describes its content.
  func run(_ console: Console) -> ExitCode {
    let conversion: Conversion
    do throws(UsageError) {
      conversion = try reading.conversion()
    } catch {
      console.error(error.text(command: .inspect))
      return ExitCode(error)
    }
    let counters = Counters()
    let (inspection, shortfall) = withProgress(
      on: console, isAllowed: reading.isProgressAllowed, read: { ProgressState(counters) }
    ) {
      SluiceSync.inspect(conversion, counters: counters)
    }
    let shown = show(InspectionReport.text(of: inspection, reading.feed, console.language), console)
    if let error = inspection.error {
      console.error(reading.text(of: error))
      return ExitCode(error)
    }
    if reading.verbosity == .verbose, inspection.statistics.mayBeCut { console.note(.mayBeCut) }
    guard let shortfall else { return shown }
    console.warning(shortfall.text)
    return shown == .done ? .someRejected : shown
  }
}

/// Lays out the description of an input, for people.
private enum InspectionReport {
  /// The largest number of keys in the list.
  private static let keys = 40

  /// The report, in lines.
  static func text(of inspection: Inspection, _ feed: Feed, _ language: Language) -> String {
    var lines: [String] = []
    func add(_ label: Text, _ value: String) { lines.append("\(label[language]): \(value)") }
    if !inspection.layers.isEmpty {
      add(
        Text(en: "form", ru: "формат"),
        inspection.layers.map { name(of: $0)[language] }.joined(separator: " > "))
    }
    for entry in inspection.entries {
      let size = Text(
        en: "\(entry.size) bytes (\(entry.compressedSize) compressed)",
        ru: "байт: \(entry.size) (в архиве \(entry.compressedSize))")
      var value = "\(escaped(entry.name, limit: 200)), \(size[language])"
      if let modified = entry.modified { value += ", \(utc(modified))" }
      add(Text(en: "entry", ru: "файл"), value)
    }
    let counts = inspection.statistics
    if inspection.error == nil || counts.read > 0 {
      add(Text(en: "feed", ru: "набор данных"), feed.name)
      add(
        Text(en: "records", ru: "записей"),
        Text.counts(counts)[language])
    }
    if let days = counts.daysRead {
      add(Text(en: "days", ru: "дни"), "\(days.lowerBound) … \(days.upperBound)")
    }
    if !inspection.keys.isEmpty { lines.append(Text(en: "keys:", ru: "ключи:")[language]) }
    for key in inspection.keys.prefix(keys) {
      lines.append("  \(escaped(key.path.description, limit: 120)): \(key.count)")
    }
    if inspection.keys.count > keys { lines.append("  …") }
    lines += RejectLines.text(counts, inspection.rejects, feed.tables[0], language)
    return lines.map { escaped($0, limit: .max) + "\n" }.joined()
  }

  private static func name(of layer: LayersSeen.Layer) -> Text {
    switch layer {
    case .envelope: Text(en: "API envelope", ru: "ответ API")
    case .base64: .verbatim("base64")
    case .zip: .verbatim("zip")
    case .json: .verbatim("JSON")
    case .csv: .verbatim("CSV")
    }
  }
}
