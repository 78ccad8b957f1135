import Foundation
import Testing

@testable import sluice_cli

@Suite struct TablesTests {
  @Test func `every option has one row`() {
    #expect(
      Option.all.map(\.name.rawValue).sorted() == OptionName.allCases.map(\.rawValue).sorted())
    let letters = Option.all.compactMap(\.short)
    #expect(Set(letters).count == letters.count)
  }

  @Test func `every command has one row`() {
    #expect(Set(Command.all.map(\.name)).count == Command.all.count)
  }

  @Test func `every command of the help has examples that are understood`() {
    for command in Command.visible {
      #expect(!command.examples.isEmpty)
      for example in command.examples {
        // From the program's name to the next thing that is the shell's.
        let words = example.line.split(separator: " ").drop { !$0.hasSuffix("sluice") }.dropFirst()
        let line = words.prefix { $0 != ">" && $0 != "|" }
          .map { $0.hasSuffix(")") ? $0.dropLast() : $0 }
        // Words in quotes are one: a dot stands for the blank between them.
        let pieces = line.joined(separator: " ").components(separatedBy: "'")
        let quoted = pieces.enumerated().map {
          $0 % 2 == 1 ? $1.replacing(" ", with: ".") : $1
        }
        let problem = problem(quoted.joined())
        // A configuration file or a feed's document that is named need not be there.
        if case .configFile(.noFile) = problem { continue }
        if case .feedFile(.noFile) = problem { continue }
        #expect(problem == nil, "\(example.line)")
      }
    }
  }

  @Test func `texts are phrases in two languages`() {
    let texts =
      Option.all.map(\.help) + Option.groups.map(\.title) + Command.all.map(\.summary)
      + ExitCode.allCases.map(\.meaning)
    for text in texts {
      #expect(text.en != text.ru)
      #expect(!text.en.isEmpty && !text.ru.isEmpty)
      #expect(text.en.last != "." && text.ru.last != ".")
      #expect(text.en.allSatisfy { $0.isASCII || $0 == "ё" || $0 == "е" }, "\(text.en)")
    }
  }
}
