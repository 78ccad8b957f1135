import Foundation
import Testing

@testable import Sluice

/// Archives that other projects test their readers with, judged by our own rules.
@Suite struct ThirdPartyArchiveTests {
  /// What becomes of an archive.
  enum Expected: Sendable {
    /// The entry's length and CRC-32.
    case content(Int, UInt32)
    case fault(ZIPFault, at: Int)
    /// Not a zip; its first 16 bytes are told.
    case notZip
    /// Refused at the end, with these names shown.
    case several([String])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var entry: String?
    var expected: Expected

    init(_ file: String, entry: String? = nil, _ expected: Expected) {
      (self.file, self.entry, self.expected) = (file, entry, expected)
    }

    var testDescription: String { file + (entry.map { " " + $0 } ?? "") }
  }

  private func check(_ set: String, _ cases: [Case]) throws {
    for example in cases {
      let archive = try Corpora.bytes(set + "/" + example.file)
      var options = UnzipOptions()
      options.entry = example.entry
      let outcome = Unzipping.everyCut(archive, options)
      let message = Comment(rawValue: example.testDescription)
      switch example.expected {
      case .content(let length, let crc):
        #expect(outcome.error == nil, message)
        #expect(outcome.output.count == length, message)
        #expect(ZIPBuilder.crc(outcome.output) == crc, message)
      case .fault(let fault, let offset):
        #expect(outcome.error == PipelineError(.unzip(fault), at: offset), message)
      case .notZip:
        let fault = ZIPFault.notZip(first: Array(archive.prefix(16)))
        #expect(outcome.error == PipelineError(.unzip(fault), at: 0), message)
      case .several(let names):
        guard case .unzip(.severalEntries(let found)) = outcome.error?.fault else {
          Issue.record("\(message): \(String(describing: outcome.error))")
          continue
        }
        #expect(found.map(\.shown) == names, message)
        #expect(outcome.error?.offset == archive.count, message)
      }
    }
    let files = try FileManager.default.subpathsOfDirectory(
      atPath: Corpora.root.appending(path: set).path)
    #expect(Set(files.filter { $0.hasSuffix("zip") }) == Set(cases.map(\.file)))
  }

  private static let absent: Comment = "../shared/corpora is not there: its archives are not read"

  @Test(.enabled(if: Corpora.has("cpython-zip"), absent))
  func `CPython's archives are read or refused as the rules say`() throws {
    let x = EntryName("x")
    try check(
      "cpython-zip",
      [
        Case("exe_with_z64.zip", .notZip),
        Case("exe_with_zip.zip", .notZip),
        Case(
          "test_decompress_without_3rd_party_library-0.zip", .fault(.noEntry(names: []), at: 22)),
        Case(
          "test_full_overlap-0.zip",
          .fault(.overlap(entry: EntryName("b"), other: EntryName("a")), at: 94)),
        Case(
          "test_quoted_overlap-0.zip",
          .fault(.noEntryAt(offset: 36, entry: EntryName("b")), at: 130)),
        Case("test_unsupported_compression-0.zip", .fault(.method(1, entry: x), at: 0)),
        Case("test_unsupported_version-0.zip", .fault(.version(120, entry: x), at: 0)),
        Case("test_zipfile_with_short_extra_field-0.zip", .content(1, 0xD3D9_9E8B)),
        Case(
          "zip_cp437_header.zip",
          .several(["filename_with_\\x91o\\x86.txt", "filename_without.txt"])),
        Case(
          "zip_cp437_header.zip", entry: "filename_with_\\x91o\\x86.txt",
          .content(5, 0xB42A_0E6E)),
        Case("zipdir.zip", .content(0, 0)),
      ])
  }

  @Test(.enabled(if: Corpora.has("go-archive-zip"), absent))
  func `Go's archives are read or refused as the rules say`() throws {
    func stored(_ name: String, at offset: Int = 0) -> Expected {
      .fault(.storedWithDescriptor(entry: EntryName(name)), at: offset)
    }
    let empty = [
      "subdir.zip", "time-7zip.zip", "time-infozip.zip", "time-osx.zip", "time-win7.zip",
      "time-winrar.zip", "time-winzip.zip", "utf8-7zip.zip", "utf8-infozip.zip", "utf8-osx.zip",
      "utf8-winrar.zip", "utf8-winzip.zip",
    ]
    try check(
      "go-archive-zip",
      empty.map { Case($0, .content(0, 0)) } + [
        Case("crc32-not-streamed.zip", .several(["foo.txt", "bar.txt"])),
        Case("crc32-not-streamed.zip", entry: "bar.txt", .content(4, 0x04A2_B3E9)),
        Case("dd.zip", .content(25, 0xA2E3_D6D3)),
        Case("dupdir.zip", stored("a/b", at: 41)),
        Case("go-no-datadesc-sig.zip", stored("foo.txt")),
        Case("go-with-datadesc-sig.zip", stored("foo.txt")),
        Case("readme.notzip", .notZip),
        // One byte more than its comment says.
        Case("readme.zip", .fault(.trailingData, at: 1885)),
        Case("symlink.zip", .fault(.noEntry(names: [EntryName("symlink")]), at: 173)),
        Case(
          "test-baddirsz.zip",
          .fault(.endRecord(field: .directorySize, declared: 152, actual: 168), at: 1122)),
        Case("test-prefix.zip", .notZip),
        Case("test-trailing-junk.zip", .fault(.trailingData, at: 1170)),
        Case("test.zip", .several(["test.txt", "gophercolor16x16.png"])),
        Case("test.zip", entry: "test.txt", .content(26, 0xC3ED_D7C0)),
        Case("test.zip", entry: "gophercolor16x16.png", .content(785, 0x54D5_31FE)),
        Case("time-22738.zip", stored("file")),
        Case("time-go.zip", stored("test.txt")),
        Case("unix.zip", .several(["hello", "dir/bar", "readonly"])),
        Case("unix.zip", entry: "readonly", .content(12, 0xBA6E_115A)),
        Case("winxp.zip", .several(["hello", "dir/bar", "readonly"])),
        Case("winxp.zip", entry: "dir/bar", .content(6, 0x7A7E_9B9E)),
        Case("zip64-2.zip", .content(36, 0x69FF_E77E)),
        Case("zip64.zip", .content(36, 0x69FF_E77E)),
      ])
  }

  @Test(.enabled(if: Corpora.has("go-archive-zip"), absent))
  func `Go's archive in base64 is decoded to the archive`() throws {
    let text = try Corpora.bytes("go-archive-zip/go-no-datadesc-sig.zip.base64")
    let outcome = ChunkCutter.everyCut(text) { Base64Decoder(into: $0, counters: Counters()) }
    #expect(outcome.error == nil)
    #expect(outcome.output == (try Corpora.bytes("go-archive-zip/go-no-datadesc-sig.zip")))
    let unzipped = ChunkCutter.everyCut(text) {
      Base64Decoder(
        into: Unzipper(into: $0, options: .init(), counters: Counters()), counters: Counters())
    }
    #expect(
      unzipped == Unzipping.fault(.storedWithDescriptor(entry: EntryName("foo.txt")), at: 0))
  }

  @Test(.enabled(if: Corpora.has("go-archive-zip"), absent))
  func `the time of a third-party entry is published`() throws {
    let options = UnzipOptions()
    _ = Unzipping.whole(try Corpora.bytes("go-archive-zip/time-win7.zip"), options)
    // 2017-10-31 21:11:58.
    #expect(options.date.seconds == 1509484318)
  }

  @Test(.enabled(if: Corpora.has("zip-rs"), absent))
  func `zip-rs' archives are read or refused as the rules say`() throws {
    func method(_ method: UInt16, _ name: String) -> Expected {
      .fault(.method(method, entry: EntryName(name)), at: 0)
    }
    let strange = try Corpora.bytes("zip-rs/tests/data/raw_deflate64_index_out_of_bounds.zip")
    let stranger = try Corpora.bytes("zip-rs/tests/data/deflate64_issue_25.zip")
    try check(
      "zip-rs/tests/data",
      [
        Case("aes_archive.zip", .fault(.encrypted(entry: EntryName("secret_data_128")), at: 0)),
        Case("chinese.zip", .content(47_893, 0x97F7_7458)),
        Case("comment_garbage.zip", .fault(.trailingData, at: 28)),
        Case("data_descriptor.zip", .content(12, 0xB095_E5E3)),
        Case(
          "deflate64_issue_25.zip",
          .fault(
            .method(9, entry: EntryName(bytes: Array(stranger[30..<30 + Int(stranger[26])]))),
            at: 0)),
        Case("extended_timestamp.zip", .several(["mimetype", "test.txt"])),
        Case("extended_timestamp.zip", entry: "mimetype", .content(39, 0x0C32_C65E)),
        Case("extended_timestamp_bad.zip", .several(["mimetype", "test.txt"])),
        Case("extended_timestamp_bad.zip", entry: "mimetype", .content(39, 0x0C32_C65E)),
        Case("files_and_dirs.zip", .content(18, 0x58FA_21A3)),
        Case(
          "ignore_encryption_flag.zip", .fault(.encrypted(entry: EntryName("plaintext.txt")), at: 0)
        ),
        Case("invalid_cde_number_of_files_allocation_greater_offset.zip", .notZip),
        Case("invalid_cde_number_of_files_allocation_smaller_offset.zip", .notZip),
        Case(
          "invalid_offset.zip",
          .fault(.unknownRecord(found: [0, 0x7A, 0x69, 0x70]), at: 645)),
        Case("invalid_offset2.zip", .fault(.nameTooLong(length: 65_535, limit: 1024), at: 0)),
        Case("linux-7z.zip", .content(0, 0)),
        Case("mimetype.zip", .content(39, 0x0C32_C65E)),
        Case("misaligned_comment.zip", .fault(.trailingData, at: 28)),
        Case("non_utf8.zip", .several(["\\xd6\\xd0\\xce\\xc4", "\\x93\\xfa\\x95\\xb6"])),
        Case("non_utf8.zip", entry: "\\xd6\\xd0\\xce\\xc4", .content(16, 0x4B7D_B71D)),
        Case("ntfs.zip", .several(["mimetype", "test.txt"])),
        Case("ntfs.zip", entry: "test.txt", .content(0, 0)),
        Case("ppmd.zip", method(98, "ipsum.txt")),
        Case(
          "raw_deflate64_index_out_of_bounds.zip",
          .fault(
            .method(9, entry: EntryName(bytes: Array(strange[30..<30 + Int(strange[26])]))), at: 0)
        ),
        Case("symlink.zip", .fault(.noEntry(names: [EntryName("bar")]), at: 159)),
        Case("windows-7zip.zip", .content(0, 0)),
        Case("xz.zip", method(95, "hello.txt")),
        Case("zip64_demo.zip", .notZip),
        Case("zip64_magic_in_filename_1.zip", .content(0, 0)),
        Case("zip64_magic_in_filename_2.zip", .content(0, 0)),
        Case(
          "zip64_magic_in_filename_3.zip", entry: "\\x00PK\\x06\\x06", .content(0, 0)),
        Case(
          "zip64_magic_in_filename_4.zip",
          entry: "PK\\x06\\x06" + String(repeating: "\\x00", count: 12), .content(0, 0)),
        Case(
          "zip64_magic_in_filename_5.zip",
          .several([
            "PK\\x06\\x06", String(repeating: "\\x00", count: 6), "\\x00", "", "\\x00\\x00",
            "\\x00\\x00\\x00PK\\x06\\x07" + String(repeating: "\\x00", count: 16),
          ])),
        Case("zip64_magic_in_filename_5.zip", entry: "", .content(0, 0)),
        Case("legacy/implode.zip", method(6, "first.txt")),
        Case("legacy/reduce.zip", method(5, "first.txt")),
        Case("legacy/shrink.zip", method(1, "FIRST.TXT")),
      ])
  }
}
