/// Explains a command, or the program.
func showHelp(_ command: CommandName?, _ console: Console) -> ExitCode {
  let row = command.flatMap(CommandRow.of)
  return show(
    row.map { Help.command($0, console.language) } ?? Help.program(console.language), console)
}
