import Foundation
import Testing

extension EndToEnd {
  /// Archives that a reader must not believe, bare and inside the API's answer.
  @Suite struct BrokenArchiveTests {
    /// A broken archive and how it is refused.
    struct Case: CustomTestStringConvertible, Sendable {
      let name: String
      let archive: [UInt8]
      /// Where in the archive; nil where no offset is told.
      let offset: Int?
      /// What the line says.
      let says: [String]

      var testDescription: String { name }

      init(_ name: String, _ archive: [UInt8], at offset: Int?, says: [String] = []) {
        (self.name, self.archive, self.offset, self.says) = (name, archive, offset, says)
      }
    }

    private static let json = SmallFeed.list([SmallFeed.record(), SmallFeed.record(house: "16")])
    private static let name = "disconnect_teploset.json"
    private static let content = Array(json.utf8)
    private static let good = Archive(json)
    private static let data = good.dataStart
    /// Where the central directory of an archive with one deflated entry begins.
    private static let directory = data + content.count + 5
    private static let end = good.bytes.count

    @Test(arguments: cases)
    func `a broken archive is refused by its fault and place`(_ broken: Case) throws {
      let old = try OldOutputs(in: try Scratch())
      let place = broken.offset.map { "byte \($0): " } ?? ""
      let zip = try old.folder.write("broken.zip", broken.archive)
      let run = try BuiltProgram.run(["convert", zip] + old.options)
      run.expectFailure(65, "unzip: \(place)")
      for text in broken.says {
        #expect(run.errors.contains(text), "\(run.errors) does not say \(text)")
      }
      old.expectUntouched()
      let answer = try old.folder.write("answer.json", SmallFeed.envelope(broken.archive))
      let inside = try BuiltProgram.run(["convert", answer] + old.options)
      #expect(inside.errors == run.errors && inside.code == 65)
      old.expectUntouched()
    }

    private static let cases: [Case] = [
      Case("wrong CRC", Archive(json) { $0.crc = 1 }.bytes, at: directory, says: [name]),
      Case("another byte", changed(good.bytes, at: data + 9), at: directory, says: [name]),
      Case(
        "more than declared", Archive(json) { $0.size = UInt32(content.count - 1) }.bytes, at: data,
        says: [name, "\(content.count - 1)"]),
      Case(
        "less than declared", Archive(json) { $0.size = UInt32(content.count + 1) }.bytes,
        at: directory, says: ["\(content.count + 1)", "\(content.count)"]),
      Case(
        "the CRC differs between the headers", Archive(json) { $0.localCRC = 7 }.bytes,
        at: directory,
        says: [name]),
      Case(
        "the central CRC differs", changed(good.bytes, at: directory + 16), at: directory,
        says: [name]),
      Case(
        "bytes after the deflate data",
        Archive(json) { $0.data = Archive.deflated($0.content) + [0, 0] }.bytes,
        at: directory, says: ["2"]),
      Case(
        "deflate data that does not end",
        Archive(json) { $0.data = [0] + Archive.deflated($0.content).dropFirst() }.bytes,
        at: directory, says: [name]),
      Case(
        "deflate data of no known type", Archive(json) { $0.data = [7] + $0.content }.bytes,
        at: data,
        says: [name]),
      Case("one byte follows", good.bytes + [0x0A], at: end),
      Case("a page follows", good.bytes + Array("<html>".utf8), at: end),
      Case("another archive follows", good.bytes + good.bytes, at: end),
      Case(
        "stored with a descriptor",
        Archive(json) {
          ($0.method, $0.flags, $0.isStreamed) = (0, 8, true)
          $0.descriptor = descriptor($0, signed: true)
        }.bytes, at: 0, says: [name]),
      Case("encrypted", Archive(json) { $0.flags = 1 }.bytes, at: 0, says: [name]),
      Case("patch data", Archive(json) { $0.flags = 0x20 }.bytes, at: 0, says: [name]),
      Case("bzip2 inside", Archive(json) { $0.method = 12 }.bytes, at: 0, says: [name, "12"]),
      Case("LZMA inside", Archive(json) { $0.method = 14 }.bytes, at: 0, says: [name, "14"]),
      Case("of several disks", Array("PK\u{7}\u{8}".utf8) + good.bytes, at: 0),
      Case("no entry at all", Archive(entries: []).bytes, at: nil),
      Case(
        "nothing but a folder",
        Archive(entries: [folder, Archive.Entry("__MACOSX/._x", [1])]).bytes, at: nil,
        says: ["dir/"]),
      Case(
        "two files", Archive(entries: [file("one.json"), file("two.json")]).bytes, at: nil,
        says: ["one.json", "two.json", "--entry"]),
      Case(
        "one name twice", Archive(entries: [file("a"), file("a")]).bytes,
        at: 31 + content.count + 5, says: ["a"]),
      Case(
        "names that climb and draw",
        Archive(entries: [file("../../etc/\u{1B}[2Jpasswd"), file("/abs\r\nsluice: ok")]).bytes,
        at: nil, says: [#"../../etc/\x1b[2Jpasswd"#, #"/abs\x0d\x0asluice: ok"#]),
      Case("a name that is too long", Archive(entries: [file(long)]).bytes, at: 0, says: ["1024"]),
      Case(
        "an entry that is not listed",
        Archive(json) { $0.name = Array("a".utf8) }.bytes.dropLast(22 + 47)
          + endRecord(directory: 31 + content.count + 5), at: 31 + content.count + 5, says: ["a"]),
      Case("a number of entries that is untrue", changed(good.bytes, at: end - 12), at: end - 22),
      Case("a directory offset that is untrue", changed(good.bytes, at: end - 6), at: end - 22),
    ]

    private static let folder: Archive.Entry = {
      var folder = Archive.Entry("dir/", [])
      folder.method = 0
      return folder
    }()
    private static let long = String(repeating: "n", count: 1025)

    private static func file(_ name: String) -> Archive.Entry { Archive.Entry(name, content) }

    private static func changed(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
      var bytes = bytes
      bytes[offset] ^= 4
      return bytes
    }

    private static func endRecord(directory: Int) -> [UInt8] {
      Archive.little(0x0605_4b50 as UInt32) + [UInt8](repeating: 0, count: 12)
        + Archive.little(UInt32(directory)) + [0, 0]
    }

    private static func descriptor(
      _ entry: Archive.Entry, signed: Bool, wide: Bool = false
    ) -> [UInt8] {
      let compressed = entry.method == 8 ? entry.content.count + 5 : entry.content.count
      var bytes = signed ? Archive.little(0x0807_4b50 as UInt32) : []
      bytes += Archive.little(Archive.crc(entry.content))
      for size in [compressed, entry.content.count] {
        bytes += wide ? Archive.little(UInt64(size)) : Archive.little(UInt32(size))
      }
      return bytes
    }

    @Test func `an archive cut at any byte is truncated`() throws {
      let old = try OldOutputs(in: try Scratch())
      let archive = Self.good.bytes
      // Every place near the ends of the parts, and some between.
      let cuts = Set(
        [4, 5, 29, 30, Self.data - 1, Self.data, Self.data + 1, Self.directory - 1, Self.directory]
          + Array(stride(from: 4, to: archive.count, by: 17))
          + Array((Self.directory + 1)..<archive.count).suffix(30))
      for cut in cuts.sorted() {
        let input = try old.folder.write("cut.zip", archive.prefix(cut))
        let run = try BuiltProgram.run(["convert", input] + old.options)
        run.expectFailure(65, "unzip: byte \(cut): ")
        #expect(run.errors.contains("truncated"))
      }
      old.expectUntouched()
    }

    @Test func `the true feed cut anywhere never gives output`() throws {
      let old = try OldOutputs(in: try Scratch())
      let feed = try #require(FileManager.default.contents(atPath: Samples.hotWater))
      for cut in stride(from: 1, to: feed.count - 1, by: 97) {
        let run = try BuiltProgram.run(
          ["convert", "-"] + old.options, reading: .bytes(Array(feed.prefix(cut))))
        #expect(run.code == 65, "cut at \(cut): \(run.errors)")
        run.expectOneLine("sluice: error: ")
      }
      old.expectUntouched()
    }

    @Test(arguments: [false, true], [false, true])
    func `deflate with a descriptor is fine`(isSigned: Bool, isWide: Bool) throws {
      let plain = try BuiltProgram.run(["convert", "-"], reading: .bytes(Self.content))
      // Sizes of 8 bytes belong to a ZIP64 entry; a plain one has 4.
      let archive = Archive(Self.json) {
        ($0.flags, $0.isStreamed) = (8, true)
        $0.descriptor = Self.descriptor($0, signed: isSigned, wide: isWide)
      }
      let run = try BuiltProgram.run(["convert", "-"], reading: .bytes(archive.bytes))
      #expect(run.errors == "")
      #expect(run.bytes == plain.bytes && plain.bytes.count > 100)
    }

    @Test func `what another program packs is fine`() throws {
      let folder = try Scratch()
      try folder.write("feed.json", Self.json)
      let plain = try BuiltProgram.run(["convert", folder("feed.json")])
      let script = """
        import io, sys, zipfile
        text = open('feed.json', 'rb').read()
        class Pipe(io.RawIOBase):
            def __init__(self, name): self.file = open(name, 'wb')
            def writable(self): return True
            def write(self, data): return self.file.write(data)
        def pack(name, target, wide, method, comment=b''):
            with zipfile.ZipFile(target, 'w', method) as archive:
                archive.comment = comment
                archive.writestr('dir/', b'')
                with archive.open('feed.json', 'w', force_zip64=wide) as entry: entry.write(text)
        pack('1', '1.zip', False, zipfile.ZIP_DEFLATED, b'a comment')
        pack('2', '2.zip', True, zipfile.ZIP_DEFLATED)
        pack('3', Pipe('3.zip'), False, zipfile.ZIP_DEFLATED)
        pack('4', Pipe('4.zip'), True, zipfile.ZIP_DEFLATED)
        pack('5', '5.zip', True, zipfile.ZIP_STORED)
        """
      let made = try BuiltProgram.tool(["python3", "-c", script], in: folder.path)
      #expect(made.errors == "")
      for number in 1...5 {
        let run = try BuiltProgram.run(["convert", folder("\(number).zip")])
        #expect(run.errors == "")
        #expect(run.bytes == plain.bytes && plain.bytes.count > 100)
      }
    }

    @Test func `an entry is chosen by name, and a wrong name lists what is there`() throws {
      let other = Archive.Entry("other.json", Array("[]".utf8))
      let archive = Archive(entries: [Self.file("one.json"), other]).bytes
      let run = try BuiltProgram.run(
        ["convert", "-", "--entry", "one.json"], reading: .bytes(archive))
      let plain = try BuiltProgram.run(["convert", "-"], reading: .bytes(Self.content))
      #expect(run.bytes == plain.bytes && run.code == 0)
      let wrong = try BuiltProgram.run(["convert", "-", "--entry", "x"], reading: .bytes(archive))
      wrong.expectFailure(65, "unzip: ")
      #expect(wrong.errors.contains(#""one.json", "other.json""#))
    }

    @Test func `bombs end within their limits`() throws {
      let old = try OldOutputs(in: try Scratch())
      let script = """
        import struct, zlib, zipfile
        def pack(name, size, declared):
            squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
            body, crc = squeeze.compress(b'['), zlib.crc32(b'[')
            for _ in range(size >> 20):
                body += squeeze.compress(b' ' * 2**20)
                crc = zlib.crc32(b' ' * 2**20, crc)
            body += squeeze.flush()
            facts = struct.pack('<HHHHHIIIHH', 20, 0, 8, 0, 33, crc, len(body), declared, 1, 0)
            central = b'PK\\x01\\x02\\x14\\0' + facts + b'\\0' * 14 + b'a'
            end = b'PK\\x05\\x06' + struct.pack('<HHHHIIH', 0, 0, 1, 1, len(central), 31 + len(body), 0)
            open(name, 'wb').write(b'PK\\x03\\x04' + facts + b'a' + body + central + end)
        pack('declared.zip', 256 << 20, 1000)
        pack('ratio.zip', 256 << 20, (256 << 20) + 1)
        pack('small.zip', 60 << 20, (60 << 20) + 1)
        with zipfile.ZipFile('many.zip', 'w') as archive:
            for n in range(65535): archive.writestr(zipfile.ZipInfo(str(n)), b'')
        """
      let made = try BuiltProgram.tool(["python3", "-c", script], in: old.folder.path)
      #expect(made.errors == "")
      for (name, place, says) in [
        ("declared.zip", "byte 31: ", "1000"), ("ratio.zip", "byte 31: ", "250"),
        ("many.zip", "byte ", "64"),
      ] {
        let run = try BuiltProgram.run(["convert", old.folder(name)] + old.options)
        run.expectFailure(65, "unzip: \(place)")
        #expect(run.errors.contains(says))
      }
      // Below 64 MiB it may grow as it likes: then its content is judged.
      let small = try BuiltProgram.run(["convert", old.folder("small.zip")] + old.options)
      small.expectFailure(65, "json: byte \(60 << 20 + 1): ")
      let limited = try BuiltProgram.run(
        ["convert", old.folder("small.zip"), "--max-size", "1M"] + old.options)
      limited.expectFailure(65, "unzip: byte 0: ")
      old.expectUntouched()
    }
  }
}
