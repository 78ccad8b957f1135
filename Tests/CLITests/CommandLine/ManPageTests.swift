import Foundation
import Testing

@testable import sluice_cli

@Suite struct ManPageTests {
  private static let hasMandoc = FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc")

  @Test func `the man page has every option and every exit code`() {
    let page = ManPage.page()
    for option in Option.all {
      let name = option.name.rawValue.split(separator: "-").joined(separator: "\\-")
      #expect(page.contains("Fl \\-\(name)"), "\(option.long)")
    }
    for code in ExitCode.allCases { #expect(page.contains(".It \(code.rawValue)\n")) }
  }

  @Test(.enabled(if: hasMandoc && BuiltProgram.isThere, "mandoc or the program is not there"))
  func `mandoc has nothing to say against it`() throws {
    let run = try BuiltProgram.shell("sluice man | mandoc -Tlint -Wstyle 2>&1")
    #expect(run.output == "")
    #expect(run.code == 0)
  }

  @Test(.enabled(if: hasMandoc && BuiltProgram.isThere, "mandoc or the program is not there"))
  func `typed text can be pasted from it`() throws {
    let run = try BuiltProgram.shell("sluice man | mandoc -Tutf8 | col -b")
    #expect(run.output.contains("source <(sluice completions zsh)"))
    #expect(run.output.contains("--csv-dialect"))
    #expect(run.output.contains("~/.config/fish/completions/sluice.fish"))
  }
}
