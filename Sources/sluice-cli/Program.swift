import Glibc
import Sluice

/// The program's own name and version.
enum Program {
  static let name = "sluice"
  static let version = Release.version
  /// The day of the version, as the man page writes it.
  static let manualDate = "November 20, 2026"

  /// Does what the command line and the environment ask for.
  ///
  /// Not in the file `main`: what stands there belongs to the main actor, and to ask whether a
  /// closure of it runs there brings the whole runtime for tasks into the program.
  static func run() -> ExitCode {
    let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
    let invocation = Invocation(commandLine: CommandLine.unsafeArgv, environment: environment)
    let console = Console(language: invocation.language, environment: environment)
    switch invocation.request {
    case .success(let command): return command.run(console)
    case .failure(let error):
      console.error(error.text(command: invocation.command))
      return ExitCode(error)
    }
  }
}
