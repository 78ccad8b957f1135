import Foundation
import Testing

@testable import Sluice

/// Outputs that are no regular file.
@Suite struct DirectOutputTests {
  let folder: ScratchFolder

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    folder = try ScratchFolder()
  }

  /// Makes a FIFO and opens its reading end.
  private func makeFIFO(_ name: String) -> Int32 {
    #expect(mkfifo(folder(name), 0o600) == 0)
    return open(folder(name), O_RDONLY | O_NONBLOCK)
  }

  @Test func `the null device is written directly`() throws {
    let set = OutputSet()
    try set.put("gone", at: "/dev/null")
    try set.commit()
    #expect(!FileManager.default.fileExists(atPath: "/dev/.null.sluice-tmp"))
  }

  @Test func `a full device says so`() throws {
    let set = OutputSet()
    var writer = try set.open(path: "/dev/full")
    do {
      try writer.write("x")
      Issue.record("no error")
    } catch {
      #expect(
        error as? PipelineError
          == PipelineError(.sink(.write(path: "/dev/full", errno: ENOSPC)), at: 0))
    }
  }

  @Test func `a FIFO gets the bytes as they come`() throws {
    let reader = makeFIFO("fifo")
    defer { close(reader) }
    let set = OutputSet()
    var writer = try set.open(path: folder("fifo"))
    try writer.write("now")
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(read(reader, &buffer, 16) == 3)
    #expect(buffer.prefix(3) == ArraySlice("now".utf8))
    try writer.finish()
    try set.commit()
    #expect(read(reader, &buffer, 16) == 0)
    #expect(folder.names == ["fifo"])
  }

  @Test func `the last reader to go ends the set`() throws {
    let (one, two) = (makeFIFO("one"), makeFIFO("two"))
    let set = OutputSet()
    var first = try set.open(path: folder("one"))
    var second = try set.open(path: folder("two"))
    close(one)
    try first.write("nobody")
    try first.write("reads this")
    #expect(first.output.readerHasLeft)
    #expect(first.output.bytesWritten == 0)
    close(two)
    var fault: SinkFault?
    do { try second.write("x") } catch let error as PipelineError {
      if case .sink(let found) = error.fault { fault = found }
    }
    #expect(fault == .noReaderLeft)
  }

  @Test func `a reader that goes away leaves the files to be made`() throws {
    let reader = makeFIFO("fifo")
    let set = OutputSet()
    var pipe = try set.open(path: folder("fifo"))
    var file = try set.open(path: folder("out.csv"))
    close(reader)
    try pipe.write("nobody")
    try file.write("whole")
    try pipe.finish()
    try file.finish()
    try set.commit()
    #expect(folder.text("out.csv") == "whole")
  }

  @Test func `diagnostics that nobody reads do not end the run`() throws {
    let reader = makeFIFO("fifo")
    let set = OutputSet(endsWithItsReaders: false)
    var writer = try set.open(path: folder("fifo"))
    close(reader)
    try writer.write("nobody")
    try writer.finish()
    try set.commit()
  }

  @Test func `a full pipe that does not block is waited for`() async throws {
    let reader = makeFIFO("fifo")
    let descriptor = open(folder("fifo"), O_WRONLY | O_NONBLOCK)
    let output = Output(.direct, path: folder("fifo"), descriptor: descriptor)
    let size = 1 << 20
    let draining = Task.detached {
      var total = 0
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while total < size {
        let got = read(reader, &buffer, buffer.count)
        if got > 0 { total += got } else { usleep(100) }
      }
      return total
    }
    #expect(try output.write([UInt8](repeating: 1, count: size).span.bytes))
    #expect(await draining.value == size)
    #expect(output.bytesWritten == size)
    close(reader)
  }

  @Test func `standard output ends with the set and stays open`() throws {
    let set = OutputSet()
    let writer = set.openStandardOutput()
    #expect(writer.output.path == "-")
    try writer.finish()
    try set.commit()
    #expect(fcntl(1, F_GETFD) != -1)
  }
}
