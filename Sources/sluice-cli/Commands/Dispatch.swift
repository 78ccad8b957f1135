extension Command {
  /// Does what is asked for.
  func run(_ console: Console) -> ExitCode {
    switch self {
    case .convert(let options): options.run(console)
    case .sync(let options): options.run(console.stamped)
    case .status(let options): options.run(console)
    case .config(let options): options.run(console)
    case .inspect(let options): options.run(console)
    case .feeds(let options): options.run(console)
    case .completions(let shell): showCompletions(shell, console)
    case .help(let command): showHelp(command, console)
    case .version: show("\(Program.name) \(Program.version)\n", console)
    case .man: show(ManPage.page(), console)
    }
  }
}
