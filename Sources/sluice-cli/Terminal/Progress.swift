import Glibc
import Sluice

/// Does `work` and meanwhile shows how far it is, where somebody watches and progress is allowed:
/// one line, first after half a second, rewritten ten times a second at most, and cleared before
/// this function returns. `read` is called on a thread of its own.
func withProgress<Result, Failure: Error>(
  on console: Console, isAllowed: Bool, read: @escaping @Sendable () -> ProgressState,
  _ work: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard isAllowed, console.isTerminal, let renderer = ProgressRenderer(console, read) else {
    return try work()
  }
  defer { renderer.stop() }
  return try work()
}

/// Rewrites a line with the progress from time to time, on a thread of its own.
private final class ProgressRenderer: Sendable {
  /// What the thread needs, handed over when it starts.
  private final class Job: Sendable {
    let console: Console
    let read: @Sendable () -> ProgressState
    let bell: Int32

    init(_ console: Console, _ read: @escaping @Sendable () -> ProgressState, bell: Int32) {
      self.console = console
      self.read = read
      self.bell = bell
    }

    func run() {
      var wait = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
      var pause: Int32 = 500
      var isShown = false
      while true {
        let answer = poll(&wait, 1, pause)
        if answer < 0, errno == EINTR { continue }
        guard answer == 0 else { break }
        // The terminal may be resized meanwhile. Its last column is left free: a full line wraps.
        let columns = console.columns - 1
        console.put("\r\(read().line(console.language, columns: columns))\u{1B}[K")
        isShown = true
        pause = 100
      }
      if isShown { console.put("\r\u{1B}[K") }
    }
  }

  private let thread: pthread_t
  /// A pipe: closing the end for writing wakes the thread and ends it.
  private let bell: (reading: Int32, writing: Int32)

  /// Starts the thread; nil where the system has no more of what it takes.
  init?(_ console: Console, _ read: @escaping @Sendable () -> ProgressState) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    bell = (ends[0], ends[1])
    let job = Unmanaged.passRetained(Job(console, read, bell: bell.reading))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, job.toOpaque())
    self.thread = thread
    guard result == 0 else {
      job.release()
      close(ends[0])
      close(ends[1])
      return nil
    }
  }

  /// Clears the line and waits until the thread has ended.
  func stop() {
    close(bell.writing)
    pthread_join(thread, nil)
    close(bell.reading)
  }
}

/// How far a run has come.
struct ProgressState: Equatable, Sendable {
  var bytesRead: Int
  /// The length of the input, where it is known.
  var totalBytes: Int?
  var records: Int
  /// Requests answered, and how many there are where that is known; nil where there is one.
  var requestsDone: Int?
  var requestsInAll: Int?
  /// For how many seconds nothing is asked; nil while something is.
  var secondsToWait: Int?

  /// The line that shows it, cut to `columns`; without a line break.
  func line(_ language: Language, columns: Int) -> String {
    let comma = language == .ru ? "," : "."
    let unit = Text(en: "MB", ru: "МБ")[language]
    func megabytes(_ bytes: Int) -> String {
      let tenths = (max(0, bytes) + 50_000) / 100_000
      return "\(tenths / 10)\(comma)\(tenths % 10)"
    }
    var line = "\(Program.name): \(megabytes(bytesRead))"
    if let totalBytes, totalBytes >= bytesRead, totalBytes > 0 {
      let percent = Int(Double(bytesRead) / Double(totalBytes) * 100)
      line += Text(en: " of ", ru: " из ")[language]
      line += "\(megabytes(totalBytes)) \(unit) (\(percent)\(language == .ru ? "\u{A0}" : "")%)"
    } else {
      line += " \(unit)"
    }
    let count = ProgressState.grouped(records, by: language == .ru ? "\u{A0}" : ",")
    line += Text(en: ", records: \(count)", ru: ", записей: \(count)")[language]
    if let requestsDone {
      let all = requestsInAll.map { Text(en: " of \($0)", ru: " из \($0)")[language] } ?? ""
      line += Text(en: ", requests: ", ru: ", запросов: ")[language] + "\(requestsDone)\(all)"
    }
    if let secondsToWait {
      line +=
        Text(
          en: ", asking again in \(secondsToWait) s", ru: ", новый запрос через \(secondsToWait) с")[
          language]
    }
    return String(line.prefix(max(0, columns)))
  }

  /// A number with its digits in groups of three.
  private static func grouped(_ number: Int, by separator: String) -> String {
    let digits = String(number)
    return digits.enumerated().reduce(into: "") { result, digit in
      if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { result += separator }
      result.append(digit.element)
    }
  }
}
