import Sluice
import Foundation
import Testing

@testable import SluiceText
@testable import sluice_cli

private func isThere(_ shell: String) -> Bool {
  BuiltProgram.isThere && FileManager.default.isExecutableFile(atPath: shell)
}

@Suite struct CompletionsTests {
  /// What bash offers at the end of these words.
  private func bash(_ words: String...) throws -> [String] {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let run = try BuiltProgram.shell(
      """
      cd "$(mktemp -d)" && touch 'my feed.zip' data.json || exit 1
      source <(sluice completions bash)
      COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
      _sluice
      printf '%s\\n' "${COMPREPLY[@]}"
      rm 'my feed.zip' data.json; rmdir "$PWD"
      """)
    #expect(run.errors == "")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: isThere("/bin/bash"), "bash or the program is not there"))
  func `bash completes commands, options and values`() throws {
    #expect(try bash("sluice", "") == Command.visible.map(\.name))
    #expect(try bash("sluice", "co") == ["convert", "config", "completions"])
    #expect(try bash("sluice", "convert", "--fo") == ["--format"])
    #expect(try bash("sluice", "inspect", "--fo") == [])
    #expect(
      try bash("sluice", "convert", "--format", "") == [
        "csv", "tsv", "xlsx", "ndjson", "json", "ics", "sqlite",
      ])
    #expect(try bash("sluice", "convert", "--format", "=", "nd") == ["ndjson"])
    #expect(
      try bash("sluice", "convert", "--format", "=") == [
        "csv", "tsv", "xlsx", "ndjson", "json", "ics", "sqlite",
      ])
    #expect(try bash("sluice", "convert", "my") == ["my feed.zip"])
    #expect(try bash("sluice", "convert", "-o", "da") == ["data.json"])
    #expect(try bash("sluice", "convert", "--from", "") == [])
    #expect(try bash("sluice", "--lang", "ru", "completions", "z") == ["zsh"])
    #expect(try bash("sluice", "feeds", "") == Feed.names)
  }

  @Test(.enabled(if: isThere("/usr/bin/fish"), "fish or the program is not there"))
  func `fish completes commands, options and values`() throws {
    func fish(_ line: String) throws -> [String] {
      let home = FileManager.default.temporaryDirectory
        .appendingPathComponent("sluice-fish-\(UUID().uuidString)").path
      let run = try BuiltProgram.shell(
        "sluice completions fish | source; complete -C '\(line)'; command rm -rf \(home)",
        "/usr/bin/fish", environment: ["HOME": home])
      #expect(run.errors == "")
      return run.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try fish("sluice ") == Command.visible.map(\.name).sorted())
    #expect(try fish("sluice convert --fo") == ["--format"])
    #expect(try fish("sluice inspect --fo") == [])
    #expect(
      try fish("sluice convert --format ")
        == ["csv", "ics", "json", "ndjson", "sqlite", "tsv", "xlsx"])
    #expect(try fish("sluice convert --from ") == [])
    #expect(try fish("sluice completions z") == ["zsh"])
  }

  @Test(.enabled(if: isThere("/usr/bin/zsh"), "zsh or the program is not there"))
  func `zsh takes the script, in both languages`() throws {
    for language in Language.allCases {
      let run = try BuiltProgram.shell(
        """
        autoload -U compinit; compinit -u -D
        source <(sluice completions zsh --lang \(language.rawValue))
        print $_comps[sluice]
        """, "/usr/bin/zsh")
      #expect(run.output == "_sluice\n")
      #expect(run.errors == "")
    }
  }

  @Test func `escapes keep what the shell would take for its own`() {
    #expect("a'b".escaping("'", as: "'\\$'") == "a'\\''b")
    #expect("[x]\\".escaping("\\[]", as: "\\$") == "\\[x\\]\\\\")
  }
}
