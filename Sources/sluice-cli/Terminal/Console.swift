import Glibc
import Sluice

/// Speaks to people, on standard error, in their language: nothing else in the program does.
struct Console: Sendable {
  let language: Language
  /// Whether somebody watches.
  let isTerminal: Bool
  private let isColoured: Bool
  private let output: Descriptor

  /// Makes a console; the environment says whether colours are wanted.
  init(
    language: Language, output: Descriptor = .standardError, environment: (String) -> String?
  ) {
    self.language = language
    self.output = output
    // A dumb terminal can neither show colours nor rewrite a line.
    isTerminal = output.isTerminal && environment("TERM") != "dumb"
    // https://no-color.org: set and not empty.
    isColoured = isTerminal && (environment("NO_COLOR") ?? "").isEmpty
  }

  /// How many columns a line may have now: a terminal may be resized at any time.
  var columns: Int { output.columns ?? Columns.width }

  /// Says why the program ends, `sluice: error: …`.
  func error(_ text: Text) { say("error:", colour: 31, text) }

  /// Says what is worth knowing although the run goes on, `sluice: warning: …`.
  func warning(_ text: Text) { say("warning:", colour: 33, text) }

  /// Says something of no consequence, `sluice: …`.
  func note(_ text: Text) { put("\(Program.name): \(text[language])\n") }

  /// Writes a line that is complete in itself; where even standard error fails, nobody can be told.
  func put(_ line: String) { try? output.write(line) }

  private func say(_ label: String, colour: Int, _ text: Text) {
    let shown = isColoured ? "\u{1B}[1;\(colour)m\(label)\u{1B}[0m" : label
    put("\(Program.name): \(shown) \(text[language])\n")
  }
}
