import Foundation
import Testing

/// Runs the program as it was built.
enum BuiltProgram {
  /// `SLUICE`, where that is set (`make test` names the release build); else what was built
  /// together with the tests, beside them.
  static let path: String = {
    if let path = ProcessInfo.processInfo.environment["SLUICE"], !path.isEmpty {
      return URL(fileURLWithPath: path).path
    }
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("sluice").path
  }()

  /// The program can be run. `make check` runs none: that takes minutes.
  static let isThere =
    ProcessInfo.processInfo.environment["SLUICE_CHECK"] == nil
    && FileManager.default.isExecutableFile(atPath: path)

  /// The program is the one that people get: `make test` names it.
  static let isRelease = !(ProcessInfo.processInfo.environment["SLUICE"] ?? "").isEmpty

  /// Where programs are looked for: our own PATH, the folder of `sluice` first.
  static let searchPath: String = {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let rest = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return "\(folder):\(rest)"
  }()

  /// Runs it with these words and nothing else in its environment.
  static func run(
    _ words: [String], environment: [String: String] = [:], reading source: Child.Source = .nothing,
    in folder: String? = nil
  ) throws -> Run {
    try Child([path] + words, environment: environment, reading: source, in: folder).wait()
  }

  /// Runs a shell script; `sluice` in it is the program.
  static func shell(
    _ script: String, _ shell: String = "/bin/bash", environment: [String: String] = [:],
    in folder: String? = nil
  ) throws -> Run {
    try Child(
      [shell, "-c", script], environment: toolEnvironment.merging(environment) { $1 }, in: folder
    ).wait()
  }

  /// Runs another program, found along PATH.
  static func tool(
    _ words: [String], environment: [String: String] = [:], in folder: String? = nil
  ) throws -> Run {
    try Child(words, environment: toolEnvironment.merging(environment) { $1 }, in: folder).wait()
  }

  /// Starts a program that the test goes on beside.
  static func start(
    _ words: [String], reading source: Child.Source = .nothing, in folder: String? = nil
  ) throws -> Child {
    try Child(words, environment: toolEnvironment, reading: source, in: folder)
  }

  private static let toolEnvironment = ["PATH": searchPath, "HOME": "/nonexistent"]

  /// Whether a program is there to be run.
  static func has(_ tool: String) -> Bool {
    searchPath.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Leaves the test or the suite out where the program cannot be run.
  static var needsProgram: Self {
    .enabled(if: BuiltProgram.isThere, "the program is not built, or make check leaves it out")
  }
}
