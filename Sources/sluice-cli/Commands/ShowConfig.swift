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
