import Foundation
import Testing

/// Whole runs that a configuration file steers.
@Suite(.needsProgram)
struct ConfigRunTests {
  /// A job as a file describes it.
  private func prepared(_ more: String = "") throws -> Nightly {
    let night = try Nightly()
    try night.offer(8)
    let outputs = Nightly.names.map { night.folder($0) }.joined(separator: ", ")
    try night.folder.write(
      "job.yaml",
      """
      # every night
      input: \(night.folder("feed.json"))
      state: \(night.state)
      output: [\(outputs)]
      today: 2020-07-01
      \(more)

      """)
    return night
  }

  private func run(
    _ night: Nightly, _ command: String, _ more: String..., environment: [String: String] = [:]
  ) throws -> Run {
    try run(night, [command] + more, environment: environment)
  }

  private func run(
    _ night: Nightly, _ words: [String], environment: [String: String] = [:]
  ) throws -> Run {
    try BuiltProgram.run(
      words + ["--config", night.folder("job.yaml")], environment: environment)
  }

  @Test func `sync does what the file says, and so do convert and status`() throws {
    let night = try prepared("where: [house=3, house=4]\nalarm: 1d")
    try run(night, "sync").expectSilence()
    #expect(night.houses == 2 && night.folder.text("c.ics").contains("TRIGGER:-P1D"))
    let outputs = night.outputs
    try run(night, "convert").expectSilence()
    #expect(night.outputs == outputs)
    #expect(try run(night, "status").output.contains(night.folder("feed.json")))
    try run(night, "sync", environment: ["SLUICE_WHERE": "house=3"]).expectSilence()
    #expect(night.houses == 1)
    let none = ["sync", "--where", "house=9", "-q"]
    // A file that has rows is emptied only if that is accepted.
    #expect(try run(night, none, environment: ["SLUICE_WHERE": "house=3"]).code == 75)
    #expect(night.houses == 1)
    try run(night, none + ["--accept"], environment: ["SLUICE_WHERE": "house=3"]).expectSilence()
    #expect(night.houses == 0)
  }

  @Test func `a file that is wrong stops the run before anything is touched`() throws {
    let night = try prepared("max-shrink: a lot")
    let path = night.folder("job.yaml")
    try run(night, "sync").expectFailure(64, "\(path):6:13: --max-shrink: \"a lot\" ")
    try run(night, "sync", "--lang", "ru").expectFailure(64, "\(path):6:13: --max-shrink: «a lot»")
    try BuiltProgram.run(["sync", "--config", path + "x"]).expectFailure(66, "--config: ")
    #expect(night.folder.names == ["feed.json", "job.yaml"])
  }

  @Test func `config shows every setting and where it comes from`() throws {
    let night = try prepared("header: ['Cookie: abc', 'X-Trace: 1']")
    let path = night.folder("job.yaml")
    let run = try run(
      night, "config", "--max-age", "1h", environment: ["SLUICE_STALE_OK": "7d", "HOME": "/h"])
    #expect(run.code == 0 && run.errors == "")
    let lines = run.output.split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    for line in [
      "state: \(night.state) # \(path):3", "today: 2020-07-01 # \(path):5", "max-age: 1h # flag",
      "stale-ok: 7d # SLUICE_STALE_OK", "max-shrink: 25% # default", "# entry: # default",
      "header: ['Cookie: ***', 'X-Trace: 1'] # \(path):6",
    ] {
      #expect(lines.contains(line), "\(line) is not in \(run.output)")
    }
    #expect(!run.output.contains("abc"))
  }

  @Test func `what config shows can be a file`() throws {
    let night = try prepared("max-age: 90s\nallow-rejects: true")
    let first = try run(night, "config").output
    let path = try night.folder.write("again.yaml", first)
    let second = try BuiltProgram.run(["config", "--config", path])
    #expect(second.code == 0 && second.errors == "")
    func values(_ text: String) -> [String] {
      text.split(separator: "\n").map { line in
        String(line.prefix(upTo: line.lastIndex(of: "#") ?? line.endIndex))
          .trimmingCharacters(in: .whitespaces)
      }
    }
    #expect(values(first) == values(second.output))
  }

  @Test func `what is wrong is said after all is shown`() throws {
    let night = try prepared("max-age: 5y")
    let run = try run(night, "config")
    #expect(run.code == 64 && run.output.contains("max-age: 5y"))
    run.expectOneLine("sluice: error: \(night.folder("job.yaml")):6:10: ")
  }
}
