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
