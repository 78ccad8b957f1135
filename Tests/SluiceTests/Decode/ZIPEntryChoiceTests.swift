import Testing

@testable import Sluice

/// Which entry is delivered.
@Suite struct ZIPEntryChoiceTests {
  private let short = Array("{\"a\":1}\n".utf8)
  private let long = Unzipping.long

  private func names(_ names: [String]) -> [EntryName] { names.map { EntryName($0) } }

  private func outcome(_ zip: ZIPBuilder, _ entry: String? = nil) -> Outcome {
    var options = UnzipOptions()
    options.entry = entry
    return Unzipping.everyCut(zip.build(), options)
  }

  private func link(_ name: String) -> (inout ZIPBuilder) -> Void {
    { zip in
      zip.add(Array(name.utf8), Array("../target".utf8), stored: true) {
        $0.central.attributes = 0o120777 << 16
      }
    }
  }

  @Test func `folders, links and what macOS adds do not count`() {
    for content in [short, long] {
      var zip = ZIPBuilder("data/", [])
      link("first")(&zip)
      zip.add("data/feed.json", content)
      link("last")(&zip)
      zip.add("__MACOSX/data/._feed.json", Array(repeating: 7, count: 5000))
      #expect(outcome(zip) == Unzipping.fine(content))
    }
  }

  @Test func `a link made by something else than Unix is a file`() {
    var zip = ZIPBuilder("a", short) {
      $0.central.attributes = 0o120777 << 16
      $0.central.madeBy = 0
    }
    #expect(outcome(zip) == Unzipping.fine(short))
    zip.entries[0].central.madeBy = 19 << 8
    #expect(outcome(zip).error?.fault == .unzip(.noEntry(names: names(["a"]))))
  }

  @Test func `a link longer than a path can be is refused`() {
    for count in [4096, 4097] {
      let zip = ZIPBuilder("a", Array(long.prefix(count))) {
        $0.central.attributes = 0o120777 << 16
      }
      let fault: ZIPFault =
        count == 4096 ? .noEntry(names: names(["a"])) : .linkTooLong(entry: EntryName("a"))
      #expect(outcome(zip).error?.fault == .unzip(fault))
    }
  }

  @Test func `no data entry is an error that lists what is there`() {
    var zip = ZIPBuilder()
    #expect(outcome(zip) == Unzipping.fault(.noEntry(names: []), at: 22))
    zip.zip64 = .init()
    #expect(outcome(zip) == Unzipping.fault(.noEntry(names: []), at: 98))
    zip = ZIPBuilder("a/", [])
    link("b")(&zip)
    #expect(outcome(zip).error?.fault == .unzip(.noEntry(names: names(["a/", "b"]))))
  }

  @Test func `several data entries are an error that lists them`() {
    let contents = [short, long]
    for first in contents {
      for second in contents {
        var zip = ZIPBuilder("one", first)
        zip.add("dir/", [])
        zip.add("two", second)
        link("link")(&zip)
        zip.add("three", long)
        let outcome = outcome(zip)
        let fault = ZIPFault.severalEntries(names: names(["one", "two", "three"]))
        #expect(outcome.error == PipelineError(.unzip(fault), at: zip.build().count))
        #expect(outcome.output == long)
      }
    }
  }

  @Test func `the wanted entry is delivered and the others are checked`() {
    var zip = ZIPBuilder("one", short)
    zip.add("two", long)
    zip.add("three", long + short)
    zip.add("four", Array("4".utf8))
    #expect(outcome(zip, "one") == Unzipping.fine(short))
    #expect(outcome(zip, "two") == Unzipping.fine(long))
    #expect(outcome(zip, "three") == Unzipping.fine(long + short))
    #expect(outcome(zip, "four").text == "4")
    zip.entries[3].local.crc ^= 1
    let crc = ZIPBuilder.crc(Array("4".utf8))
    #expect(
      outcome(zip, "one").error?.fault
        == .unzip(.crc(entry: EntryName("four"), declared: crc ^ 1, actual: crc)))
  }

  @Test func `a wanted entry that is not there is an error that lists the others`() {
    var zip = ZIPBuilder("one", short)
    zip.add("two/", [])
    link("three")(&zip)
    for wanted in ["ONE", "two/", "three", ""] {
      #expect(
        outcome(zip, wanted).error?.fault
          == .unzip(.noSuchEntry(wanted: wanted, names: names(["one"]))))
    }
  }

  @Test func `an entry is found by its bytes and as it is shown`() {
    var zip = ZIPBuilder("\u{1B}[31m../a\\b", short)
    zip.add([0xAD, 0xE2, 0x2E, 0x6A], long)
    #expect(outcome(zip, "\u{1B}[31m../a\\b") == Unzipping.fine(short))
    #expect(outcome(zip, "\\x1b[31m../a\\\\b") == Unzipping.fine(short))
    #expect(outcome(zip, "\\xad\\xe2.j") == Unzipping.fine(long))
  }

  @Test func `two entries that look alike are an error that lists them`() {
    var zip = ZIPBuilder("\u{1B}", short)
    zip.add("\\x1b", short)
    #expect(
      outcome(zip, "\\x1b").error?.fault
        == .unzip(.severalEntries(names: names(["\u{1B}", "\\x1b"]))))
  }

  @Test(arguments: [
    ("../../etc/passwd", "../../etc/passwd"), ("/abs", "/abs"), ("e\u{1B}[2J", "e\\x1b[2J"),
    ("данные.json", "данные.json"), ("a\u{202E}b", "a\\u{202e}b"), ("a\n\u{7F}", "a\\x0a\\x7f"),
    ("a\\x", "a\\\\x"), ("\u{85}", "\\u{85}"), ("", ""),
  ])
  func `a name is shown without controls`(name: String, shown: String) {
    #expect(EntryName(name).shown == shown)
  }

  @Test func `bytes of a code page are shown as numbers`() {
    // `день` in CP866, an overlong and a cut sequence.
    #expect(EntryName(bytes: [0xA4, 0xA5, 0xAD, 0xEC]).shown == "\\xa4\\xa5\\xad\\xec")
    #expect(EntryName(bytes: [0xC0, 0xAF, 0x61, 0xD0]).shown == "\\xc0\\xafa\\xd0")
  }

  @Test func `a listing names every entry, even where the choice fails`() {
    var zip = ZIPBuilder("one", short)
    zip.add("dir/", [])
    zip.add(Array("two".utf8), long, descriptor: .unsigned)
    link("link")(&zip)
    zip.add("__MACOSX/x", [])
    var options = UnzipOptions()
    options.zone = Zone(offset: 10_800)
    options.listing = ZIPListing()
    _ = Unzipping.whole(zip.build(), options)
    let items = options.listing?.items ?? []
    #expect(items.map(\.name.shown) == ["one", "dir/", "two", "link", "__MACOSX/x"])
    #expect(items.map(\.method) == [8, 8, 8, 0, 8])
    #expect(items.map(\.size) == [short.count, 0, long.count, 9, 0])
    #expect(items.map(\.compressedSize) == zip.entries.map(\.data.count))
    #expect(items.map(\.modified) == Array(repeating: 1_593_108_790, count: 5))
    #expect(items.map(\.kind) == [.data, .folder, .data, .link, .macMetadata])
  }
}
