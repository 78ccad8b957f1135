import Testing

@testable import Sluice

/// Days, instants and times of day in the formats of a document.
@Suite struct FormatTests {
  /// The cell of a value in a column, or the reason of its reject.
  private func read(_ value: String, _ column: String, _ more: String = "") throws -> String {
    let feed = try OwnFeed.read(OwnFeed.document("t: {\(column)}", more))
    let result = FeedRun(feed: feed)("{\"d\":[{\"t\":\(value)}]}")
    #expect(result.error == nil)
    return result.rows.first ?? result.rejects.first?.reason.rawValue ?? ""
  }

  private func day(_ text: String, _ format: String, _ more: String = "") throws -> String {
    try read("\"\(text)\"", "kind: day, format: \"\(format)\"\(more)")
  }

  @Test(arguments: [
    ("05/01/2023", "dd/MM/yyyy", "2023-01-05"), ("01/05/2023", "MM/dd/yyyy", "2023-01-05"),
    ("5.1.2023", "d.M.y", "2023-01-05"), ("05.01.2023", "d.M.yyyy", "2023-01-05"),
    ("20230105", "yyyyMMdd", "2023-01-05"), ("950105", "yMMdd", "0095-01-05"),
    ("5 January 2023", "d MMMM yyyy", "2023-01-05"),
    ("5  JAN\u{A0}2023", "d MMM yyyy", "2023-01-05"),
    ("Thu, 5 Jan 2023", "EEE, d MMM y", "2023-01-05"), ("Jan. 5, 2023", "MMM d, y", "2023-01-05"),
    ("January 5th, 2023", "MMMM do, y", "2023-01-05"), ("Sept 1st 2023", "LLL do y", "2023-09-01"),
    ("collected on 2023/1/5", "'collected on' y/M/d", "2023-01-05"),
    ("5 o'clock 1 2023", "d 'o''clock' M y", "2023-01-05"), ("5'1'2023", "d''M''y", "2023-01-05"),
    ("05/01/2023 17:30", "dd/MM/yyyy HH:mm", "2023-01-05"),
    ("2023-01-05Z", "yyyy-MM-ddX", "2023-01-05"),
    ("29.02.2024", "dd.MM.yyyy", "2024-02-29"),
  ])
  func `a day in a format`(_ text: String, _ format: String, _ day: String) throws {
    #expect(try self.day(text, format) == day)
  }

  @Test(arguments: [
    ("5/1/2023", "dd/MM/yyyy", "not-a-day"), ("05/01/23", "dd/MM/yyyy", "not-a-day"),
    ("05/01/2023 ", "dd/MM/yyyy", "2023-01-05"), ("05/01/2023x", "dd/MM/yyyy", "not-a-day"),
    ("05-01-2023", "dd/MM/yyyy", "not-a-day"), ("05/13/2023", "dd/MM/yyyy", "not-a-day"),
    ("31/04/2023", "dd/MM/yyyy", "no-such-day"), ("29.02.2023", "dd.MM.yyyy", "no-such-day"),
    ("Fri, 5 Jan 2023", "EEE, d MMM y", "no-such-day"), ("5 Foo 2023", "d MMM y", "not-a-day"),
    ("00.01.2023", "dd.MM.yyyy", "not-a-day"), ("01.01.0000", "dd.MM.yyyy", "not-a-day"),
    ("5 Jan", "d MMM y", "not-a-day"), ("5Jan 2023", "d MMM y", "not-a-day"),
    ("1 January 2023", "do MMMM y", "not-a-day"), ("２０２３-01-05", "y-MM-dd", "not-a-day"),
    ("2023-01-05", "yyyyMMdd", "not-a-day"), ("20230105000", "yyyyMMdd", "not-a-day"),
  ])
  func `a text of another form is rejected`(
    _ text: String, _ format: String, _ reason: String
  ) throws {
    #expect(try day(text, format) == reason)
  }

  @Test func `an ordinal number has its own ending`() throws {
    let endings: [(language: String, right: [String], wrong: [String])] = [
      (
        "en", ["1st", "2ND", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "31st"],
        ["3th", "1nd", "11st", "12nd", "22th", "2"]
      ),
      (
        "nl", ["1e", "1ste", "2de", "3e", "8ste", "9de", "20ste", "31ste"],
        ["1de", "2ste", "19ste"]
      ),
      ("sv", ["1:a", "2:a", "3:e", "11:e", "21:a", "31:a"], ["1:e", "3:a", "12:a", "1"]),
      ("fr", ["1er", "2e", "2", "31e"], ["1e", "2er"]),
      ("de", ["1.", "31."], ["1"]), ("ru", ["1-е", "3-го"], ["1"]),
    ]
    for (language, right, wrong) in endings {
      let month = TimeNameTable.lines(of: language)[0].split(separator: ",")[0]
      func read(_ day: String) throws -> String {
        try self.read(
          #""\#(day) \#(month) 2023""#, "kind: day, format: do MMMM y, names: \(language)")
      }
      for day in right {
        let number = day.prefix { $0.isNumber }
        #expect(
          try read(day) == "2023-01-" + (number.count == 1 ? "0" : "") + number,
          "\(language) \(day)")
      }
      for day in wrong { #expect(try read(day) == "not-a-day", "\(language) \(day)") }
    }
  }

  @Test func `numbers have formats too`() throws {
    #expect(try read("20121026", "kind: day, format: yyyyMMdd") == "2012-10-26")
    #expect(try read("1155", "kind: time, format: Hmm") == "11:55")
    #expect(try read("850", "kind: time, format: Hmm") == "08:50")
    #expect(try read("50", "kind: time, format: Hmm") == "not-a-time")
  }

  @Test func `of several formats the first that fits counts`() throws {
    let formats = "kind: day, format: [dd/MM/yyyy, MM/dd/yyyy, \"d MMM yyyy\"]"
    #expect(try read("\"05/01/2023\"", formats) == "2023-01-05")
    #expect(try read("\"12/25/2023\"", formats) == "2023-12-25")
    #expect(try read("\"25 Dec 2023\"", formats) == "2023-12-25")
    #expect(try read("\"31/04/2023\"", formats) == "no-such-day")
    #expect(try read("\"2023\"", formats) == "not-a-day")
  }

  @Test(arguments: [
    ("69", "2069"), ("70", "1970"), ("99", "1999"), ("00", "2000"), ("26", "2026"),
  ])
  func `two digits are a year of the window`(_ written: String, _ year: String) throws {
    #expect(try day("5/1/\(written)", "d/M/yy", ", years: 1970-2069") == "\(year)-01-05")
  }

  @Test func `a window may begin in any year`() throws {
    #expect(try day("5/1/25", "d/M/yy", ", years: 1926-2025") == "2025-01-05")
    #expect(try day("5/1/26", "d/M/yy", ", years: 1926-2025") == "1926-01-05")
    #expect(try day("5/1/2026", "d/M/yy", ", years: 1926-2025") == "not-a-day")
  }

  @Test(arguments: [
    ("de", "Mo., 5. Jänner 2026", "EEE, d. MMMM y"), ("de", "5. JAN. 2026", "d. MMM. y"),
    ("de", "5. Jan. 2026", "do MMM y"), ("fr", "lundi 5 janvier 2026", "EEEE d MMMM y"),
    ("ru", "5 января 2026", "d MMMM y"), ("ru", "пн, 5 янв. 2026", "E, d MMM y"),
    ("es", "5 de enero de 2026", "d 'de' MMMM 'de' y"), ("pl", "5 stycznia 2026", "d MMMM y"),
    ("pl", "styczeń 5 2026", "LLLL d y"), ("[de, fr]", "5 janv. 2026", "d MMM y"),
    ("[de, fr]", "5 Jan 2026", "d MMM y"), ("[nl, fr]", "ma 5 jan 2026", "EEEEEE d MMM y"),
    ("sv", "5:e januari 2026", "do MMMM y"), ("nl", "5e januari 2026", "do MMMM y"),
    ("pt", "segunda-feira, 5 de janeiro de 2026", "EEEE, d 'de' MMMM 'de' y"),
    ("it", "lunedì 5 gennaio 2026", "EEEE d MMMM y"),
  ])
  func `names of other languages`(_ names: String, _ text: String, _ format: String) throws {
    #expect(try day(text, format, ", names: \(names)") == "2026-01-05")
  }

  @Test(arguments: [
    ("fr", "1er janvier 2026"), ("fr", "1 janvier 2026"), ("es", "1.º enero 2026"),
    ("it", "1º gennaio 2026"), ("pt", "1 janeiro 2026"), ("de", "1. Januar 2026"),
    ("en", "1st January 2026"), ("ru", "1-е января 2026"),
  ])
  func `ordinal numbers`(_ names: String, _ text: String) throws {
    #expect(try day(text, "do MMMM y", ", names: \(names)") == "2026-01-01")
  }

  @Test func `without names they are English`() throws {
    #expect(try day("5 Mai 2026", "d MMM y") == "not-a-day")
    #expect(try day("5 Mai 2026", "d MMM y", ", names: de") == "2026-05-05")
  }

  // MARK: Instants

  private func instant(_ text: String, _ format: String, _ more: String = "") throws -> String {
    try read("\"\(text)\"", "kind: instant, format: \"\(format)\"", more)
  }

  @Test(arguments: [
    ("05/07/2026 9:30", "dd/MM/yyyy H:mm", "2026-07-05T09:30:00+01:00"),
    ("2026-07-05T09:30:15.250", "yyyy-MM-dd'T'HH:mm:ss.SSS", "2026-07-05T09:30:15.250+01:00"),
    ("2026-07-05 09:30:15.123456", "yyyy-MM-dd HH:mm:ss.S", "2026-07-05T09:30:15.123456+01:00"),
    ("Jul 5 2026 1:30 p.m.", "MMM d y h:mm a", "2026-07-05T13:30:00+01:00"),
    ("Jul 5 2026 12:30 AM", "MMM d y h:mm a", "2026-07-05T00:30:00+01:00"),
    ("Jul 5 2026 12:30PM", "MMM d y h:mma", "2026-07-05T12:30:00+01:00"),
    ("Jul 5 2026 0:30 PM", "MMM d y K:mm a", "2026-07-05T12:30:00+01:00"),
    ("20260705 24:00", "yyyyMMdd HH:mm", "2026-07-06T00:00:00+01:00"),
    ("20260705 2400", "yyyyMMdd kkmm", "2026-07-05T00:00:00+01:00"),
    ("20260705T0930Z", "yyyyMMdd'T'HHmmX", "2026-07-05T10:30:00+01:00"),
    ("20260705T0930+02", "yyyyMMdd'T'HHmmX", "2026-07-05T08:30:00+01:00"),
    ("20260705T0930-0330", "yyyyMMdd'T'HHmmxx", "2026-07-05T14:00:00+01:00"),
    ("20260705T0930+02:00", "yyyyMMdd'T'HHmmXXX", "2026-07-05T08:30:00+01:00"),
    ("Sun, 05 Jul 2026 09:30:00 GMT", "EEE, dd MMM yyyy HH:mm:ss z", "2026-07-05T10:30:00+01:00"),
    ("Sun, 05 Jul 2026 09:30:00 +0000", "EEE, dd MMM yyyy HH:mm:ss Z", "2026-07-05T10:30:00+01:00"),
  ])
  func `an instant in a format, on the clock`(
    _ text: String, _ format: String, _ instant: String
  ) throws {
    #expect(try self.instant(text, format, "clock: Europe/London") == instant)
  }

  @Test func `an instant without a clock has the offset that is written`() throws {
    #expect(
      try instant("05.07.2026 09:30 +02:00", "dd.MM.yyyy HH:mm xxx") == "2026-07-05T09:30:00+02:00")
    #expect(try instant("05.07.2026 09:30", "dd.MM.yyyy HH:mm") == "not-an-instant")
  }

  @Test func `clocks that are changed count in formats too`() throws {
    let format = "dd.MM.yyyy HH:mm"
    #expect(
      try instant("29.03.2026 01:30", format, "clock: Europe/London") == "no-such-time")
    #expect(
      try instant("25.10.2026 01:30", format, "clock: Europe/London\noverlap: reject")
        == "ambiguous-time")
  }

  @Test(arguments: [
    ("05.07.2026 25:00", "dd.MM.yyyy HH:mm"), ("05.07.2026 24:01", "dd.MM.yyyy HH:mm"),
    ("05.07.2026 10:60", "dd.MM.yyyy HH:mm"), ("05.07.2026 13:00 PM", "dd.MM.yyyy h:mm a"),
    ("05.07.2026 0:30 PM", "dd.MM.yyyy h:mm a"), ("05.07.2026 10:00", "dd.MM.yyyy HH:mmX"),
    ("05.07.2026 10:00+0200", "dd.MM.yyyy HH:mmXXX"), ("05.07.2026 10:00Z", "dd.MM.yyyy HH:mmx"),
  ])
  func `no instant`(_ text: String, _ format: String) throws {
    let result = try instant(text, format, "clock: Z")
    #expect(result == "not-an-instant" || result == "no-such-day", "\(result)")
  }

  // MARK: The day of an instant

  @Test(arguments: [
    ("", "\"2019-07-20T00:00:00\"", "2019-07-20"), ("", "\"2019-07-20T23:30:00Z\"", "2019-07-20"),
    ("clock: Europe/Amsterdam", "\"2019-07-20T22:30:00Z\"", "2019-07-21"),
    ("clock: Europe/Amsterdam", "\"2019-07-20T21:30:00Z\"", "2019-07-20"),
    ("clock: Europe/Amsterdam", "\"2019-03-31T02:30:00\"", "2019-03-31"),
    ("", "\"2019-07-20\"", "not-an-instant"), ("", "\"20.07.2019\"", "not-an-instant"),
    ("clock: +01:00", "\"9999-12-31T23:30:00Z\"", "not-an-instant"),
  ])
  func `the day of an instant is that of the clock`(
    _ more: String, _ value: String, _ day: String
  ) throws {
    #expect(try read(value, "kind: day, read: instant", more) == day)
  }

  @Test func `the day of a Unix time, of a zone of its own, and of a format`() throws {
    #expect(try read("1592866800", "kind: day, read: instant, unix: seconds") == "2020-06-22")
    #expect(
      try read("1592866800", "kind: day, read: instant, unix: seconds, zone: Europe/Moscow")
        == "2020-06-23")
    #expect(try read("\"x\"", "kind: day, read: instant, unix: seconds") == "not-a-unix-time")
    let format = "kind: day, read: instant, format: [\"d.M.y H:mmX\", d.M.y]"
    #expect(try read("\"22.6.2020 23:00Z\"", format, "clock: +03:00") == "2020-06-23")
    #expect(try read("\"22.6.2020\"", format, "clock: +03:00") == "2020-06-22")
  }
}
