import Testing

@testable import Sluice

/// The keys that say how days, instants and times of day are written, and their wrong forms.
@Suite struct FormatDocumentTests {
  private func fault(_ column: String) -> String {
    OwnFeed.fault("feed: a\nrows: d[]\ncolumns:\n  a: {\(column)}")
  }

  private func format(_ text: String, _ kind: String = "day", _ more: String = "") -> String {
    fault("kind: \(kind), format: \"\(text)\"\(more)")
  }

  private func flaw(_ text: String, _ flaw: String, at place: String = "4:26") -> String {
    "\(place) badFormat(\"\(text)\", FormatFlaw.\(flaw))"
  }

  private let letters =
    #"["y", "M", "L", "d", "do", "E", "H", "h", "k", "K", "m", "s", "S", "a", "#
    + #""X", "x", "Z", "z"]"#

  @Test(arguments: ["Y", "D", "u", "Q", "w", "G", "b", "V", "O", "i", "Mo"])
  func `letters without a meaning`(_ letter: String) {
    let unknown = letter == "Mo" ? "o" : letter
    #expect(
      format("yyyy-\(letter)-dd")
        == flaw("yyyy-\(letter)-dd", "letter(\"\(unknown)\", allowed: \(letters))"))
  }

  @Test func `a time of day has no letters of days`() {
    #expect(
      format("HH:MM", "time")
        == flaw(
          "HH:MM",
          #"letter("M", allowed: ["H", "h", "k", "K", "m", "s", "S", "a"])"#, at: "4:27"))
  }

  @Test func `letters of a wrong number`() {
    #expect(
      format("yyy-MM-dd") == flaw("yyy-MM-dd", #"width("yyy", allowed: ["y", "yy", "yyyy"])"#))
    #expect(format("y-MMMMM-d").contains("width(\"MMMMM\""))
    #expect(format("y-M-ddd").contains("width(\"ddd\""))
    #expect(format("e y-M-d").contains("width(\"e\""))
    #expect(format("EEEEE y-M-d").contains("width(\"EEEEE\""))
  }

  @Test func `parts that are missing or there twice`() {
    #expect(format("dd/mm/yyyy") == flaw("dd/mm/yyyy", "without(\"M\")"))
    #expect(format("dd.MM.") == flaw("dd.MM.", "without(\"y\")"))
    #expect(format("MMMM y") == flaw("MMMM y", "without(\"d\")"))
    #expect(format("d.M.y", "instant") == flaw("d.M.y", "without(\"H\")", at: "4:30"))
    #expect(format("mm:ss", "time") == flaw("mm:ss", "without(\"H\")", at: "4:27"))
    #expect(format("h:mm", "time") == flaw("h:mm", "without(\"a\")", at: "4:27"))
    #expect(format("H:ss", "time") == flaw("H:ss", "without(\"m\")", at: "4:27"))
    #expect(format("H:mm.SSS", "time") == flaw("H:mm.SSS", "without(\"s\")", at: "4:27"))
    #expect(format("d.M.MMM.y") == flaw("d.M.MMM.y", "twice(\"MMM\")"))
    #expect(format("d do M y") == flaw("d do M y", "twice(\"do\")"))
  }

  @Test func `texts that are no format`() {
    #expect(format(" ") == flaw(" ", "empty"))
    #expect(format("d 'of M y") == "4:26 badFormat(\"d \\'of M y\", FormatFlaw.openQuote)")
    #expect(format("yMd") == flaw("yMd", "openWidths"))
    #expect(format("Hm", "time") == flaw("Hm", "openWidths", at: "4:27"))
    #expect(format("doMMy") == flaw("doMMy", "openWidths"))
    let long = "dMy" + String(repeating: ".", count: 200)
    #expect(format(long).contains("tooLong(limit: 200)"))
    #expect(fault("kind: day, format: [dd.MM.yyyy, dd.mm.yyyy]").hasPrefix("4:39 badFormat("))
    #expect(fault("kind: day, format: []") == "4:26 noValue(\"format\")")
    #expect(fault("kind: day, format: {a: b}").hasPrefix("4:26 wrongKind("))
  }

  @Test func `a year of two digits needs its hundred years`() {
    #expect(format("dd.MM.yy") == flaw("dd.MM.yy", "withoutYears"))
    #expect(format("dd.MM.yy", "day", ", years: 1970-2069") == "")
    for years in ["1970-2070", "1970-2068", "1970", "70-69", "9901-10000", "x-y", "2069-1970"] {
      #expect(
        format("dd.MM.yy", "day", ", years: \(years)")
          == "4:45 badValue(\"\(years)\", key: \"years\", Wanted.years)")
    }
  }

  @Test func `languages of names`() {
    #expect(
      format("d MMM y", "day", ", names: xx")
        == #"4:44 notAChoice("xx", key: "names", choices: ["en", "ru", "de", "fr", "nl", "sv", "es", "it", "pl", "pt"])"#
    )
    #expect(format("d MMM y", "day", ", names: [de, xx]").hasPrefix("4:49 notAChoice("))
    #expect(format("d MMM y", "day", ", names: [de, de]") == "4:49 duplicateItem(\"de\")")
    #expect(format("d MMM y", "day", ", names: []") == "4:44 noValue(\"names\")")
  }

  @Test(arguments: [
    (
      "format: d.M.y",
      #"4:15 onlyForKinds([FieldKind.day, FieldKind.instant, FieldKind.time], key: "format")"#
    ),
    (
      "kind: time, years: 1970-2069",
      #"4:26 onlyForKinds([FieldKind.day, FieldKind.instant], key: "years")"#
    ),
    ("kind: instant, read: instant", #"4:28 onlyForKinds([FieldKind.day], key: "read")"#),
    ("kind: day, unit: minutes", #"4:24 onlyForKinds([FieldKind.time], key: "unit")"#),
    ("kind: day, unix: seconds", #"4:24 onlyFor(FieldKind.instant, key: "unix")"#),
    ("kind: day, zone: Z", #"4:24 onlyFor(FieldKind.instant, key: "zone")"#),
    ("kind: day, read: time", #"4:24 notAChoice("time", key: "read", choices: ["instant"])"#),
    (
      "kind: time, unit: hours",
      #"4:25 notAChoice("hours", key: "unit", choices: ["minutes", "seconds"])"#
    ),
    ("kind: time, format: H, unit: minutes", #"4:36 keyBeside("unit", other: "format")"#),
    ("kind: instant, format: d.M.y H, unix: seconds", #"4:45 keyBeside("unix", other: "format")"#),
    ("kind: day, names: de", #"4:25 keyWants("names", other: "format")"#),
    ("kind: day, read: instant, years: 1970-2069", #"4:40 keyWants("years", other: "format")"#),
  ])
  func `keys that do not go together`(_ column: String, _ fault: String) {
    #expect(self.fault(column) == fault)
  }

  @Test(arguments: [
    ("kind: day, parts: {year: y, month: m}", #"4:25 missingKey("day", of: Optional("parts"))"#),
    (
      "kind: day, parts: {year: y, month: m, day: d, hour: h}",
      #"4:53 unknownKey("hour", of: Optional("parts"), allowed: ["year", "month", "day"])"#
    ),
    (
      "kind: instant, parts: {year: y, month: m, day: d}",
      #"4:29 missingKey("hour", of: Optional("parts"))"#
    ),
    ("kind: time, parts: {minute: m}", #"4:26 missingKey("hour", of: Optional("parts"))"#),
    (
      "kind: time, parts: {hour: h, second: s}",
      #"4:26 missingKey("minute", of: Optional("parts"))"#
    ),
    (
      "kind: day, from: x, parts: {year: y, month: m, day: d}",
      #"4:24 keyBeside("from", other: "parts")"#
    ),
    (
      "kind: day, format: d.M.y, parts: {year: y, month: m, day: d}",
      #"4:26 keyBeside("format", other: "parts")"#
    ),
    (
      "kind: day, parts: y",
      #"4:25 wrongKind(key: Optional("parts"), found: Kind.text, wanted: [Kind.mapping], "#
        + #"keys: ["year", "month", "day"])"#
    ),
  ])
  func `parts in a wrong form`(_ column: String, _ fault: String) {
    #expect(self.fault(column) == fault)
  }

  @Test func `a part is no path around the rows or inside of a column`() {
    #expect(fault("kind: day, parts: {year: \"[]\", month: m, day: d}").hasPrefix("4:32 badPath("))
    #expect(fault("kind: day, parts: {year: x.y, month: x, day: d}").hasPrefix("4:"))
  }
}
