/// A shell that completions can be made for.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}
