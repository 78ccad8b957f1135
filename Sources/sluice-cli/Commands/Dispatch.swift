import Sluice

extension Command {
  /// Does what is asked for.
  func run(_ console: Console) -> ExitCode {
    var console = console
    console.secrets = secrets
    return switch self {
    case .convert(let options): options.run(console)
    case .sync(let options): options.run(console.stamped)
    case .status(let options): options.run(console)
    case .config(let options): options.run(console)
    case .inspect(let options): options.run(console)
    case .searches(let options): options.run(console)
    case .feeds(let options): options.run(console)
    case .cities(let options): options.run(console)
    case .completions(let shell): showCompletions(shell, console)
    case .help(let command): showHelp(command, console)
    case .version: show("\(Program.name) \(Program.version)\n", console)
    case .man: show(ManPage.page(), console)
    }
  }

  /// What the environment says for the variables that its feed names: whatever is said of the run,
  /// they are not in it.
  private var secrets: RequestSecrets {
    let feed: Feed? =
      switch self {
      case .convert(let options): options.reading.feed
      case .sync(let options): options.convert.reading.feed
      case .inspect(let options): options.reading.feed
      case .cities(let options): options.feed
      default: nil
      }
    let names =
      (feed?.requests?.variables ?? []) + (feed?.items?.search?.variables ?? [])
      + (feed?.headers.flatMap(\.variables) ?? [])
    let values = names.compactMap { name in Environment.value(name).map { (name, $0) } }
    return RequestSecrets(Dictionary(values, uniquingKeysWith: { first, _ in first }))
  }
}
