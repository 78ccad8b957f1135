import Glibc

// A reader that goes away, and a file that may not grow, show as errors of the write.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
Descriptor.occupyStandardNumbers()

let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
let invocation = Invocation(commandLine: CommandLine.unsafeArgv, environment: environment)
let console = Console(language: invocation.language, environment: environment)
switch invocation.request {
case .success(let command):
  exit(command.run(console).rawValue)
case .failure(let error):
  console.error(error.text(command: invocation.command))
  exit(ExitCode.usage.rawValue)
}
