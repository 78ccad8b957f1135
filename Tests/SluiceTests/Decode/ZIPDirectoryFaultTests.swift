import Testing

@testable import Sluice

/// What can be wrong behind the entries: central directory, end records, what follows.
@Suite struct ZIPDirectoryFaultTests {
  private let short = Array("{\"a\":1}\n".utf8)
  private let a = EntryName("a")
  private let b = EntryName("b/")

  /// Two entries, the data entry `a` and the folder `b/`.
  private var zip: ZIPBuilder {
    var zip = ZIPBuilder("a", short)
    zip.add("b/", [])
    return zip
  }

  /// Where the second local header, the first and the second central header and the end record
  /// begin.
  private var second: Int { 31 + zip.entries[0].data.count }
  private var directory: Int { second + 32 + zip.entries[1].data.count }
  private var secondListed: Int { directory + 47 }
  private var end: Int { secondListed + 48 }

  private func outcome(_ change: (inout ZIPBuilder) -> Void) -> Outcome {
    var zip = zip
    change(&zip)
    return Unzipping.everyCut(zip.build())
  }

  @Test func `two headers that disagree are told with the field`() {
    let changes: [(ZIPFault.HeaderField, (inout ZIPBuilder.Header) -> Void)] = [
      (.name, { $0.name = [0x63] }), (.flags, { $0.flags ^= 0x0800 }), (.method, { $0.method = 0 }),
      (.time, { $0.time ^= 1 }), (.time, { $0.date ^= 1 }), (.crc, { $0.crc ^= 1 }),
      (.compressedSize, { $0.compressedSize += 1 }), (.size, { $0.size -= 1 }),
    ]
    for (field, change) in changes {
      let outcome = outcome { change(&$0.entries[0].central) }
      #expect(
        outcome == Unzipping.fault(.headersDisagree(entry: a, field: field), at: directory))
    }
  }

  @Test func `a directory that points into an entry is told`() {
    #expect(
      outcome { $0.entries[1].central.offset = 5 }
        == Unzipping.fault(.noEntryAt(offset: 5, entry: b), at: secondListed))
    #expect(
      outcome { $0.entries[1].central.offset = 0 }
        == Unzipping.fault(.overlap(entry: b, other: a), at: secondListed))
    #expect(
      outcome { $0.entries[0].central.disk = 1 } == Unzipping.fault(.severalDisks, at: directory))
    #expect(
      outcome { $0.entries[0].central.size = .max }
        == Unzipping.fault(.zip64Missing(entry: a), at: directory))
  }

  @Test func `an entry that is not listed is told`() {
    #expect(
      outcome { $0.entries[1].isListed = false }
        == Unzipping.fault(.notListed(entry: b), at: secondListed))
  }

  @Test func `an archive without a directory is told`() {
    var outcome = outcome { zip in for i in 0..<2 { zip.entries[i].isListed = false } }
    #expect(outcome == Unzipping.fault(.directoryMissing, at: directory))
    var archive = zip.build()
    archive.insert(0x50, at: secondListed)
    outcome = Unzipping.everyCut(archive)
    #expect(
      outcome
        == Unzipping.fault(.unknownRecord(found: [0x50, 0x50, 0x4B, 1]), at: secondListed))
  }

  @Test func `an end record that is untrue is told with the field`() {
    let size = UInt64(end - directory)
    let offset = UInt64(directory)
    let cases: [(ZIPFault.EndField, UInt64, UInt64, (inout ZIPBuilder.End) -> Void)] = [
      (.entriesOnDisk, 3, 2, { $0.entriesOnDisk = 3 }), (.entries, 1, 2, { $0.entries = 1 }),
      (.entries, 65_535, 2, { $0.entries = .max }),
      (.directorySize, size - 1, size, { $0.directorySize = UInt32(size - 1) }),
      (.directoryOffset, offset + 1, offset, { $0.directoryOffset = UInt32(offset + 1) }),
    ]
    for (field, declared, actual, change) in cases {
      #expect(
        outcome { change(&$0.end) }
          == Unzipping.fault(
            .endRecord(field: field, declared: declared, actual: actual), at: end))
    }
    #expect(outcome { $0.end.disk = 1 } == Unzipping.fault(.severalDisks, at: end))
    #expect(outcome { $0.end.directoryDisk = .max } == Unzipping.fault(.severalDisks, at: end))
  }

  @Test func `ZIP64 records that are untrue are told with the field`() {
    let size = UInt64(end - directory)
    let offset = UInt64(directory)
    typealias Change = (inout ZIPBuilder.Zip64) -> Void
    let cases: [(ZIPFault.EndField, UInt64, UInt64, Int, Change)] = [
      (.zip64RecordSize, 43, 44, end, { $0.recordSize = 43 }),
      (.entriesOnDisk, 9, 2, end, { $0.entries = 9 }),
      (.directorySize, 0, size, end, { $0.directorySize = 0 }),
      (.directoryOffset, .max, offset, end, { $0.directoryOffset = .max }),
      (.zip64RecordOffset, 7, UInt64(end), end + 56, { $0.locatorOffset = 7 }),
    ]
    for (field, declared, actual, place, change) in cases {
      let outcome = outcome {
        var zip64 = ZIPBuilder.Zip64()
        change(&zip64)
        $0.zip64 = zip64
      }
      #expect(
        outcome
          == Unzipping.fault(
            .endRecord(field: field, declared: declared, actual: actual), at: place))
    }
    #expect(
      outcome { $0.zip64 = .init(disk: 1) } == Unzipping.fault(.severalDisks, at: end))
    #expect(
      outcome { $0.zip64 = .init(disks: 2) } == Unzipping.fault(.severalDisks, at: end + 56))
    #expect(
      outcome { $0.zip64 = .init(recordSize: 45) }.error?.fault
        == .unzip(.unknownRecord(found: [0x4B, 6, 7, 0])))
  }

  @Test func `not one byte follows the archive`() {
    #expect(
      outcome { $0.trailing = [0] } == Unzipping.fault(.trailingData, at: end + 22))
    #expect(
      outcome {
        $0.comment = [1, 2]
        $0.trailing = [10, 10]
      } == Unzipping.fault(.trailingData, at: end + 24))
    #expect(
      outcome {
        $0.comment = [1, 2]
        $0.end.commentLength = 1
      } == Unzipping.fault(.trailingData, at: end + 23))
    #expect(
      outcome {
        $0.comment = [1, 2]
        $0.end.commentLength = 3
      } == Unzipping.fault(.truncated, at: end + 24))
  }
}
