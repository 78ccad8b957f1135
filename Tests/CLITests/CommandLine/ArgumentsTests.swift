import Testing

@testable import sluice_cli

@Suite struct ArgumentsTests {
  private func given(_ words: String...) -> [String] {
    Arguments(words).options.map { $0.option.long + ($0.value.map { "=" + $0 } ?? "") }
  }

  @Test func `a value may be a word of its own or hang on the option`() {
    #expect(given("--feed", "a") == ["--feed=a"])
    #expect(given("--feed=a") == ["--feed=a"])
    #expect(given("-o", "a.csv") == ["--output=a.csv"])
    #expect(given("-oa.csv") == ["--output=a.csv"])
    #expect(given("-o=a.csv") == ["--output=a.csv"])
    #expect(given("--where=a=b=c") == ["--where=a=b=c"])
  }

  @Test func `short flags can be bundled, the last may take a value`() {
    #expect(given("-qv") == ["--quiet", "--verbose"])
    #expect(given("-vo", "a.csv") == ["--verbose", "--output=a.csv"])
    #expect(given("-voa.csv") == ["--verbose", "--output=a.csv"])
  }

  @Test func `options may follow operands and precede the command`() {
    let arguments = Arguments(["-q", "convert", "in.zip", "-o", "a.csv", "-"])
    #expect(arguments.operands == ["convert", "in.zip", "-"])
    #expect(arguments.options.map(\.option.name) == [.quiet, .output])
    #expect(arguments.problem == nil)
  }

  @Test func `two dashes end the options`() {
    let arguments = Arguments(["convert", "-q", "--", "-o", "--", "--help"])
    #expect(arguments.operands == ["convert", "-o", "--", "--help"])
    #expect(arguments.options.map(\.option.name) == [.quiet])
  }

  @Test func `a dash is a value, an option is not`() {
    #expect(given("-o", "-") == ["--output=-"])
    #expect(given("--where", "-x=1") == ["--where=-x=1"])
    let arguments = Arguments(["--feed", "--format", "csv"])
    #expect(arguments.problem == .missingValue(option: "--feed", placeholder: "NAME"))
    #expect(arguments[.format] == "csv")
    #expect(given("--feed=--format") == ["--feed=--format"])
  }

  @Test func `the first problem is kept and the rest is read all the same`() {
    let arguments = Arguments(["--nope", "-Z", "--lang", "ru", "--help"])
    #expect(arguments.problem == .unknownOption("--nope"))
    #expect(arguments[.lang] == "ru")
    #expect(arguments.has(.help))
  }

  @Test func `each kind of mistake has its own message`() {
    func problem(_ words: String...) -> UsageError? { Arguments(words).problem }
    #expect(problem("--fomat=csv") == .unknownOption("--fomat"))
    #expect(problem("-qZ") == .unknownOption("-Z"))
    #expect(problem("-version") == .unknownOption("-version"))
    #expect(problem("-o") == .missingValue(option: "-o", placeholder: "OUTPUT"))
    #expect(problem("--feed=") == .missingValue(option: "--feed", placeholder: "NAME"))
    #expect(problem("--feed", "") == .missingValue(option: "--feed", placeholder: "NAME"))
    #expect(problem("--quiet=yes") == .unexpectedValue(option: "--quiet"))
    #expect(problem("-q=yes") == .unexpectedValue(option: "-q"))
    #expect(problem("--feed=a", "--feed=a") == .repeated(option: "--feed"))
    #expect(problem("-q", "-q", "--alarm=1d", "--alarm=2d") == nil)
  }
}
