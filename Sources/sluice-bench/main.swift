import Glibc

do {
  try Bench(CommandLine.arguments).run()
} catch {
  let message = Array("sluice-bench: \(error)\n".utf8)
  _ = write(STDERR_FILENO, message, message.count)
  exit(1)
}
