import Glibc
import Sluice

/// What `config` is asked to show.
struct ConfigOptions: Equatable, Sendable {
  /// Every setting of `sync`, in the order of the table.
  let settings: [Setting]
  /// What `sync` would find wrong with them.
  let problem: UsageError?

  /// Reads the options. That no output is named is no problem here: it may be typed later.
  init(_ arguments: Arguments, operand: String?) {
    let feed = try? Feed.known(as: arguments[.feed] ?? Feed.names[0])
    let own = feed?.url ?? feed?.requests?.urls.first
    let input = Setting(
      key: Settings.input, value: (operand ?? own).map { .text($0) } ?? .none,
      origin: operand.map { _ in arguments.operandOrigin })
    settings =
      [input]
      + OptionRow.of(.config).filter(\.isSetting).map { row in
        Setting(row, arguments, default: ConfigOptions.standard(row, feed))
      }
    var complete = arguments
    if arguments.all(.output).isEmpty {
      complete.assume(.output, "\(Program.name).\(arguments[.format] ?? Format.csv.rawValue)")
    }
    do throws(UsageError) {
      _ = try SyncOptions(complete, operand: operand)
      problem = nil
    } catch {
      problem = arguments.traced(error)
    }
  }

  /// What holds where nothing is said.
  private static func standard(_ row: OptionRow, _ feed: Feed?) -> String? {
    switch row.name {
    case .maxAge:
      feed.map { $0.maxAge % 3600 == 0 ? "\($0.maxAge / 3600)h" : "\($0.maxAge)s" }
    case .state: StatePath.usual { name in getenv(name).map { String(cString: $0) } }
    case .maxShrink: feed?.maxShrink?.shown ?? row.standard
    case .calendarName: feed?.event?.calendarName[feed?.language ?? .ru]
    default: row.standard
    }
  }
}

extension Setting {
  /// What the levels together say of an option.
  fileprivate init(_ row: OptionRow, _ arguments: Arguments, default standard: String?) {
    let given = arguments.options.filter { $0.row.name == row.name }
    key = row.name.rawValue
    origin = given.first?.origin ?? arguments.cleared[row.name]
    if row.value == nil {
      value = .text(given.isEmpty ? "false" : "true")
    } else if row.isRepeatable {
      value = .list(given.compactMap(\.value))
    } else {
      value = (given.last?.value ?? standard).map { .text($0) } ?? .none
    }
  }
}

extension ConfigOptions {
  /// Does what `config` is asked to do; what is wrong is said after all is shown.
  func run(_ console: Console) -> ExitCode {
    let shown = show(ConfigReport.text(of: settings), console)
    guard let problem else { return shown }
    console.error(problem.text(command: .sync))
    return ExitCode(problem)
  }
}

/// Lays out settings as a configuration file could say them: only secrets are missing.
enum ConfigReport {
  /// Values wider than this do not push the origins of the others to the right.
  private static let width = 44

  /// The report, in lines of a key, a value and, as a comment, where the value comes from.
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
    }
  }
}

extension Origin {
  /// The origin as `config` shows it.
  fileprivate var shown: String {
    switch self {
    case .flag: "flag"
    case .environment(let variable): variable
    case .file(let path, let place): "\(escaped(path, limit: 240)):\(place.line)"
    }
  }
}
