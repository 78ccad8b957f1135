import Glibc
import Sluice
import SluiceText

extension Command {
  /// The row of `config`.
  static let config = Command(
    name: "config",
    summary: Text(
      en: "show every setting of sync, and where it comes from",
      ru: "показать все настройки sync и откуда взята каждая"),
    operands: [.input],
    notes: [
      Text(
        en: """
          A configuration file is YAML: one mapping with the long names of options and 'input' as \
          keys. An option that may be repeated takes a list, a flag takes true or false. Keys of \
          options that a command does not take are ignored, so that one file serves convert, sync \
          and status. Relative paths start at the working folder.
          """,
        ru: """
          Файл настроек — это YAML: одно отображение, ключи — длинные имена параметров и «input». \
          Параметр, который можно указать несколько раз, принимает список, переключатель — true или \
          false. Ключи параметров, которых у команды нет, пропускаются: один файл годится для \
          convert, sync и status. Относительные пути считаются от текущей папки.
          """),
      Text(
        en: """
          An item of 'output' may be a mapping: path, and after it \
          \(RowOptions.names.map(\.rawValue).joined(separator: ", ")) for this output alone, in \
          place of the values for all: output: [all.csv, {path: home.ics, address: 'Sadovaya 14'}]
          """,
        ru: """
          Элемент списка output может быть отображением: path и параметры только для этого файла \
          (\(RowOptions.names.map(\.rawValue).joined(separator: ", "))), они действуют вместо общих: \
          output: [all.csv, {path: home.ics, address: 'Непокорённых 15к1'}]
          """),
      Text(
        en: """
          The command line wins over the environment, the environment over the file, the file over \
          the default; a list replaces the whole list of a lower level. Variables are called \
          SLUICE_ and the name in capitals: SLUICE_MAX_AGE for --max-age; a list has one item a \
          line. --accept can only be typed. Secrets in headers and URLs are shown as ***.
          """,
        ru: """
          Сначала учитывается командная строка, потом окружение, потом файл, потом значение по \
          умолчанию; список целиком заменяет список уровнем ниже. Переменная называется SLUICE_ и \
          имя прописными буквами: SLUICE_MAX_AGE для --max-age; в списке по одному значению на \
          строку. --accept можно указать только в командной строке. Секреты в заголовках и адресах \
          показываются как ***.
          """),
    ],
    examples: [
      Example(
        line: "sluice config --config /etc/sluice/hot-water.yaml",
        meaning: Text(en: "check a configuration file", ru: "проверить файл настроек"))
    ],
    options: ConfigOptions.self)
}

/// The options of `config`.
struct ConfigOptions: CommandOptions {
  /// Every setting of `sync`, in the order of the table.
  let settings: [Setting]
  /// The error that `sync` would report.
  let problem: UsageError?

  /// Reads the options. A missing output is not an error here: it may be typed later.
  init(_ arguments: Arguments) {
    let operand = arguments.operand
    let feed = try? Feed.known(as: arguments[.feed] ?? Feed.names[0])
    let own = feed?.url ?? feed?.requests?.urls.first
    let input = Setting(
      key: Settings.input, value: (operand ?? own).map { .text($0) } ?? .none,
      origin: operand.map { _ in arguments.operandOrigin })
    settings =
      [input]
      + Option.of(.config).filter(\.isSetting).map { option in
        Setting(option, arguments, default: ConfigOptions.standard(option, feed))
      }
    var complete = arguments
    if arguments.all(.output).isEmpty {
      complete.assume(.output, "\(Program.name).\(arguments[.format] ?? OutputFormat.csv.rawValue)")
    }
    do throws(UsageError) {
      _ = try SyncOptions(complete)
      problem = nil
    } catch {
      problem = arguments.traced(error)
    }
  }

  /// Returns the default of an option, or nil if there is none.
  private static func standard(_ option: Option, _ feed: Feed?) -> String? {
    switch option.name {
    case .maxAge:
      feed.map { $0.maxAge % 3600 == 0 ? "\($0.maxAge / 3600)h" : "\($0.maxAge)s" }
    case .state: StatePath.usual(Environment.value)
    case .maxShrink: feed?.maxShrink?.shown ?? option.standard
    case .calendarName: feed?.event?.calendarName[feed?.language ?? .ru]
    default: option.standard
    }
  }
}

extension Setting {
  /// Makes the setting of the value that takes effect.
  fileprivate init(_ option: Option, _ arguments: Arguments, default standard: String?) {
    let given = arguments.options.filter { $0.option.name == option.name }
    key = option.name.rawValue
    origin = given.first?.origin ?? arguments.cleared[option.name]
    if option.value == nil {
      value = .text(given.isEmpty ? "false" : "true")
    } else if given.contains(where: { $0.own != nil }) {
      value = .outputs(given.map(Setting.output))
    } else if option.isRepeatable {
      value = .list(given.compactMap(\.value))
    } else {
      value = (given.last?.value ?? standard).map { .text($0) } ?? .none
    }
  }
}

extension ConfigOptions {
  /// Shows the settings, and after them the error if there is one.
  func run(_ console: Console) -> ExitCode {
    let shown = show(ConfigReport.text(of: settings), console)
    guard let problem else { return shown }
    console.error(problem.text(command: .sync))
    return ExitCode(problem)
  }
}

/// Lays out settings in the form of a configuration file: only secrets are missing.
enum ConfigReport {
  /// Values wider than this do not push the origins of the others to the right.
  private static let width = 44

  /// The report: a line has a key, a value and, as a comment, the value's origin.
  static func text(of settings: [Setting]) -> String {
    let lines = settings.map { setting in
      (text: line(setting), origin: setting.origin?.shown ?? "default")
    }
    let width = min(lines.map(\.text.count).max() ?? 0, width)
    return lines.map { line in
      let padding = String(repeating: " ", count: max(0, width - line.text.count))
      return "\(line.text)\(padding)  # \(line.origin)\n"
    }.joined()
  }

  private static func line(_ setting: Setting) -> String {
    func shown(_ text: String) -> String { YAMLText.scalar(Secrets.hidden(text, of: setting.key)) }
    return switch setting.value {
    case .none: "# \(setting.key):"
    case .text(let text): "\(setting.key): \(shown(text))"
    case .list(let items): "\(setting.key): [\(items.map(shown).joined(separator: ", "))]"
    case .outputs(let items):
      "\(setting.key): [\(items.map(item).joined(separator: ", "))]"
    }
  }
}

extension ConfigReport {
  /// An output: its path, or a mapping.
  private static func item(_ settings: [Setting]) -> String {
    if settings.count == 1, case .text(let path) = settings[0].value {
      return YAMLText.scalar(path)
    }
    return "{\(settings.map(line).joined(separator: ", "))}"
  }
}

extension Origin {
  /// The origin, in the form that `config` shows.
  fileprivate var shown: String {
    switch self {
    case .flag: "flag"
    case .environment(let variable): variable
    case .file(let path, let place): "\(escaped(path, limit: 240)):\(place.line)"
    }
  }
}
