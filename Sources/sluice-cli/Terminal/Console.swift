import Glibc
import Sluice
import SluiceText
import Synchronization

/// Writes messages for people to standard error, in their language. Nothing else in the program
/// does.
struct Console: Sendable {
  let language: Language
  /// Whether standard error is a terminal that can rewrite a line.
  let isTerminal: Bool
  private let isColoured: Bool
  private let output: Descriptor
  /// Whether every line begins with the time.
  private var isStamped = false
  private let journal: String?
  /// The values that are hidden in all lines.
  var secrets = RequestSecrets()
  /// The copy of the lines for a report, if there is one.
  var transcript: Transcript?

  /// Makes a console. The environment decides on colours.
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

  /// The console of a command that runs unattended. Lines begin with the time, unless standard
  /// error is a terminal or the journal, which has times of its own.
  var stamped: Console {
    var console = self
    console.isStamped = !output.isTerminal && !output.isJournal(named: journal)
    return console
  }

  /// The current number of columns of a line. A terminal may be resized at any time.
  var columns: Int { output.columns ?? Columns.width }

  /// Writes the error that ends the program, `sluice: error: …`.
  func error(_ text: Text) { say("error:", colour: 31, text) }

  /// Writes a warning, after which the run continues, `sluice: warning: …`.
  func warning(_ text: Text) { say("warning:", colour: 33, text) }

  /// Writes a note without consequences, `sluice: …`.
  func note(_ text: Text) {
    let text = secrets.hide(in: text[language])
    transcript?.keep("\(Program.name): \(text)\n")
    put("\(stamp)\(Program.name): \(text)\n")
  }

  /// Writes a complete line. A failure of standard error itself cannot be reported.
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

/// A file descriptor that the program was started with.
struct Descriptor: Sendable {
  /// The error of a failed write.
  struct Failure: Error, Equatable {
    /// The system's error number.
    let errno: Int32
    /// Whether the reader has closed the pipe. For a writer that is not an error.
    var isClosedPipe: Bool { errno == EPIPE }
  }

  let number: Int32

  static let standardOutput = Descriptor(number: 1)
  static let standardError = Descriptor(number: 2)

  var isTerminal: Bool { isatty(number) == 1 }

  /// Returns whether this is the stream to the journal that `JOURNAL_STREAM` names, `device:inode`
  /// (systemd.exec(5)). The variable may name a stream of another process.
  func isJournal(named stream: String?) -> Bool {
    var status = stat()
    guard let stream, fstat(number, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// The number of columns, or nil if this is not a terminal or has no size.
  var columns: Int? {
    var size = winsize()
    guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes all of `text`. Continues after interrupts and partial writes, and waits for a reader
  /// that is not ready. SIGPIPE has to be ignored.
  func write(_ text: String) throws(Failure) {
    var text = text
    var written = 0
    let code = text.withUTF8 {
      FileDescriptor.write(UnsafeRawBufferPointer($0), to: number, &written)
    }
    if code != 0 { throw Failure(errno: code) }
  }
}

/// Keeps the lines of a console without colours and times.
final class Transcript: Sendable {
  private let lines = Mutex("")

  /// Adds a line, with its line end.
  func keep(_ line: String) { lines.withLock { $0 += line } }

  /// All lines so far.
  var text: String { lines.withLock { $0 } }
}

/// Writes a result to standard output. A reader that closes the pipe, as `head` does, is not an
/// error.
func show(_ text: String, _ console: Console) -> ExitCode {
  do throws(Descriptor.Failure) {
    try Descriptor.standardOutput.write(text)
    return .done
  } catch {
    if error.isClosedPipe { return .done }
    console.error(.cannotWriteOutput(error.errno))
    return .ioError
  }
}

extension Text {
  /// Reports that writing to standard output failed.
  fileprivate static func cannotWriteOutput(_ error: Int32) -> Text {
    let reason = Text.systemError(error)
    return Text(
      en: "cannot write to standard output: \(reason.en)",
      ru: "не удалось записать в стандартный вывод: \(reason.ru)")
  }
}
