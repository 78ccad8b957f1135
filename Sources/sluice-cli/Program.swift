import Glibc
import Sluice
import SluiceText

/// The program's own name and version.
enum Program {
  static let name = "sluice"
  static let version = Release.version
  /// The day of the version, as the man page writes it.
  static let manualDate = "November 20, 2026"

  /// Does what the command line and the environment ask for.
  ///
  /// It is not in the file `main`, whose code belongs to the main actor: a closure there would link
  /// the whole runtime for tasks into the program.
  static func run() -> ExitCode {
    let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
    let invocation = Invocation(commandLine: CommandLine.unsafeArgv, environment: environment)
    var console = Console(language: invocation.language, environment: environment)
    switch invocation.request {
    case .success(let options):
      console.secrets = options.secrets
      return options.run(console)
    case .failure(let error):
      console.error(error.text(command: invocation.command))
      return ExitCode(error)
    }
  }
}

/// The code that the program returns to its caller: the contract's codes (those from 64 on are
/// the ones of sysexits.h).
enum ExitCode: Int32, CaseIterable, Sendable {
  /// Done, or the reader of standard output went away.
  case done = 0
  /// The outputs are written; some records were rejected, within the limit, or some parts are
  /// missing or stale.
  case someRejected = 3
  /// The command line cannot be understood.
  case usage = 64
  /// The data is broken, or the rejects are over the limit: nothing was published.
  case badData = 65
  /// There is no such input.
  case noInput = 66
  /// The source could not be reached.
  case unreachable = 69
  /// An output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case ioError = 74
  /// Worth another try later: another run holds the lock, or a guard refused.
  case tryLater = 75
}

extension ExitCode {
  /// Chooses the code for an error of the pipeline.
  init(_ error: PipelineError) { self.init(error.class) }

  /// Chooses the code for a kind of problem.
  private init(_ fault: FaultClass) {
    self =
      switch fault {
      case .badData, .badFeed: .badData
      case .usage: .usage
      case .noInput: .noInput
      case .cannotCreate: .cannotCreate
      case .cannotRead, .cannotWrite, .badState: .ioError
      case .busy, .guarded, .cancelled: .tryLater
      case .readerGone: .done
      // Everything between here and a server's complete answer.
      case .notInstalled, .unreachable, .blocked, .connectionLost, .stalled, .timedOut,
        .serverBusy, .gatewayFailed, .unauthorized, .forbidden, .badAnswer:
        .unreachable
      }
  }

  /// Chooses the code for a command line that is not understood, or its configuration file.
  init(_ error: UsageError) {
    switch error {
    case .configFile(let fault), .feedFile(let fault): self.init(fault.class)
    case .set(_, let error): self.init(error)
    default: self = .usage
    }
  }
}

extension CommandOptions {
  /// The values of the variables that the feed names: no message shows them.
  fileprivate var secrets: RequestSecrets {
    let names =
      (feedRead?.requests?.variables ?? []) + (feedRead?.items?.search?.variables ?? [])
      + (feedRead?.headers.flatMap(\.variables) ?? [])
    let values = names.compactMap { name in Environment.value(name).map { (name, $0) } }
    return RequestSecrets(Dictionary(values, uniquingKeysWith: { first, _ in first }))
  }
}
