import Foundation
import Sluice
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

  @Test func `every option is explained once`() {
    let lines = ManPage.page().split(separator: "\n").filter { $0.hasPrefix(".It") }
    for option in Option.all {
      let name = option.name.rawValue.split(separator: "-").joined(separator: "\\-")
      let explained = lines.filter { "\($0) ".contains("Fl \\-\(name) ") }
      #expect(explained.count == 1, "\(option.long)")
    }
  }

  /// The remarks of mandoc on the page that a script prints; other pages need not be installed.
  private func remarks(on script: String) throws -> String {
    let run = try BuiltProgram.shell(
      "\(script) | mandoc -Tlint -Wstyle 2>&1 | grep -v 'referenced manual not found: Xr sluice'")
    #expect(run.errors == "")
    return run.output
  }

  @Test(.enabled(if: hasMandoc && BuiltProgram.isThere, "mandoc or the program is not there"))
  func `mandoc has nothing to say against it`() throws {
    #expect(try remarks(on: "sluice man") == "")
  }

  private static let converter = Samples.path("docs/make-man")
  private static let feeds = Samples.path("docs/feeds.md")

  @Test(.enabled(if: hasMandoc && Samples.isThere(feeds), "mandoc or docs/feeds.md is not there"))
  func `the page about feeds is made of the docs`() throws {
    let make = "'\(Self.converter)' sluice-feed 5 'November 20, 2026' < '\(Self.feeds)'"
    #expect(try remarks(on: make) == "")
    let page = try BuiltProgram.shell("\(make) | mandoc -Tutf8 | col -b").output
    let text = try String(contentsOfFile: Self.feeds, encoding: .utf8)
    var isCode = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") { isCode.toggle() }
      guard line.hasPrefix("## "), !isCode else { continue }
      #expect(page.contains("\n\(line.dropFirst(3).uppercased())\n"))
    }
    for rule in FieldKind.allCases { #expect(page.contains("\n     \(rule.rawValue)"), "\(rule)") }
  }

  @Test func `the Markdown of the docs becomes mdoc`() throws {
    let folder = try Scratch()
    try folder.write(
      "page.md",
      """
      # A page

      - [Only a link](#of-the-contents)

      A text with `code-1.` and a [link](other.md#there).
      It's **bold**, see [below](#below); ё.

      ## Lists

      - one
        and a half
      - two

      1. `.first`

      | a | b |
      | --- | --- |
      | `x \\| y` | z |

      ```
      .code 'a' \\
      ```

      """)
    let run = try BuiltProgram.shell(
      "'\(Self.converter)' a-page 5 'May 1, 2026' < '\(folder("page.md"))'")
    #expect(run.errors == "" && run.code == 0)
    #expect(
      run.output == #"""
        .Dd May 1, 2026
        .Dt A-PAGE 5
        .Os
        .Sh NAME
        .Nm a-page
        .Nd a page
        .Sh DESCRIPTION
        A text with \fBcode\-1.\&\fP and a link (docs/other.md).
        It\(aqs \fBbold\fP, see below; \[u0451].
        .Sh LISTS
        .Bl -bullet -compact
        .It
        one and a half
        .It
        two
        .El
        .Pp
        .Bl -enum -compact
        .It
        \fB.first\fP
        .El
        .Pp
        .Bl -tag -width Ds -compact
        .It \fIa\fP
        \fIb\fP
        .It \fBx | y\fP
        z
        .El
        .Bd -literal -offset indent
        \&.code \(aqa\(aq \e
        .Ed
        .Sh SEE ALSO
        .Xr sluice 1

        """#)
  }

  @Test(.enabled(if: hasMandoc && BuiltProgram.isThere, "mandoc or the program is not there"))
  func `typed text can be pasted from it`() throws {
    let run = try BuiltProgram.shell("sluice man | mandoc -Tutf8 | col -b")
    #expect(run.output.contains("source <(sluice completions zsh)"))
    #expect(run.output.contains("--csv-dialect"))
    #expect(run.output.contains("~/.config/fish/completions/sluice.fish"))
  }
}
