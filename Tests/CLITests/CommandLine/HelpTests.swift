import Testing
import Sluice

@testable import SluiceText
@testable import sluice_cli

@Suite struct HelpTests {
  private let pages = Language.allCases.flatMap { language in
    [Help.program(language)] + Command.all.map { Help.command($0, language) }
  }

  @Test func `no line is wider than a terminal, but for examples and long usage`() {
    for page in pages {
      for line in page.split(separator: "\n") where !line.contains("sluice ") {
        #expect(line.count <= Columns.width, "\(line)")
      }
      #expect(!page.contains(" \n"))
    }
  }

  @Test func `the help of a command shows all of its options and no others`() {
    for command in Command.all {
      let page = Help.command(command, .en)
      for option in Option.all {
        let isShown = page.split(separator: "\n").contains { line in
          line.contains("\(option.long) ") && line.drop { $0 == " " }.first == "-"
        }
        #expect(isShown == option.belongs(to: command), "\(command.name) \(option.long)")
      }
    }
  }

  @Test func `many options are shown in groups, few are not`() {
    let page = Help.command(.convert, .en)
    for group in Option.groups {
      let isTaken = group.options.contains { $0.belongs(to: .convert) }
      #expect(page.contains("\n\n\(group.title.en):\n") == isTaken)
    }
    #expect(!page.contains("\nOptions:\n"))
    #expect(Help.command(.status, .en).contains("\nOptions:\n"))
  }

  @Test func `the help of the program shows all exit codes and the visible commands`() {
    let page = Help.program(.en)
    for code in ExitCode.allCases { #expect(page.contains("\n  \(code.rawValue) ")) }
    for command in Command.all {
      #expect(page.contains("\n  \(command.name) ") == !command.isHidden)
    }
  }

  @Test func `the help of feeds names every kind of column`() {
    let page = Help.command(.feeds, .en)
    let words = Set(page.split { !$0.isLetter }.map(String.init))
    for rule in FieldKind.allCases { #expect(words.contains(rule.rawValue)) }
  }

  @Test func `words are wrapped and never lost`() {
    let text = String(repeating: "слово word ", count: 40)
    let lines = Columns.wrap(text, indent: 7).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= Columns.width && $0.hasPrefix("       ") })
    #expect(lines.flatMap { $0.split(separator: " ") }.count == 80)
    let long = String(repeating: "x", count: 200)
    #expect(Columns.wrap("a \(long) b", indent: 2) == "  a\n  \(long)\n  b\n")
  }
}
