import Foundation

/// A page of the documentation, and the commands that its ```` ```console ```` blocks show.
///
///     ```console
///     $ sluice convert feed.json \      a command, continued on the next line
///       -o outages.csv
///     $ cat outages.csv                 the next command
///     locality,street,house             what it prints, on both outputs
///     …                                 any number of lines
///     ```
struct DocumentationPage {
  struct Command {
    /// The line of the page where it begins, from 1.
    var line: Int
    var text: String
    var expected: [String] = []
  }

  /// A command that does not print what the page shows.
  struct Failure: CustomStringConvertible {
    var page: String
    var command: Command
    var got: [String]

    var description: String {
      """
      \(page):\(command.line): $ \(command.text)
      expected:
      \(command.expected.map { "  \($0)\n" }.joined())got:
      \(got.map { "  \($0)\n" }.joined())
      """
    }
  }

  /// The pages of the repository, by their paths in it.
  static let all =
    ["README.md", "README.ru.md", "CONTRIBUTING.md"].filter { Samples.isThere(Samples.path($0)) }
    + Samples.names(in: "docs").filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }

  let name: String
  /// The commands in their order.
  private(set) var commands: [Command] = []
  /// The `yaml` blocks, each with the line where it begins.
  private(set) var documents: [(line: Int, text: String)] = []
  /// The words for the server that the page asks for, `<!-- server: DATA WORD… -->`; empty if none.
  private(set) var server: [String] = []

  /// Reads a page of the repository.
  init(_ name: String) throws {
    self.init(name, try String(contentsOfFile: Samples.path(name), encoding: .utf8))
  }

  init(_ name: String, _ text: String) {
    self.name = name
    var fence: (mark: Substring, indent: Int, language: Substring)?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let content = line.drop { $0 == " " }
      if let open = fence {
        if content.hasPrefix(open.mark), content.allSatisfy({ $0 == "`" || $0 == " " }) {
          fence = nil
          continue
        }
        let text = line.dropFirst(min(line.count - content.count, open.indent))
        switch open.language {
        case "console": read(text, at: index + 1)
        case "yaml": documents[documents.endIndex - 1].text += "\(text)\n"
        default: break
        }
      } else if content.hasPrefix("```") {
        let mark = content.prefix { $0 == "`" }
        fence = (mark, line.count - content.count, content.dropFirst(mark.count))
        if fence?.language == "yaml" { documents.append((index + 1, "")) }
        // An open command does not go on in the next block.
        isContinued = false
      } else if let words = content.wholeMatch(of: /<!-- server: (.+) -->/)?.1 {
        server = words.split(separator: " ").map(String.init)
      }
    }
  }

  /// The last line read ends in a backslash and belongs to a command.
  private var isContinued = false

  private mutating func read(_ line: Substring, at number: Int) {
    if isContinued {
      commands[commands.endIndex - 1].text += "\n\(line)"
    } else if line.hasPrefix("$ ") {
      commands.append(Command(line: number, text: String(line.dropFirst(2))))
    } else if !commands.isEmpty {
      commands[commands.endIndex - 1].expected.append(String(line))
      return
    }
    isContinued = line.hasSuffix("\\")
  }

  // MARK: Running

  /// Stands between the outputs of two commands.
  private static let separator = "\u{1E}"

  /// Runs the commands in one session of bash, in an empty folder with the samples, and returns
  /// those that print something else than the page shows.
  func failures() throws -> [Failure] {
    let folder = try Scratch()
    let samples = try BuiltProgram.tool(["cp", "-R", Samples.path("Samples"), folder.path])
    guard samples.code == 0 else { throw SetUpFailure(what: samples.errors, errno: 0) }
    let home = try Scratch()
    let api = try server.first.map { data in
      try APIServer(Samples.path(data), server.dropFirst().map(Self.word))
    }
    var environment = [
      "HOME": home.path, "XDG_STATE_HOME": home("state"), "LANG": "C.UTF-8", "TZ": "UTC",
    ]
    environment["SERVER"] = api?.url
    let run = try BuiltProgram.shell(script, environment: environment, in: folder.path)
    var outputs = run.output.split(separator: Self.separator, omittingEmptySubsequences: false)
    // Nothing, unless a command has ended the session.
    let rest = outputs.removeLast()
    return commands.enumerated().compactMap { index, command in
      guard index < outputs.count else {
        return Failure(page: name, command: command, got: ["\(rest)(the session has ended)"])
      }
      // A calendar's lines end in CR and LF, which Swift takes for one character.
      var got = outputs[index].replacing("\r\n", with: "\n")
      for path in [folder.path, home.path] { got = got.replacing(path, with: "") }
      if let api { got = got.replacing(api.url, with: "http://127.0.0.1:8080") }
      var lines = got.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if lines.last == "" { lines.removeLast() }
      let isAsShown = Self.matches(
        lines.map(Self.normalized)[...], command.expected.map(Self.normalized)[...])
      return isAsShown ? nil : Failure(page: name, command: command, got: lines)
    }
  }

  /// A path of the repository is one wherever the server runs.
  private static func word(_ word: String) -> String {
    Samples.isThere(Samples.path(word)) ? Samples.path(word) : word
  }

  /// All commands; `eval`, so that a mistake in one does not take the others with it. The status of
  /// each is the next one's `$?`.
  private var script: String {
    "exec 2>&1\n"
      + commands.map { command in
        let quoted = command.text.replacing("'", with: #"'\''"#)
        return """
          eval '\(quoted)'
          status=$?; printf '\\036'; (exit $status)

          """
      }.joined()
  }

  // MARK: Comparing

  /// A line without what differs from run to run.
  private static func normalized(_ line: String) -> String {
    line
      .replacing(
        /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})/,
        with: "<instant>"
      )
      .replacing(/pid [0-9]+/, with: "pid <n>")
      .replacing(/[0-9]+([.,][0-9]+)?[ \u{A0}](s|ms|seconds?)\b/, with: "<seconds>")
      .replacing(/"seconds":[0-9.e-]+/, with: "\"seconds\":<seconds>")
  }

  /// Whether the lines are those expected, of which `…` is any number of lines.
  private static func matches(_ lines: ArraySlice<String>, _ expected: ArraySlice<String>) -> Bool {
    guard let first = expected.first else { return lines.isEmpty }
    guard first == "…" else {
      return lines.first == first && matches(lines.dropFirst(), expected.dropFirst())
    }
    return (lines.startIndex...lines.endIndex).contains {
      matches(lines[$0...], expected.dropFirst())
    }
  }
}
