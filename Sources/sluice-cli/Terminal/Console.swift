import Glibc
import Sluice

/// Speaks to people, on standard error, in their language: nothing else in the program does.
struct Console: Sendable {
  let language: Language
  /// Whether somebody watches.
  let isTerminal: Bool
  private let isColoured: Bool
  private let output: Descriptor
  /// Whether every line begins with the time.
  private var isStamped = false
  private let journal: String?
  /// What no line may show.
  var secrets = RequestSecrets()
  /// Keeps the lines too, where somebody else wants them.
  var transcript: Transcript?

  /// Makes a console; the environment says whether colours are wanted.
  init(
    language: Language, output: Descriptor = .standardError, environment: (String) -> String?
  ) {
    self.language = language
    self.output = output
    // A dumb terminal can neither show colours nor rewrite a line.
    isTerminal = output.isTerminal && environment("TERM") != "dumb"
    journal = environment("JOURNAL_STREAM")
    // https://no-color.org: set and not empty.
    isColoured = isTerminal && (environment("NO_COLOR") ?? "").isEmpty
  }

  /// The console of a command that runs unwatched: lines begin with the time, unless a terminal is
  /// there to be read at once, or the journal stamps them itself.
  var stamped: Console {
    var console = self
    console.isStamped = !output.isTerminal && !output.isJournal(named: journal)
    return console
  }

  /// How many columns a line may have now: a terminal may be resized at any time.
  var columns: Int { output.columns ?? Columns.width }

  /// Says why the program ends, `sluice: error: …`.
  func error(_ text: Text) { say("error:", colour: 31, text) }

  /// Says what is worth knowing although the run goes on, `sluice: warning: …`.
  func warning(_ text: Text) { say("warning:", colour: 33, text) }

  /// Says something of no consequence, `sluice: …`.
  func note(_ text: Text) {
    let text = secrets.hide(in: text[language])
    transcript?.keep("\(Program.name): \(text)\n")
    put("\(stamp)\(Program.name): \(text)\n")
  }

  /// Writes a line that is complete in itself; where even standard error fails, nobody can be told.
  func put(_ line: String) { try? output.write(line) }

  /// The time and a space (RFC 3339), or nothing.
  private var stamp: String { isStamped ? "\(utc(time(nil))) " : "" }

  private func say(_ label: String, colour: Int, _ text: Text) {
    let text = secrets.hide(in: text[language])
    transcript?.keep("\(Program.name): \(label) \(text)\n")
    let shown = isColoured ? "\u{1B}[1;\(colour)m\(label)\u{1B}[0m" : label
    put("\(stamp)\(Program.name): \(shown) \(text)\n")
  }
}
