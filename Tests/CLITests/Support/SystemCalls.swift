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
    var isOpen = false
    return try calls(of: words, in: folder).compactMap { point, call in
      isOpen = isOpen || call.contains(".sluice-tmp")
      let isSilent = ["exit_group", "munmap", "mmap"].contains(point.name)
      return isOpen && !isSilent ? point : nil
    }
  }

  /// Lists the calls by which a run changes files, in order, and those that open its state.
  static func changes(of words: [String], state: String, in folder: Scratch) throws -> [Point] {
    try calls(of: words, in: folder).compactMap { point, call in
      let opensState = point.name == "openat" && (call.contains(state) || call.contains("O_CREAT"))
      return changing.contains(point.name) || opensState ? point : nil
    }
  }

  private static let changing: Set = [
    "write", "writev", "pwrite64", "pwritev", "sendfile", "copy_file_range", "fallocate",
    "ftruncate", "fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat",
    "unlink", "unlinkat", "mkdir", "mkdirat", "fchmod", "fchown", "utimensat", "syncfs",
  ]

  /// Runs the program and gives its calls in order, each with the line that strace wrote.
  private static func calls(
    of words: [String], in folder: Scratch
  ) throws -> [(point: Point, line: Substring)] {
    let log = folder("calls.log")
    _ = try BuiltProgram.tool(["strace", "-f", "-o", log, BuiltProgram.path] + words)
    defer { unlink(log) }
    var counts: [String: Int] = [:]
    return folder.text("calls.log").split(separator: "\n").compactMap { line in
      // 18202 linkat(4, ".a.csv.sluice-tmp", 4, "a.csv", 0) = 0
      let call = line.drop { $0.isNumber || $0 == " " }
      let name = String(call.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      guard !name.isEmpty, call.dropFirst(name.count).first == "(" else { return nil }
      counts[name, default: 0] += 1
      return (Point(name: name, number: counts[name] ?? 0), call)
    }
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
