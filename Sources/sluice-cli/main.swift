import Glibc
import Sluice

StandardDescriptors.reserve()
Signals.install()

let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
let invocation = Invocation(commandLine: CommandLine.unsafeArgv, environment: environment)
let console = Console(language: invocation.language, environment: environment)
switch invocation.request {
case .success(let command):
  exit(command.run(console).rawValue)
case .failure(let error):
  console.error(error.text(command: invocation.command))
  exit(ExitCode(error).rawValue)
}
