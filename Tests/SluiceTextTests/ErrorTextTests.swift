import Sluice
import Testing

@testable import SluiceText
@testable import sluice_cli

@Suite struct ErrorTextTests {
  private func english(_ line: String) -> String {
    let invocation = invocation(line)
    guard case .failure(let error) = invocation.request else { return "" }
    return error.text(command: invocation.command).en
  }

  @Test func `an error suggests the nearest name`() {
    #expect(english("convrt") == #"unknown command "convrt"; did you mean convert?"#)
    #expect(english("convert --fomat csv") == "unknown option --fomat; did you mean --format?")
    #expect(english("feeds hotwater") == #"unknown feed "hotwater"; did you mean hot-water?"#)
    #expect(
      english("convert --format cvs")
        == #"--format: "cvs" is not one of the choices; did you mean csv?"#
    )
  }

  @Test func `without a near name the error says where to look`() {
    #expect(english("") == "no command is given; try 'sluice --help'")
    #expect(english("convert --xyzzy") == "unknown option --xyzzy; try 'sluice convert --help'")
    #expect(
      english("feed.zip")
        == #"unknown command "feed.zip"; to convert it: sluice convert feed.zip"#)
    #expect(
      english("feeds nope")
        == #"unknown feed "nope"; choose from: hot-water, bonds, photos, posts, weather"#
    )
  }

  @Test func `an error is one line whatever was typed`() {
    let evil = "a\nb\u{1B}[2J\u{202E}"
    for words in [[evil], ["--\(evil)"], ["convert", "--from", evil], ["feeds", evil]] {
      let invocation = Invocation(words) { _ in nil }
      guard case .failure(let error) = invocation.request else {
        Issue.record("understood")
        continue
      }
      let text = error.text(command: nil)
      for line in [text.en, text.ru] {
        #expect(!line.contains("\n") && !line.contains("\u{1B}") && !line.contains("\u{202E}"))
      }
    }
  }

  @Test func `an error of the pipeline says stage and place, in their fixed words`() {
    let error = PipelineError(.json(.truncated), at: 17)
    #expect(error.text.en.hasPrefix("json: byte 17: the JSON is truncated; "))
    #expect(error.text.ru.hasPrefix("json: byte 17: JSON обрывается; "))
    let place = PipelineError(
      .normalize(.recordTooLong(limit: 32 << 20)), at: 4, record: 3, field: "№ дома")
    #expect(
      place.text.en.hasPrefix(
        #"normalize: byte 4: record 3, field "№ дома": the record exceeds 32 MiB; "#))
    #expect(
      place.text.ru.hasPrefix(
        "normalize: byte 4: запись 3, поле «№ дома»: запись длиннее предела: 32 МиБ; "))
  }

  @Test func `a field that the error is about is named once`() {
    let error = PipelineError(.normalize(.afterItsRows(field: "isin")), at: 90, field: "isin")
    #expect(
      error.text.en == #"normalize: byte 90: the field "isin" comes a second time, "#
        + "after the rows it belongs to; it must come once")
  }
}
