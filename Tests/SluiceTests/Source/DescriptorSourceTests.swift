import Foundation
import Testing

@testable import Sluice

@Suite struct DescriptorSourceTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("sluice-source-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func removeFolder() { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func opening(_ path: String) -> PipelineError? {
    do throws(PipelineError) {
      _ = try DescriptorSource(file: path)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [0, 1, 128 << 10, 300_001])
  func `a file comes whole, with its size and time`(size: Int) throws {
    defer { removeFolder() }
    let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(FileManager.default.createFile(atPath: path("a"), contents: Data(content)))
    let time = Date(timeIntervalSince1970: 1_593_108_790)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path("a"))
    let (counters, date) = (Counters(), ContentDate())
    var expectedAtFirst: Int?
    var collector = BodyCollector(onWrite: {
      if expectedAtFirst == nil { expectedAtFirst = counters.expectedBytes.value }
    })
    let source = try DescriptorSource(file: path("a"))
    try source.run(into: &collector, counters: counters, date: date)
    #expect(collector.bytes == content)
    #expect(collector.pieces == (size + DescriptorSource.pieceSize - 1) / (128 << 10))
    #expect(date.seconds == 1_593_108_790)
    #expect(counters.expectedBytes.value == (size == 0 ? -1 : size))
    #expect(expectedAtFirst == (size == 0 ? nil : size))
    #expect(counters.source.bytesIn.value == size)
    #expect(counters.source.bytesOut.value == size)
  }

  @Test func `a missing file is no input`() {
    defer { removeFolder() }
    let error = opening(path("none"))
    #expect(error == PipelineError(.source(.noFile(path: path("none")))))
    _ = FileManager.default.createFile(atPath: path("a"), contents: nil)
    #expect(opening(path("a/b")) == PipelineError(.source(.noFile(path: path("a/b")))))
  }

  @Test func `a folder is no input`() {
    defer { removeFolder() }
    #expect(opening(folder.path) == PipelineError(.source(.folder(path: folder.path))))
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything"))
  func `a file that may not be read says so`() throws {
    defer { removeFolder() }
    _ = FileManager.default.createFile(
      atPath: path("a"), contents: nil, attributes: [.posixPermissions: 0])
    let error = PipelineError(.source(.unreadable(path: path("a"), errno: EACCES)))
    #expect(opening(path("a")) == error)
  }

  @Test func `a link to itself cannot be opened`() throws {
    defer { removeFolder() }
    #expect(symlink(path("loop"), path("loop")) == 0)
    let error = PipelineError(.source(.unreadable(path: path("loop"), errno: ELOOP)))
    #expect(opening(path("loop")) == error)
  }

  @Test func `a read error carries the system's number and the offset`() throws {
    defer { removeFolder() }
    // The first page of a process is never mapped: reading it is an I/O error.
    let source = try DescriptorSource(file: "/proc/self/mem")
    var collector = BodyCollector()
    #expect(throws: PipelineError(.source(.read(path: "/proc/self/mem", errno: EIO)), at: 0)) {
      try source.run(into: &collector, counters: Counters())
    }
  }

  @Test func `a pipe has neither size nor time, also where it does not block`() throws {
    defer { removeFolder() }
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    #expect(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    let writer = ends[1]
    Thread.detachNewThread {
      for _ in 0..<3 {
        usleep(20_000)
        write(writer, "abc", 3)
      }
      close(writer)
    }
    let source = try DescriptorSource(InputDescriptor(owning: ends[0]), path: nil)
    let (counters, date) = (Counters(), ContentDate())
    var collector = BodyCollector()
    try source.run(into: &collector, counters: counters, date: date)
    #expect(collector.bytes == Array("abcabcabc".utf8))
    #expect(counters.expectedBytes.value == -1)
    #expect(date.seconds == nil)
  }

  @Test func `what was read before of a file is not expected again`() throws {
    defer { removeFolder() }
    _ = FileManager.default.createFile(atPath: path("a"), contents: Data("0123456789".utf8))
    let number = open(path("a"), O_RDONLY)
    lseek(number, 4, SEEK_SET)
    let source = try DescriptorSource(InputDescriptor(owning: number), path: nil)
    let counters = Counters()
    var collector = BodyCollector()
    try source.run(into: &collector, counters: counters)
    #expect(collector.bytes == Array("456789".utf8))
    #expect(counters.expectedBytes.value == 6)
  }

  @Test func `what the stage throws is thrown unchanged`() throws {
    defer { removeFolder() }
    _ = FileManager.default.createFile(atPath: path("a"), contents: Data(count: 300_000))
    let source = try DescriptorSource(file: path("a"))
    let counters = Counters()
    var collector = BodyCollector(refusesAt: 200_000)
    #expect(throws: BodyCollector.refusal) { try source.run(into: &collector, counters: counters) }
    #expect(counters.source.bytesIn.value == 262_144)
    #expect(counters.source.bytesOut.value == 131_072)
  }
}
