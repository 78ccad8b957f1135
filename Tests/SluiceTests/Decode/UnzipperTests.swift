import Testing

@testable import Sluice

/// Archives that are right, in every form that they may have.
@Suite struct UnzipperTests {
  private let short = Array("{\"a\":1}\n".utf8)
  private let long = Unzipping.long

  @Test func `an archive of one entry is unpacked`() {
    #expect(Unzipping.everyCut(ZIPBuilder("a.json", short).build()) == Unzipping.fine(short))
    #expect(Unzipping.everyCut(ZIPBuilder("a.json", long).build()) == Unzipping.fine(long))
    #expect(Unzipping.everyCut(ZIPBuilder("a.json", []).build()) == Unzipping.fine([]))
  }

  /// An archive after the mark of one part (APPNOTE 8.5.4). Its offsets count the mark or not.
  private func marked(_ zip: ZIPBuilder, isCounted: Bool) -> [UInt8] {
    var zip = zip
    if isCounted {
      zip.prefix = Array("PK00".utf8)
      return zip.build()
    }
    return Array("PK00".utf8) + zip.build()
  }

  @Test(arguments: [false, true], [false, true])
  func `an archive may begin with the mark of one part`(_ isCounted: Bool, _ isZIP64: Bool) {
    var zip = ZIPBuilder("dir/", [])
    zip.add(Array("a".utf8), long, descriptor: isZIP64 ? .signedWide : nil, zip64: isZIP64)
    if isZIP64 { zip.zip64 = .init() }
    let archive = marked(zip, isCounted: isCounted)
    #expect(Unzipping.everyCut(archive) == Unzipping.fine(long))
    #expect(
      Unzipping.everyCut(archive + [0])
        == Unzipping.fault(.trailingData, at: archive.count, after: long))
  }

  @Test func `a stored entry is unpacked`() {
    for content in [short, long, []] {
      var zip = ZIPBuilder()
      zip.add(Array("a".utf8), content, stored: true)
      #expect(Unzipping.everyCut(zip.build()) == Unzipping.fine(content))
    }
  }

  @Test(arguments: ZIPBuilder.Descriptor.allCases, [false, true])
  func `a data descriptor of any form is understood`(
    form: ZIPBuilder.Descriptor, zip64: Bool
  ) {
    for content in [short, long, []] {
      var zip = ZIPBuilder()
      zip.add(Array("dir/".utf8), [], descriptor: form)
      zip.add(Array("a".utf8), content, descriptor: form, zip64: zip64)
      #expect(Unzipping.everyCut(zip.build()) == Unzipping.fine(content))
    }
  }

  @Test func `a descriptor may repeat what the local header says`() {
    var zip = ZIPBuilder()
    zip.add(Array("a".utf8), short, descriptor: .unsigned) { $0.local = $0.central }
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fine(short))
  }

  @Test func `ZIP64 fields and records are understood`() {
    var zip = ZIPBuilder()
    zip.add(Array("a".utf8), long, zip64: true)
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fine(long))
    zip.zip64 = .init()
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fine(long))
    zip.end = .init(
      disk: .max, directoryDisk: .max, entriesOnDisk: .max, entries: .max, directorySize: .max,
      directoryOffset: .max)
    zip.zip64?.extension_ = [1, 2, 3]
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fine(long))
    zip.entries[0].central.offset = .max
    zip.entries[0].central.disk = .max
    var field = ZIPBuilder.zip64Field([
      UInt32(long.count), UInt32(zip.entries[0].data.count), 0,
    ])
    field[2] += 4
    zip.entries[0].central.extra = [9, 9, 2, 0, 1, 1] + field + [0, 0, 0, 0] + [7]
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fine(long))
  }

  @Test func `comments and extra fields are stepped over`() {
    var zip = ZIPBuilder("a", long)
    zip.entries[0].local.extra = [0x55, 0x54, 2, 0, 1, 2, 0, 0]
    zip.entries[0].central.extra = [0, 0]
    zip.entries[0].central.comment = Array("PK\u{1}\u{2} of an entry".utf8)
    zip.comment = Array("PK\u{5}\u{6} of the archive".utf8)
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fine(long))
    zip.entries[0].local.extra = .init(repeating: 0, count: 65_535)
    zip.entries[0].central.extra = .init(repeating: 0, count: 65_535)
    zip.entries[0].central.comment = .init(repeating: 80, count: 65_535)
    zip.comment = .init(repeating: 75, count: 65_535)
    #expect(Unzipping.whole(zip.build()) == Unzipping.fine(long))
  }

  @Test func `the directory may have an order of its own`() {
    var zip = ZIPBuilder("dir/", [])
    zip.add("a", short)
    zip.order = { $0 > $1 }
    #expect(Unzipping.everyCut(zip.build()) == Unzipping.fine(short))
  }

  @Test func `megabytes pass through the window`() {
    let content = Array(repeatElement(long, count: 400).joined())
    for stored in [false, true] {
      var zip = ZIPBuilder()
      zip.add(Array("a".utf8), content, stored: stored)
      let archive = zip.build()
      for length in [31, 16_384, 49_152, archive.count] {
        let box = Collector.Box()
        #expect(throws: Never.self) {
          try ChunkCutter.feed(
            archive, inPiecesOf: length,
            to: Unzipper(into: Collector(box: box), options: .init(), counters: Counters()))
        }
        #expect(box.bytes == content)
      }
    }
  }

  @Test func `the entry's local time is published in UTC`() {
    var options = UnzipOptions(zone: Zone(offset: 10_800))
    _ = Unzipping.whole(ZIPBuilder("a", short).build(), options)
    #expect(options.date.seconds == 1_593_108_790)
    options.zone = .utc
    _ = Unzipping.whole(ZIPBuilder("a", long).build(), options)
    #expect(options.date.seconds == 1_593_108_790 + 10_800)
  }

  @Test(arguments: [
    DOSTime(time: 0, date: 0), DOSTime(time: 0, date: 0x50C0), DOSTime(time: 0, date: 0x5019),
    DOSTime(time: 24 << 11, date: 0x50D9), DOSTime(time: 60 << 5, date: 0x50D9),
    DOSTime(time: 30, date: 0x50D9), DOSTime(time: 0, date: 2 << 9 | 2 << 5 | 30),
  ])
  func `a time that does not exist is none`(modified: DOSTime) {
    let options = UnzipOptions()
    let zip = ZIPBuilder("a", short) {
      ($0.local.time, $0.local.date) = (modified.time, modified.date)
      ($0.central.time, $0.central.date) = (modified.time, modified.date)
    }
    #expect(Unzipping.whole(zip.build(), options) == Unzipping.fine(short))
    #expect(options.date.seconds == nil)
  }

  @Test func `bytes in and out are counted`() {
    for content in [short, long] {
      let counters = Counters()
      let archive = ZIPBuilder("a", content).build()
      _ = Unzipping.whole(archive, counters: counters)
      #expect(counters.unzip.bytesIn.value == archive.count)
      #expect(counters.unzip.bytesOut.value == content.count)
    }
  }

  @Test func `what is wrong with the data is said when the archive has been read`() {
    let outcome = Unzipping.everyCut(ZIPBuilder("a", long).build(), failsAt: 5000)
    #expect(outcome.error == Collector.failure)
    #expect(outcome.output == Array(long.prefix(5000)))
  }

  @Test func `what is wrong with the archive comes before what is wrong with its data`() {
    let archive = ZIPBuilder("a", long) { $0.central.crc ^= 1 }.build()
    let outcome = Unzipping.everyCut(archive, failsAt: 5000)
    #expect(outcome.error?.stage == .unzip)
    #expect(outcome.output == Array(long.prefix(5000)))
  }
}
