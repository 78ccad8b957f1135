import Glibc

/// Makes system calls of the program fail or bring a signal, by strace.
enum SystemCalls {
  /// One call of the program, to be tampered with.
  struct Point: CustomStringConvertible, Sendable {
    let name: String
    /// Which one of that name, from 1.
    let number: Int

    var description: String { "\(name) \(number)" }
  }

  /// Whether strace is there and may trace.
  static let canBeTraced =
    (try? BuiltProgram.tool(["strace", "-o", "/dev/null", "true"]).code) == 0

  /// Lists the calls of a run in order, from the first one that concerns a temporary file on.
  static func points(of words: [String], in folder: Scratch) throws -> [Point] {
    let log = folder("calls.log")
    _ = try BuiltProgram.tool(["strace", "-f", "-o", log, BuiltProgram.path] + words)
    var counts: [String: Int] = [:]
    var points: [Point] = []
    var isOpen = false
    for line in folder.text("calls.log").split(separator: "\n") {
      // 18202 linkat(4, ".a.csv.sluice-tmp", 4, "a.csv", 0) = 0
      let call = line.drop { $0.isNumber || $0 == " " }
      let name = String(call.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      guard !name.isEmpty, call.dropFirst(name.count).first == "(" else { continue }
      counts[name, default: 0] += 1
      isOpen = isOpen || call.contains(".sluice-tmp")
      if isOpen, name != "exit_group", name != "munmap", name != "mmap" {
        points.append(Point(name: name, number: counts[name] ?? 0))
      }
    }
    unlink(log)
    return points
  }

  /// Runs the program with one call tampered with: `error=EIO`, `signal=SIGKILL`.
  static func run(
    _ words: [String], _ point: Point, _ tampering: String, environment: [String: String] = [:]
  ) throws -> Run {
    try BuiltProgram.tool(
      [
        "strace", "-f", "-qqq", "-o", "/dev/null", "-e", "trace=\(point.name)",
        "-e", "inject=\(point.name):\(tampering):when=\(point.number)", BuiltProgram.path,
      ] + words, environment: environment)
  }
}
