import Sluice
import Testing

@testable import SluiceText
@testable import sluice_cli

@Suite struct InvocationTests {
  @Test func `convert without anything reads the default feed and writes CSV to standard output`()
    throws
  {
    let options = try convert("")
    #expect(options.reading.feed.name == "hot-water")
    #expect(options.reading.input == Feed.named(Feed.names[0])?.url.map(Input.url))
    #expect(try options.reading.conversion().maxSize == 2_147_483_648)
    #expect(options.reading.verbosity == .normal)
    #expect(options.reading.isProgressAllowed)
    #expect(options.outputs == [Output(.standardOutput, .csv)])
    #expect(options.rows.csvDialect == nil)
    #expect(options.calendarLanguage == nil)
    #expect(options.maxRejects == .share(millionths: 100_000))
    #expect(!options.areRejectsAllowed)
    #expect(options.rejects == nil && options.stats == nil)
  }

  @Test func `every option of convert arrives`() throws {
    let options = try convert(
      """
      in.zip -o a.csv -o b.ics --feed hot-water --where street=A --where house= --from 2020-06-01 \
      --to 2020-06-01 --csv-dialect excel --lang en --alarm 1d --alarm 30m --calendar-name C \
      --rejects r --max-rejects 5 --allow-rejects --entry e --max-size 1K --cacert c --stats s -v \
      --no-progress
      """)
    #expect(options.reading.input == .file("in.zip"))
    #expect(options.outputs.map(\.format) == [.csv, .ics])
    #expect(options.rows.conditions.map(\.column) == ["street", "house"])
    #expect(options.rows.conditions.map(\.value) == ["A", ""])
    #expect(options.rows.from == options.rows.to)
    #expect(options.rows.csvDialect == .excel)
    #expect(options.calendarLanguage == .en)
    #expect(options.rows.alarms.map(\.duration) == ["P1D", "PT30M"])
    #expect(options.rows.calendarName == "C")
    #expect(options.rejects == .file("r"))
    #expect(options.maxRejects == .count(5))
    #expect(options.areRejectsAllowed)
    #expect(options.reading.entry == "e")
    #expect(options.reading.maxSize == 1024)
    #expect(options.reading.cacert == "c")
    #expect(options.stats == .file("s"))
    #expect(options.reading.verbosity == .verbose)
    #expect(!options.reading.isProgressAllowed)
  }

  @Test func `of quiet and verbose the last counts`() throws {
    #expect(try convert("-q -v").reading.verbosity == .verbose)
    #expect(try convert("-vq").reading.verbosity == .quiet)
    #expect(try convert("-q").reading.isProgressAllowed == false)
  }

  @Test func `help counts anywhere, whatever else is wrong`() throws {
    for line in ["--help", "-h", "help"] {
      #expect(same(try understand(line), HelpOptions(of: nil)))
    }
    for line in [
      "convert --nope -h", "convert a b c --from x --help", "help convert", "help convert --help",
    ] {
      #expect(same(try understand(line), HelpOptions(of: .convert)))
    }
  }

  @Test func `version counts anywhere`() throws {
    for line in ["--version", "convert -V", "nope -V"] {
      #expect(try understand(line) is VersionOptions)
    }
  }

  @Test func `the other commands are understood`() throws {
    #expect(same(try understand("feeds"), FeedsOptions.list))
    #expect(same(try understand("feeds bonds"), FeedsOptions.describe(try Feed.known(as: "bonds"))))
    #expect((try understand("completions zsh") as? CompletionsOptions)?.shell == .zsh)
    #expect(try understand("man") is ManOptions)
    let options = try #require(try understand("inspect - --entry e -q") as? InspectOptions)
    #expect(options.reading.input == .standardInput)
    #expect(options.reading.entry == "e")
  }

  @Test func `wrong commands and operands are refused`() {
    #expect(problem("") == .noCommand)
    #expect(problem("-q") == .noCommand)
    #expect(problem("convrt") == .unknownCommand("convrt"))
    #expect(problem("convrt --help") == .unknownCommand("convrt"))
    #expect(problem("help nope") == .unknownCommand("nope"))
    #expect(problem("sync a b") == .excessOperand("b"))
    #expect(problem("man a") == .excessOperand("a"))
    #expect(problem("completions") == .missingOperand("bash|zsh|fish"))
    #expect(
      problem("completions tcsh")
        == .notAChoice("completions", value: "tcsh", choices: ["bash", "zsh", "fish"]))
    #expect(problem("feeds nope") == .unknownFeed("nope"))
    #expect(
      problem("feeds --stats -")
        == .optionOfOthers(option: "--stats", command: .feeds, takenBy: [.convert, .sync]))
    #expect(
      problem("help --lang xx") == .notAChoice("--lang", value: "xx", choices: ["ru", "en"]))
  }

  @Test func `an empty input is refused`() {
    let invocation = Invocation(["convert", ""]) { _ in nil }
    #expect(throws: UsageError.emptyOperand("INPUT")) { try invocation.request.get() }
  }

  @Test(arguments: ["Адрес жилого здания", "адрес ЖИЛОГО здания", "street"])
  func `a field is known by its column, and by the source's name for it`(name: String) throws {
    let read = Invocation(["convert", "in", "--where", "\(name)=Садовая"]) { _ in nil }
    let options = try #require(try read.request.get() as? ConvertOptions)
    #expect(options.rows.conditions == [Condition(column: "street", value: "Садовая")])
  }

  @Test func `values that cannot be read are refused`() {
    #expect(problem("convert --from 2020-02-30") == .badValue(.from, value: "2020-02-30"))
    #expect(problem("convert --alarm 1y") == .badValue(.alarm, value: "1y"))
    #expect(problem("convert --max-size 0") == .badValue(.maxSize, value: "0"))
    #expect(problem("convert --max-rejects -1") == .badValue(.maxRejects, value: "-1"))
    #expect(problem("convert --where house") == .filterWithoutField("house"))
    #expect(problem("convert --where =5") == .filterWithoutField("=5"))
    #expect(
      problem("convert x.json --feed bonds --where house=5")
        == .unknownField(
          "house", feed: "bonds", fields: ["isin", "title", "currency", "date", "price"]))
    #expect(
      problem("convert --from 2020-06-02 --to 2020-06-01")
        == .daysReversed(from: "2020-06-02", to: "2020-06-01"))
  }

  @Test func `errors speak the language asked for even when the line is wrong`() {
    #expect(invocation("convert --nope --lang ru").language == .ru)
    #expect(invocation("--nope", environment: ["LANG": "ru_RU.UTF-8"]).language == .ru)
    #expect(invocation("--lang en", environment: ["LANG": "ru_RU.UTF-8"]).language == .en)
    #expect(invocation("--lang xx", environment: ["LANG": "ru_RU.UTF-8"]).language == .ru)
  }
}
