/// Writes the completion script of a shell.
func showCompletions(_ shell: Shell, _ console: Console) -> ExitCode {
  let script =
    switch shell {
    case .bash: BashCompletions.script()
    case .zsh: ZshCompletions.script(console.language)
    case .fish: FishCompletions.script(console.language)
    }
  return show(script, console)
}
