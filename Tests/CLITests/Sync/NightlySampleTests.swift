import Foundation
import Testing

/// The crontab and the units in Samples/nightly.
@Suite(.needsProgram)
struct NightlySampleTests {
  private static let hasAnalyze = BuiltProgram.has("systemd-analyze") && BuiltProgram.has("make")

  /// Installs the samples under a folder, with the program.
  private func installed() throws -> Scratch {
    let prefix = try Scratch()
    let make = try BuiltProgram.tool(
      ["make", "-s", "install-nightly", "PREFIX=\(prefix.path)"], in: Samples.repository)
    #expect(make.code == 0, "\(make.errors)")
    _ = try prefix.folder("bin")
    try prefix.link("bin/sluice", to: BuiltProgram.path)
    return prefix
  }

  /// The lines of a file that are neither comments nor empty.
  private func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("#") }
  }

  /// Reads the command of a crontab's line as cron does (crontab(5)): from the sixth field on; a
  /// `%` ends it, but for `\%`.
  private func command(ofCrontab line: String) -> String {
    let fields = line.split(separator: " ", maxSplits: 5)
    var command = ""
    var isEscaped = false
    for character in fields.last ?? "" {
      if character == "%", !isEscaped { break }
      if isEscaped, character != "%" { command.append("\\") }
      isEscaped = character == "\\"
      if !isEscaped { command.append(character) }
    }
    return command
  }

  @Test func `a percent sign ends cron's line`() {
    #expect(command(ofCrontab: "1 2 * * * x --a 5\\% b\\c") == "x --a 5% b\\c")
    #expect(command(ofCrontab: "1 2 * * * x $(date +%F) y") == "x $(date +")
  }

  @Test(.enabled(if: BuiltProgram.has("make"), "make is not there"))
  func `the crontab's line publishes and is quiet`() throws {
    let prefix = try installed()
    let lines = try lines(prefix("share/sluice/nightly/crontab"))
    #expect(lines.count == 2 && lines[0].hasPrefix("MAILTO="))
    let time = lines[1].split(separator: " ").prefix(5)
    #expect(time.count == 5 && time.allSatisfy { $0 == "*" || Int($0) != nil })
    #expect(lines[1].utf8.count < 900)
    let command = command(ofCrontab: lines[1])
    #expect(command.hasSuffix("--max-shrink 25%"))
    let (www, state) = (try prefix.folder("www"), prefix("state"))
    let script = command.replacing("/srv/www", with: www).replacing("/var/lib/sluice", with: state)
      .replacing(" sync ", with: " sync \(Samples.hotWater) ")
    #expect(script.contains("\(prefix.path)/bin/sluice sync"))
    for _ in 0..<2 {
      // As cron does it: /bin/sh, hardly an environment.
      let run = try BuiltProgram.shell(script, "/bin/sh", environment: ["LANG": ""])
      run.expectSilence()
    }
    #expect(prefix.bytes("www/outages.csv")?.lines == 43)
    #expect(prefix.entries("www") == ["outages.csv", "site"])
    #expect(prefix.text("www/site/status.json").contains("\"records\":43"))
    #expect(prefix.entries("www/site/house").count == 36)
    #expect(prefix.bytes("state/rejected.ndjson")?.lines == 3)
    let broken = try BuiltProgram.shell(
      script.replacing(Samples.hotWater, with: "nowhere.json"), "/bin/sh")
    broken.expectLogLine(66, "error: source: ")
  }

  @Test(.enabled(if: hasAnalyze, "systemd-analyze is not there: the units are not verified"))
  func `systemd finds nothing wrong with the units`() throws {
    let prefix = try installed()
    let units = ["service", "timer"].map { prefix("lib/systemd/system/sluice-nightly.\($0)") }
    let run = try BuiltProgram.tool(["systemd-analyze", "verify"] + units)
    #expect(run.code == 0 && run.errors == "" && run.output == "", "\(run.errors)")
  }

  @Test(
    .enabled(
      if: hasAnalyze && SystemCalls.canBeTraced,
      "systemd-analyze is not there, or strace cannot trace: the filter of calls is not tried"))
  func `the service allows every call that a run makes`() throws {
    let prefix = try Scratch()
    let service = try lines(Samples.path("Samples/nightly/sluice-nightly.service"))
    #expect(service.contains("SystemCallFilter=@system-service"))
    let server = try FaultServer(body: Samples.hotWater)
    let run = try BuiltProgram.tool([
      "strace", "-f", "-qq", "-o", prefix("calls"), BuiltProgram.path, "sync", server.url("ok"),
      "-o", prefix("a.csv"), "-o", prefix("a.ics"), "-o", prefix("site/"), "--state",
      prefix("state"), "--allow-rejects",
      "--ping", server.url("ping"),
    ])
    #expect(run.code == 0, "\(run.errors)")
    let made = Set(
      prefix.text("calls").split(separator: "\n").compactMap {
        $0.firstMatch(of: #/^\d+ +([a-z_0-9]+)\(/#).map { String($0.1) }
      })
    #expect(made.count > 30)
    let allowed = try allowed("@system-service")
    #expect(allowed.count > 200)
    #expect(made.subtracting(allowed) == [])
  }

  /// The calls of a set, those of the sets in it included.
  private func allowed(_ set: String) throws -> Set<String> {
    let list = try BuiltProgram.tool(["systemd-analyze", "--no-pager", "syscall-filter", set])
    return try list.output.split(separator: "\n").dropFirst().reduce(into: []) { calls, line in
      let name = line.trimmingCharacters(in: .whitespaces)
      if name.hasPrefix("@") {
        calls.formUnion(try allowed(name))
      } else if !name.hasPrefix("#") {
        calls.insert(name)
      }
    }
  }

  @Test func `secrets come from a file, and not from a command line`() throws {
    for name in ["sluice-nightly.service", "crontab"] {
      let lines = try lines(Samples.path("Samples/nightly/\(name)"))
      #expect(lines.contains { $0.contains("/etc/sluice/env") })
      #expect(!lines.contains { $0.contains("--ping") || $0.contains("--header") })
    }
    let service = try lines(Samples.path("Samples/nightly/sluice-nightly.service"))
    for line in [
      "EnvironmentFile=-/etc/sluice/env", "PrivateMounts=yes", "LimitFSIZE=4G", "UMask=0022",
      "IPAddressDeny=169.254.0.0/16",
    ] {
      #expect(service.contains(line))
    }
  }

  @Test func `the crontab's line reads the file of secrets`() throws {
    let crontab = try lines(Samples.path("Samples/nightly/crontab"))
    let (folder, server) = (try Scratch(), try FaultServer(body: Samples.hotWater))
    try folder.write("env", "SLUICE_PING=\(server.url("ping"))\n")
    let script = command(ofCrontab: try #require(crontab.last))
      .replacing("/etc/sluice/env", with: folder("env"))
      .replacing(
        "/usr/local/bin/sluice sync", with: "\(BuiltProgram.path) sync \(Samples.hotWater)"
      )
      .replacing("/srv/www", with: folder.path).replacing("/var/lib/sluice", with: folder("state"))
    try BuiltProgram.shell(script, "/bin/sh").expectSilence()
    #expect(try Nightly.get(server.url("pings")).contains("/ping/start"))
  }

  @Test func `the user, the folders and the service fit each other`() throws {
    let user = try lines(Samples.path("Samples/nightly/sysusers.conf"))
    let folder = try lines(Samples.path("Samples/nightly/tmpfiles.conf"))
    let service = try lines(Samples.path("Samples/nightly/sluice-nightly.service"))
    #expect(user.count == 1 && user[0].hasPrefix("u sluice "))
    #expect(folder == ["d /srv/www :0755 :sluice :sluice -"])
    for line in [
      "User=sluice", "StateDirectory=sluice", "ProtectSystem=strict", "ReadWritePaths=/srv/www",
    ] {
      #expect(service.contains(line))
    }
    let start = try #require(service.first { $0.hasPrefix("ExecStart=") })
    #expect(start.contains("--state /var/lib/sluice") && !start.contains("%"))
    let timer = try lines(Samples.path("Samples/nightly/sluice-nightly.timer"))
    #expect(timer.contains("Persistent=true"))
    #expect(timer.contains { $0.hasPrefix("RandomizedDelaySec=") })
  }
}
