import Glibc
import Sluice
import SluiceText

/// Runs `work` and shows its progress, if that is allowed and standard error is a terminal. The
/// progress is one line. It appears after half a second, is rewritten at most ten times a second,
/// and is cleared before this function returns. `read` is called on another thread.
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

/// Rewrites a line with the progress from time to time, on its own thread.
private final class ProgressRenderer: Sendable {
  /// The thread's data, passed to it when it starts.
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
  /// A pipe. Closing its writing end wakes the thread and ends it.
  private let bell: (reading: Int32, writing: Int32)

  /// Starts the thread. Returns nil if the system has no pipe or thread left.
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

/// The progress of a run.
struct ProgressState: Equatable, Sendable {
  var bytesRead: Int
  /// The length of the input, if it is known.
  var totalBytes: Int?
  var records: Int
  /// Of several inputs, the number of those that were read, and of all; nil if there is one.
  var inputsDone: Int?
  var inputsInAll: Int?
  /// The number of answers, or nil if there is only one request.
  var requestsDone: Int?
  /// The number of all requests, if it is known.
  var requestsInAll: Int?
  /// The seconds until the next request, or nil during one.
  var secondsToWait: Int?

  /// Returns the line that shows it, cut to `columns`, without a line break.
  func line(_ language: Language, columns: Int) -> String {
    let facts = [volume, count, inputs, requests, pause].compactMap { $0?[language] }
    return String("\(Program.name): \(facts.joined(separator: ", "))".prefix(max(0, columns)))
  }

  private var volume: Text {
    let read = ProgressState.megabytes(bytesRead)
    guard let totalBytes, totalBytes >= bytesRead, totalBytes > 0 else {
      return Text(en: "\(read.en) MB", ru: "\(read.ru) МБ")
    }
    let total = ProgressState.megabytes(totalBytes)
    let percent = Int(Double(bytesRead) / Double(totalBytes) * 100)
    return Text(
      en: "\(read.en) of \(total.en) MB (\(percent)%)",
      ru: "\(read.ru) из \(total.ru) МБ (\(percent)\u{A0}%)")
  }

  private var count: Text {
    Text(
      en: "records: \(ProgressState.grouped(records, by: ","))",
      ru: "записей: \(ProgressState.grouped(records, by: "\u{A0}"))")
  }

  private var inputs: Text? {
    guard let inputsDone, let inputsInAll else { return nil }
    return Text(
      en: "inputs: \(inputsDone) of \(inputsInAll)", ru: "файлов: \(inputsDone) из \(inputsInAll)")
  }

  private var requests: Text? {
    guard let requestsDone else { return nil }
    guard let requestsInAll else {
      return Text(en: "requests: \(requestsDone)", ru: "запросов: \(requestsDone)")
    }
    return Text(
      en: "requests: \(requestsDone) of \(requestsInAll)",
      ru: "запросов: \(requestsDone) из \(requestsInAll)")
  }

  private var pause: Text? {
    secondsToWait.map { Text(en: "next request in \($0) s", ru: "новый запрос через \($0) с") }
  }

  private static func megabytes(_ bytes: Int) -> Text {
    let tenths = (max(0, bytes) + 50_000) / 100_000
    return Text(en: "\(tenths / 10).\(tenths % 10)", ru: "\(tenths / 10),\(tenths % 10)")
  }

  /// Returns a number with its digits in groups of three.
  private static func grouped(_ number: Int, by separator: String) -> String {
    let digits = String(number)
    return digits.enumerated().reduce(into: "") { result, digit in
      if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { result += separator }
      result.append(digit.element)
    }
  }
}
