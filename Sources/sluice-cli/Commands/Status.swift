import Sluice
import SluiceSync

/// What `status` is asked to do.
struct StatusOptions: Equatable, Sendable {
  /// The state folder; nil is the usual one.
  var state: String?

  /// Reads the options.
  init(_ arguments: Arguments) { state = arguments[.state] }
}

extension StatusOptions {
  /// Does what `status` is asked to do.
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

/// Lays out what is known of earlier runs, for people.
enum StatusReport {
  /// The report, in lines; an empty line between two inputs.
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
      Text(en: ", version ", ru: ", версия ")[language] + escaped(version)
    }
    add(
      Text(en: "last good copy", ru: "последняя удачная копия"),
      "\(utc(copy.taken)), \(Text.bytes(copy.size)[language])\(version ?? "")")
    add(Text(en: "confirmed", ru: "подтверждена"), utc(copy.confirmed))
    if let until = record.quietUntil {
      add(Text(en: "no request before", ru: "запроса не будет до"), utc(until))
    }
    let counts = copy.counts
    add(
      Text(en: "records", ru: "записей"),
      Text(
        en: "\(counts.read) (kept \(counts.kept), filtered \(counts.filtered), "
          + "skipped \(counts.skipped), rejected \(counts.rejected)), rows \(counts.rows)",
        ru: "\(counts.read) (принято \(counts.kept), отсеяно \(counts.filtered), "
          + "пропущено \(counts.skipped), отклонено \(counts.rejected)), строк \(counts.rows)")[
          language])
    if let day = copy.lastDay { add(Text(en: "last day", ru: "последний день"), "\(day)") }
    return lines.map { $0 + "\n" }.joined()
  }
}
