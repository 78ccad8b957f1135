import Sluice
import Testing

@testable import SluiceText
@testable import sluice_cli

@Suite struct SettingsTests {
  private let folder: Scratch

  init() throws { folder = try Scratch() }

  private func settings(
    _ line: String, file: String = "", environment: [String: String] = [:]
  ) throws -> [String: String] {
    let path = try folder.write("c.yaml", file)
    let words = ["config", "--config", path] + line.split(separator: " ").map(String.init)
    let request = try Invocation(words, environment: { environment[$0] }).request.get()
    let options = try #require(request as? ConfigOptions)
    #expect(options.problem == nil)
    return options.settings.reduce(into: [:]) { settings, setting in
      let value =
        switch setting.value {
        case .none: ""
        case .text(let text): text
        case .list(let items): items.joined(separator: ",")
        case .outputs(let items): "\(items.count) outputs"
        }
      let origin =
        switch setting.origin {
        case nil: "default"
        case .flag: "flag"
        case .environment(let variable): variable
        case .file(_, let place): "\(place.line):\(place.column)"
        }
      settings[setting.key] = "\(value) \(origin)"
    }
  }

  private func problem(
    _ words: [String], file: String? = nil, environment: [String: String] = [:]
  ) throws -> String {
    var words = words
    if let file { words += ["--config", try folder.write("c.yaml", file)] }
    let invocation = Invocation(words) { environment[$0] }
    guard case .failure(let error) = invocation.request else { return "" }
    #expect(ExitCode(error) == .usage)
    return error.text(command: invocation.command).en.replacing(folder("c.yaml"), with: "F")
  }

  @Test func `a flag hides the environment, which hides the file, which hides the default`() throws
  {
    let file = "max-age: 1h\nstale-ok: 1d\nmax-shrink: 1%\n"
    let environment = ["SLUICE_MAX_AGE": "2h", "SLUICE_STALE_OK": "2d"]
    let all = try settings("--max-age 3h", file: file, environment: environment)
    #expect(all["max-age"] == "3h flag")
    #expect(all["stale-ok"] == "2d SLUICE_STALE_OK")
    #expect(all["max-shrink"] == "1% 3:13")
    #expect(all["max-size"] == "2G default")
    #expect(try settings("")["max-age"] == "3h default")
    #expect(try settings("--feed bonds x")["max-age"] == "1h default")
  }

  @Test func `a list replaces that of a lower level`() throws {
    let file = "output: [a.csv, b.ics]\nalarm:\n- 1d\n- 2d\nwhere: house=5\nheader: ['A: 1']\n"
    let environment = ["SLUICE_ALARM": "1h\n2h\n", "SLUICE_HEADER": "\n"]
    let all = try settings("-o c.csv -o d.csv", file: file, environment: environment)
    #expect(all["output"] == "c.csv,d.csv flag")
    #expect(all["alarm"] == "1h,2h SLUICE_ALARM")
    #expect(all["where"] == "house=5 5:8")
    #expect(all["header"] == " SLUICE_HEADER")
    #expect(try settings("", file: "alarm: []")["alarm"] == " 1:8")
    #expect(
      try settings("", file: "alarm: [1d]", environment: ["SLUICE_ALARM": ""])["alarm"]
        == "1d 1:9")
  }

  @Test func `a flag is true or false`() throws {
    let file = "allow-rejects: true\nno-progress: true\nquiet: false\n"
    let all = try settings("-v", file: file, environment: ["SLUICE_NO_PROGRESS": "false"])
    #expect(all["allow-rejects"] == "true 1:16")
    #expect(all["no-progress"] == "false SLUICE_NO_PROGRESS")
    #expect(all["quiet"] == "false 3:8")
    #expect(all["verbose"] == "true flag")
  }

  @Test func `every option that can be set is read from both places`() throws {
    let values = [
      "output": "a.csv", "format": "csv", "where": "house=5", "from": "2020-06-01",
      "to": "2020-06-02", "feed": "hot-water", "csv-dialect": "excel", "header-row": "labels",
      "sort": "street:desc", "limit": "9",
      "alarm": "1d",
      "max-rejects": "5%", "max-size": "1G", "max-output": "2G", "max-files": "9", "header": "A: 1",
      "max-age": "4h",
      "stale-ok": "7d", "max-time": "40m",
      "max-shrink": "5%", "today": "2020-07-01", "lang": "ru", "input": "x.json",
      "ping": "https://watch.example/secret", "table": "hot_water",
      "allow-env": "A_KEY", "columns": "street,house",
    ]
    // This feed's rows have no key to be merged by.
    // And a list of files needs an output that has some.
    let rows = Option.of(.sync).filter { $0.isSetting && ![.merge, .fileIndex].contains($0.name) }
    for key in rows.map(\.name.rawValue) + ["input"] {
      let isFlag = rows.contains { $0.name.rawValue == key && $0.value == nil }
      let value = isFlag ? "true" : values[key] ?? "some-\(key)"
      let variable = "SLUICE_" + key.uppercased().replacing("-", with: "_")
      #expect(
        try settings("", environment: [variable: value])[key] == "\(value) \(variable)")
      #expect(
        try settings("", file: "\n\(key): '\(value)'")[key] == "\(value) 2:\(key.count + 3)")
    }
  }

  @Test func `what is set does what is typed does`() throws {
    let path = try folder.write(
      "c.yaml",
      """
      input: x.json
      output: [a.csv, b.ics]
      where: [house=5]
      alarm: 1d
      rejects: r
      max-age: 90s
      offline: true
      verbose: true
      """)
    let typed = "x.json -o a.csv -o b.ics --where house=5 --alarm 1d --rejects r -v"
    #expect(
      same(try understand("sync --config \(path)"), try understand("sync \(typed) --max-age 90s")))
    // One file for all commands: each leaves aside what is not its own.
    #expect(
      same(
        try understand("convert --config \(path)"), try understand("convert \(typed) --offline")))
    #expect(same(try understand("status --config \(path)"), try understand("status")))
    #expect(try convert("--config \(path) -q").reading.verbosity == .quiet)
    #expect(try convert("y.json --config \(path)").reading.input == .file("y.json"))
  }

  @Test func `the environment alone can name the file, and the language`() throws {
    let path = try folder.write("c.yaml", "state: /from/file\nlang: ru")
    let invocation = Invocation(["status"]) { $0 == "SLUICE_CONFIG" ? path : nil }
    let options = try #require(try invocation.request.get() as? StatusOptions)
    #expect(options.state == "/from/file")
    #expect(invocation.language == .ru)
  }

  @Test func `nothing is read for commands without settings, nor for help`() throws {
    let environment = ["SLUICE_CONFIG": "/nowhere", "SLUICE_INPUT": "x", "SLUICE_LANG": "xx"]
    for words in [
      ["feeds"], ["help"], ["man"], ["completions", "zsh"], ["sync", "--help"], ["sync", "-V"],
    ] {
      #expect(try problem(words, environment: environment) == "")
    }
    #expect(
      try problem(["feeds", "--config", "/nowhere"])
        == "--config is not an option of feeds; it belongs to convert, sync, status, cities")
  }

  @Test(arguments: [
    ("max-agee: 3h", #"F:1:1: unknown key "max-agee"; did you mean max-age?"#),
    ("max_age: 3h", #"F:1:1: unknown key "max_age"; did you mean max-age?"#),
    ("xyzzy: 1", #"F:1:1: unknown key "xyzzy"; 'sluice config' lists the keys"#),
    ("accept: true", "F:1:1: accept cannot be set in a file; type it when you need it: --accept"),
    ("config: b", "F:1:1: config cannot be set in a file; type it when you need it: --config"),
    ("state: [a]", #"F:1:8: "state" takes one value, not a list; choose one"#),
    ("input: [a]", #"F:1:8: "input" takes one value, not a list; choose one"#),
    ("state:", #"F:1:7: "state" has no value; write one, or remove the line"#),
    ("output: [a.csv, ~]", #"F:1:17: "output" has no value; write one, or remove the line"#),
    ("quiet: yes", #"F:1:8: --quiet: "yes" is neither true nor false; write true or false"#),
    (
      "to: [", "F:2:1: this is not YAML (did not find expected node content); check the line"
    ),
  ])
  func `what the file says wrong is said with line and column`(
    text: String, message: String
  ) throws {
    #expect(try problem(["sync"], file: text) == message)
  }

  @Test(arguments: [
    ("max-age: 5y", "1:10: --max-age: \"5y\" is not a length of time"),
    ("feed: hotwater", "1:7: unknown feed \"hotwater\""),
    ("where: [house=1, strete=1]", "1:18: --where: hot-water has no field \"strete\""),
    ("where: [house=1, x]", "1:18: --where: \"x\" is not FIELD=VALUE"),
    ("where: [start_date=1]", "1:9: --where: start_date holds days; \"1\" is none"),
    ("alarm: [1d, 1y]", "1:13: --alarm: \"1y\""),
    ("csv-dialect: exel", "1:14: --csv-dialect: \"exel\" is not one of the choices"),
    ("lang: de", "1:7: --lang: \"de\" is not one"),
    ("from: 2020-07-02\nto: 2020-07-01", "2:5: --from 2020-07-02 is after --to 2020-07-01"),
    ("input: ftp://a/b", "1:8: only http and https"),
    ("format: ics", "1:9: --format ics contradicts"),
    ("stats: a.csv", "1:8: -o and --stats name one file: \"a.csv\""),
    ("input: a.csv", ""),
  ])
  func `a value that is refused is found in the file`(text: String, message: String) throws {
    let words = ["sync", "-o", "a.csv"] + (text.contains("input") ? [] : ["x.json"])
    let found = try problem(words, file: text)
    #expect(
      message.isEmpty ? found.hasPrefix("-o names the input") : found.hasPrefix("F:" + message))
    // What is hidden by a flag does not matter.
    if text == "max-age: 5y" {
      #expect(try problem(words + ["--max-age", "5h"], file: text) == "")
    }
  }

  @Test func `a value that is refused is found in the environment`() throws {
    func problem(_ variable: String, _ value: String) throws -> String {
      try self.problem(["sync", "x.json", "-o", "a.csv"], environment: [variable: value])
    }
    #expect(try problem("SLUICE_MAX_AGE", "5y").hasPrefix("SLUICE_MAX_AGE: --max-age: \"5y\" is"))
    #expect(try problem("SLUICE_QUIET", "1").hasPrefix("SLUICE_QUIET: --quiet: \"1\" is neither"))
    #expect(try problem("SLUICE_STATE", "a\u{FFFD}").hasPrefix("SLUICE_STATE is not valid UTF-8;"))
    #expect(try problem("SLUICE_ACCEPT", "true") == "" && problem("SLUICE_NOPE", "x") == "")
    #expect(try problem("SLUICE_OFFLINE", "x") == "")
  }

  @Test func `what stands in a file is said in Russian too`() throws {
    let path = try folder.write("c.yaml", "max-agee: 3h")
    let invocation = Invocation(["sync", "--config", path, "--lang", "ru"]) { _ in nil }
    guard case .failure(let error) = invocation.request else { throw UsageError.noCommand }
    #expect(
      error.text(command: .sync)[.ru]
        == "\(path):1:1: неизвестный ключ «max-agee»; возможно, имелось в виду max-age?")
  }

  @Test func `a file that cannot be read is no input`() throws {
    for (path, says) in [
      (folder("none"), "there is no file"), (folder.path, "is a folder"),
    ] {
      let invocation = Invocation(["sync", "--config", path]) { _ in nil }
      guard case .failure(let error) = invocation.request else { throw UsageError.noCommand }
      #expect(ExitCode(error) == .noInput)
      #expect(error.text(command: .sync).en.contains(says))
    }
    let large = try folder.write("large", String(repeating: "#", count: YAMLNode.limit + 1))
    #expect(
      try problem(["sync", "--config", large]).hasSuffix(
        "large:1:1: the file is larger than 256 KiB; check the path"))
    #expect(
      try problem(["sync", "--config", "/dev/zero"]).hasPrefix("/dev/zero:1:1: the file is larger"))
  }
}
