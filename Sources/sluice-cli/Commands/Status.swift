import Sluice
import SluiceSync
import SluiceText

extension Command {
  /// The row of `status`.
  static let status = Command(
    name: "status",
    summary: Text(
      en: "show the last results of sync: run, last good copy, next request, counts",
      ru: "показать, что сделал sync: запуск, последняя удачная копия, следующий запрос, счёт"),
    examples: [
      Example(
        line: "sluice status --state /var/lib/sluice",
        meaning: Text(en: "look at a nightly job", ru: "проверить ночное задание"))
    ],
    options: StatusOptions.self)
}

/// The options of `status`.
struct StatusOptions: CommandOptions {
  /// The state folder, or nil for the usual one.
  var state: String?

  /// Reads the options.
  init(_ arguments: Arguments) { state = arguments[.state] }
}

extension StatusOptions {
  /// Shows the records of earlier runs.
  func run(_ console: Console) -> ExitCode {
    let state: String
    do throws(UsageError) {
      state = try StatePath.chosen(self.state)
    } catch {
      console.error(error.text(command: .status))
      return .usage
    }
    do throws(PipelineError) {
      let status = try syncStatus(state: state)
      for fault in status.faults { console.error(fault.text) }
      let failed = status.faults.first.map { ExitCode($0) }
      if status.records.isEmpty, let failed { return failed }
      let shown = show(
        StatusReport.text(of: status.records, state: state, console.language), console)
      return failed ?? shown
    } catch {
      console.error(error.text)
      return ExitCode(error)
    }
  }
}

/// Lays out the records of earlier runs, for people.
private enum StatusReport {
  /// Returns the report, in lines, with an empty line between two inputs.
  static func text(of records: [SyncRecord], state: String, _ language: Language) -> String {
    guard !records.isEmpty else { return Text.noRunYet(state)[language] + "\n" }
    return records.map { text(of: $0, language) }.joined(separator: "\n")
  }

  private static func text(of record: SyncRecord, _ language: Language) -> String {
    var lines: [String] = []
    func add(_ label: Text, _ value: String) { lines.append("\(label[language]): \(value)") }
    add(Text(en: "feed", ru: "набор данных"), escaped(record.feed))
    add(Text(en: "input", ru: "источник"), escaped(record.input, limit: 240))
    add(
      Text(en: "last run", ru: "последний запуск"),
      "\(utc(record.ran)), \(record.result.meaning[language])")
    guard let copy = record.copy else {
      add(Text(en: "last good copy", ru: "последняя удачная копия"), Text.none[language])
      return lines.map { $0 + "\n" }.joined()
    }
    let version = copy.version.map { version in
      Text(en: "version \(escaped(version))", ru: "версия \(escaped(version))")
    }
    let facts = [.verbatim(utc(copy.taken)), .bytes(copy.size), version].compactMap(\.self)
    add(
      Text(en: "last good copy", ru: "последняя удачная копия"),
      facts.map { $0[language] }.joined(separator: ", "))
    add(Text(en: "confirmed", ru: "подтверждена"), utc(copy.confirmed))
    if let until = record.quietUntil {
      add(Text(en: "no request before", ru: "запроса не будет до"), utc(until))
    }
    let counts = copy.counts
    add(
      Text(en: "records", ru: "записей"),
      Text(
        en: """
          \(counts.read) (kept \(counts.kept), filtered \(counts.filtered), skipped \
          \(counts.skipped), rejected \(counts.rejected)), rows \(counts.rows)
          """,
        ru: """
          \(counts.read) (принято \(counts.kept), отсеяно \(counts.filtered), пропущено \
          \(counts.skipped), отклонено \(counts.rejected)), строк \(counts.rows)
          """)[language])
    if let day = copy.lastDay { add(Text(en: "last day", ru: "последний день"), "\(day)") }
    return lines.map { $0 + "\n" }.joined()
  }
}
