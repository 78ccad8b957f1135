import Foundation

/// Runs the program that was built together with the tests.
enum BuiltProgram {
  /// How a run ended.
  struct Run {
    let code: Int32
    let output: String
    let errors: String
  }

  /// Beside the test program, wherever that was built.
  static let path: String = {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("sluice").path
  }()

  static let isThere = FileManager.default.isExecutableFile(atPath: path)

  /// Runs it with these words and nothing else in its environment.
  static func run(_ words: [String], environment: [String: String] = [:]) throws -> Run {
    try run(path, words, environment)
  }

  /// Runs a shell script; `sluice` in it is the program.
  static func shell(
    _ script: String, _ shell: String = "/bin/bash", environment: [String: String] = [:]
  ) throws -> Run {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let defaults = ["PATH": "\(folder):/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent"]
    return try run(shell, ["-c", script], defaults.merging(environment) { $1 })
  }

  private static func run(
    _ program: String, _ words: [String], _ environment: [String: String]
  ) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    process.environment = environment
    let output = Pipe()
    let errors = FileManager.default.temporaryDirectory
      .appendingPathComponent("sluice-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: errors) }
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Run(
      code: process.terminationReason == .exit ? process.terminationStatus : -1,
      output: String(decoding: data, as: UTF8.self),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }
}
