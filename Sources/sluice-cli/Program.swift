import Glibc
import Sluice
import SluiceText

/// The program's own name and version.
enum Program {
  static let name = "sluice"
  static let version = Release.version
  /// The date of the version, as the man page writes it.
  static let manualDate = "November 20, 2026"

  /// Runs the program with its command line and environment. Returns the exit code.
  ///
  /// This is not in the file `main`, because code there belongs to the main actor: a closure would
  /// link the whole runtime for tasks into the program.
  static func run() -> ExitCode {
    let invocation = Invocation(commandLine: CommandLine.unsafeArgv, environment: Environment.value)
    var console = Console(language: invocation.language, environment: Environment.value)
    switch invocation.request {
    case .success(let options):
      console.secrets = RequestSecrets(
        options.secrets, typed: invocation.secrets + options.writtenSecrets)
      return options.run(console)
    case .failure(let error):
      console.secrets = RequestSecrets(typed: invocation.secrets)
      console.error(error.text(command: invocation.command))
      return ExitCode(error)
    }
  }
}

/// The exit code of the program. The codes are part of its contract. Those from 64 on are the ones
/// of sysexits.h.
enum ExitCode: Int32, CaseIterable, Sendable {
  /// Done, or the reader of standard output went away.
  case done = 0
  /// The selection keeps no row, and files that existed stay as they were; or a search finds
  /// nothing; or two inputs differ.
  case nothingSelected = 1
  /// The outputs are written, but some records were rejected, within the limit, or some parts are
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
  /// Worth a retry later: another run holds the lock, or a guard refused.
  case tryLater = 75
}

extension ExitCode {
  /// Returns the code for an error of the pipeline.
  init(_ error: PipelineError) { self.init(error.class) }

  /// Returns the code for a class of faults.
  private init(_ fault: FaultClass) {
    self =
      switch fault {
      case .badData, .badFeed: .badData
      case .usage: .usage
      case .nothingFound: .nothingSelected
      case .noInput: .noInput
      case .cannotCreate: .cannotCreate
      case .cannotRead, .cannotWrite, .badState: .ioError
      case .busy, .guarded, .cancelled: .tryLater
      case .readerGone: .done
      // Everything between this machine and a server's complete answer.
      case .notInstalled, .unreachable, .blocked, .connectionLost, .stalled, .timedOut,
        .serverBusy, .gatewayFailed, .unauthorized, .forbidden, .badAnswer:
        .unreachable
      }
  }

  /// Returns the code for an error of the command line or of the configuration file.
  init(_ error: UsageError) {
    switch error {
    case .configFile(let fault), .feedFile(let fault), .credential(let fault):
      self.init(fault.class)
    case .set(_, let error): self.init(error)
    default: self = .usage
    }
  }
}

extension CommandOptions {
  /// The secrets that the user's own document has written out. A server may repeat them.
  fileprivate var writtenSecrets: [String] {
    guard let feed = feedRead, !feed.isBuiltIn else { return [] }
    let urls =
      [feed.url, feed.items?.search?.url].compactMap(\.self) + (feed.requests?.urls ?? [])
    let headers = feed.headers.filter(\.variables.isEmpty).map { "\($0.name): \($0.value)" }
    return Secrets.typed(urls, headers)
  }

  /// The values of the variables that may be sent. No message shows them.
  fileprivate var secrets: [String: String] {
    feedRead.flatMap { openVariables?.hidden(of: $0) } ?? [:]
  }
}
