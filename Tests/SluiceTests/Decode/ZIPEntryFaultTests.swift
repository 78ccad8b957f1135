import Testing

@testable import Sluice

/// What can be wrong with an entry: its local header, its data, its descriptor.
@Suite struct ZIPEntryFaultTests {
  private let short = Array("{\"a\":1}\n".utf8)
  private let long = Unzipping.long
  private let a = EntryName("a")
  /// Where the data of an entry called `a` begins.
  private let dataStart = 31

  @Test func `every cut is truncated`() {
    var zip = ZIPBuilder()
    zip.add(Array("dir/".utf8), [], descriptor: .unsigned)
    zip.add(Array("a".utf8), short, descriptor: .signed)
    zip.add(Array("link".utf8), short, stored: true) { $0.central.attributes = 0o120777 << 16 }
    zip.entries[1].central.comment = [1, 2, 3]
    zip.zip64 = .init(extension_: [1])
    zip.comment = [4, 5]
    let archive = zip.build()
    #expect(Unzipping.whole(archive) == Unzipping.fine(short))
    for length in 0..<archive.count {
      let cut = Array(archive.prefix(length))
      #expect(Unzipping.whole(cut) == Unzipping.fault(.truncated, at: length))
      for piece in [1, 2, 3, 5, 29] {
        let outcome = ChunkCutter.pieces(cut, of: piece) {
          Unzipper(into: $0, options: .init(), counters: Counters())
        }
        #expect(outcome == Unzipping.fault(.truncated, at: length))
      }
    }
  }

  @Test func `what was inflated before the end is passed on`() {
    let archive = ZIPBuilder("a", long).build()
    let outcome = Unzipping.everyCut(Array(archive.prefix(archive.count / 2 + 300)))
    #expect(outcome.error == PipelineError(.unzip(.truncated), at: archive.count / 2 + 300))
    #expect(outcome.output.count > 4096)
    #expect(long.starts(with: outcome.output))
  }

  @Test(arguments: [
    "<!doctype html><title>x</title>", "\u{1F}\u{8B}\u{8}", "Rar!\u{1A}\u{7}\u{1}\u{0}",
    "7z\u{27}\u{1C}", "x", "PX", "PK\u{3}x", "PK\u{1}\u{2}0123456789012345", "MZ PK\u{3}\u{4}",
  ])
  func `something else is not a zip, and its first bytes are told`(text: String) {
    let bytes = Array(text.utf8)
    #expect(
      Unzipping.everyCut(bytes)
        == Unzipping.fault(.notZip(first: Array(bytes.prefix(16))), at: 0))
  }

  @Test func `bytes before the first entry are not a zip`() {
    let archive = [0x0A] + ZIPBuilder("a", short).build()
    #expect(
      Unzipping.everyCut(archive)
        == Unzipping.fault(.notZip(first: Array(archive.prefix(16))), at: 0))
  }

  @Test func `a mark of several disks is named`() {
    let archive = Array("PK\u{7}\u{8}".utf8) + ZIPBuilder("a", short).build()
    #expect(Unzipping.everyCut(archive) == Unzipping.fault(.severalDisks, at: 0))
  }

  @Test func `after the mark of one part only an archive may follow`() {
    let mark = Array("PK00".utf8)
    let archive = ZIPBuilder("a", short).build()
    #expect(Unzipping.everyCut(mark) == Unzipping.fault(.truncated, at: 4))
    var empty = ZIPBuilder()
    empty.prefix = mark
    #expect(Unzipping.everyCut(empty.build()) == Unzipping.fault(.noEntry(names: []), at: 26))
    for wrong in ["PK00", "PK\u{7}\u{8}", "abcd"] {
      let found = Array(wrong.utf8)
      #expect(
        Unzipping.everyCut(mark + found + archive)
          == Unzipping.fault(.unknownRecord(found: found), at: 4))
    }
  }

  @Test func `offsets count the mark of one part all, or none does`() {
    var zip = ZIPBuilder("a/", [])
    zip.add("b", short)
    // The first entry is 30 bytes of header, its name and two bytes of data.
    zip.entries[1].central.offset = 34 + 4
    let mixed = Array("PK00".utf8) + zip.build()
    #expect(Unzipping.everyCut(mixed) != Unzipping.fine(short))
    var end = ZIPBuilder("a", short)
    end.end.directoryOffset = 7
    #expect(Unzipping.everyCut(Array("PK00".utf8) + end.build()) != Unzipping.fine(short))
  }

  @Test(arguments: [UInt16(0x0001), 0x0041, 0x2001])
  func `an encrypted entry is refused by name`(flags: UInt16) {
    let zip = ZIPBuilder("a", short) { $0.local.flags = flags }
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fault(.encrypted(entry: a), at: 0))
  }

  @Test func `what is not done here is refused by name`() {
    var zip = ZIPBuilder("a", short) { $0.local.flags = 0x0020 }
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fault(.patchData(entry: a), at: 0))
    for method: UInt16 in [1, 5, 6, 9, 12, 14, 93, 95, 98, 99, 65_535] {
      zip = ZIPBuilder("a", short) { $0.local.method = method }
      #expect(Unzipping.everyCut(zip.build()) == Unzipping.fault(.method(method, entry: a), at: 0))
    }
    zip = ZIPBuilder("a", short) { $0.local.version = 64 }
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fault(.version(64, entry: a), at: 0))
  }

  @Test func `a stored entry with a descriptor is refused`() {
    var zip = ZIPBuilder()
    zip.add(Array("a".utf8), short, stored: true, descriptor: .signed)
    #expect(
      Unzipping.everyCut(zip.build()) == Unzipping.fault(.storedWithDescriptor(entry: a), at: 0))
  }

  @Test func `a ZIP64 field that is promised has to be there`() {
    let expected = Unzipping.fault(.zip64Missing(entry: a), at: 0)
    for extra: [UInt8] in [[], [1, 0, 8, 0] + [8, 0, 0, 0, 0, 0, 0, 0], [1, 0, 16, 0, 1]] {
      let zip = ZIPBuilder("a", short) {
        ($0.local.size, $0.local.compressedSize) = (.max, .max)
        $0.local.extra = extra
      }
      #expect(Unzipping.everyCut(zip.build()) == expected)
    }
  }

  @Test func `a name of more than 1 KiB is refused`() {
    let longest = String(repeating: "n", count: 1024)
    #expect(Unzipping.whole(ZIPBuilder(longest, short).build()) == Unzipping.fine(short))
    #expect(
      Unzipping.everyCut(ZIPBuilder(longest + "n", short).build())
        == Unzipping.fault(.nameTooLong(length: 1025, limit: 1024), at: 0))
  }

  @Test func `one name twice is an error`() {
    var zip = ZIPBuilder("a", short)
    zip.add("a", short)
    let second = dataStart + zip.entries[0].data.count
    #expect(
      Unzipping.everyCut(zip.build()) == Unzipping.fault(.duplicateName(entry: a), at: second))
  }

  @Test func `broken deflate data is told at its start, behind what was good`() {
    // A stored block, then a block of the type that does not exist.
    let good = ZIPBuilder.deflated(long, repeated: 1).dropLast(2)
    let zip = ZIPBuilder("a", long) {
      $0.data = good + [0x07]
      $0.local.compressedSize = UInt32($0.data.count)
    }
    #expect(
      Unzipping.everyCut(zip.build())
        == Unzipping.fault(.deflate(entry: a), at: dataStart, after: long))
  }

  @Test func `a changed bit never gives other content, and the same error at every cut`() {
    let content = Array(long.prefix(150))
    var zip = ZIPBuilder()
    zip.add(Array("a".utf8), content, descriptor: .signed, zip64: true)
    zip.add("b/", [])
    zip.zip64 = .init()
    zip.comment = [1, 2]
    let right = zip.build()
    for bit in 0..<right.count * 8 {
      var archive = right
      archive[bit / 8] ^= 1 << (bit % 8)
      let whole = Unzipping.whole(archive)
      // Some bits mean nothing, as those behind the deflate data's last code. A larger declared
      // size lets the content pass before the error.
      #expect(whole.error == nil ? whole.output == content : content.starts(with: whole.output))
      for length in [1, 5] {
        let outcome = ChunkCutter.pieces(archive, of: length) {
          Unzipper(into: $0, options: .init(), counters: Counters())
        }
        #expect(outcome == whole)
      }
    }
  }

  @Test func `bytes behind the deflate data are counted`() {
    let zip = ZIPBuilder("a", short) {
      let end = $0.data.count
      $0.data += [1, 2, 3]
      $0.local.compressedSize += 3
      $0.central.compressedSize += 3
      #expect(end > 3)
    }
    #expect(
      Unzipping.everyCut(zip.build())
        == Unzipping.fault(
          .bytesAfterDeflate(entry: a, count: 3), at: dataStart + zip.entries[0].data.count - 3))
  }

  @Test func `deflate data that does not end is an error`() {
    for missing in [1, 3] {
      let zip = ZIPBuilder("a", short) {
        $0.data.removeLast(missing)
        $0.local.compressedSize -= UInt32(missing)
      }
      let end = dataStart + zip.entries[0].data.count
      #expect(
        Unzipping.everyCut(zip.build()) == Unzipping.fault(.deflateUnfinished(entry: a), at: end))
    }
    let none = ZIPBuilder("a", []) {
      $0.data = []
      $0.local.compressedSize = 0
    }
    #expect(
      Unzipping.everyCut(none.build())
        == Unzipping.fault(.deflateUnfinished(entry: a), at: dataStart))
  }

  @Test func `a wrong size is told with both sizes`() {
    let count = UInt64(long.count)
    let zip = ZIPBuilder("a", long) { $0.local.size += 1 }
    #expect(
      Unzipping.everyCut(zip.build())
        == Unzipping.fault(
          .size(entry: a, declared: count + 1, actual: count),
          at: dataStart + zip.entries[0].data.count, after: long))
    var stored = ZIPBuilder()
    stored.add(Array("a".utf8), short, stored: true) { $0.local.size += 1 }
    #expect(
      Unzipping.everyCut(stored.build())
        == Unzipping.fault(
          .size(entry: a, declared: UInt64(short.count + 1), actual: UInt64(short.count)),
          at: dataStart + short.count))
  }

  @Test func `a wrong CRC is told with both`() {
    for content in [short, long] {
      let crc = ZIPBuilder.crc(content)
      let zip = ZIPBuilder("a", content) { $0.local.crc ^= 0x100 }
      #expect(
        Unzipping.everyCut(zip.build())
          == Unzipping.fault(
            .crc(entry: a, declared: crc ^ 0x100, actual: crc),
            at: dataStart + zip.entries[0].data.count, after: content == short ? [] : long))
    }
  }

  @Test func `more bytes than declared are not passed on`() {
    for (content, declared) in [(long, 5000), (long, 4096), (short, 3), (short, 0)] {
      var zip = ZIPBuilder("a", content) { $0.local.size = UInt32(declared) }
      let expected = Unzipping.fault(
        .moreThanDeclared(entry: a, declared: declared), at: dataStart,
        after: declared > 4096 ? Array(content.prefix(declared)) : [])
      #expect(Unzipping.everyCut(zip.build()) == expected)
      zip = ZIPBuilder()
      zip.add(Array("a".utf8), content, stored: true) { $0.local.size = UInt32(declared) }
      #expect(Unzipping.everyCut(zip.build()) == expected)
    }
  }

  @Test(arguments: ZIPBuilder.Descriptor.allCases)
  func `a descriptor that says something else is told`(form: ZIPBuilder.Descriptor) {
    let count = UInt64(long.count)
    func outcome(_ change: (inout ZIPBuilder.Header) -> Void) -> (Outcome, Int, UInt64) {
      var zip = ZIPBuilder()
      zip.add(Array("a".utf8), long, descriptor: form) {
        var header = $0.central
        change(&header)
        $0.descriptor = ZIPBuilder.bytes(of: form, header)
      }
      let packed = zip.entries[0].data.count
      return (Unzipping.everyCut(zip.build()), dataStart + packed, UInt64(packed))
    }
    let crc = ZIPBuilder.crc(long)
    let (wrongCRC, end, packed) = outcome { $0.crc ^= 1 }
    #expect(
      wrongCRC
        == Unzipping.fault(.crc(entry: a, declared: crc ^ 1, actual: crc), at: end, after: long))
    #expect(
      outcome { $0.size += 1 }.0
        == Unzipping.fault(
          .size(entry: a, declared: count + 1, actual: count), at: end, after: long))
    #expect(
      outcome { $0.compressedSize += 1 }.0
        == Unzipping.fault(
          .compressedSize(entry: a, declared: packed + 1, actual: packed), at: end, after: long))
  }

  @Test func `what is no descriptor is told`() {
    var zip = ZIPBuilder()
    zip.add(Array("a".utf8), short, descriptor: .signed) { $0.descriptor = [1, 2, 3] }
    let end = dataStart + zip.entries[0].data.count
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fault(.descriptor(entry: a), at: end))
  }

  @Test func `bytes between entries are no record`() {
    let zip = ZIPBuilder("a", short) { $0.descriptor = [1, 2, 3, 4, 5] }
    let end = dataStart + zip.entries[0].data.count
    #expect(
      Unzipping.everyCut(zip.build())
        == Unzipping.fault(.unknownRecord(found: [1, 2, 3, 4]), at: end))
  }
}
