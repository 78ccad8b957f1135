import Foundation
import Testing

@testable import Sluice

/// Inputs that are read twice.
@Suite struct RepeatedInputTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func file(_ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder("a")))
    return folder("a")
  }

  /// What a reading gives; the error where it throws.
  private func read(_ input: RepeatedInput) -> (text: String, error: PipelineError?) {
    let box = Collector.Box()
    var error: PipelineError?
    do throws(PipelineError) {
      try input.push(into: Collector(box: box), counters: Counters(), date: ContentDate())
    } catch let thrown {
      error = thrown
    }
    #expect(box.isFinished == (error == nil))
    return (String(decoding: box.bytes, as: UTF8.self), error)
  }

  @Test func `a file is read again from its start`() throws {
    let input = RepeatedInput(
      .descriptor(try DescriptorSource(file: try file("hello"))), limit: 1)
    #expect(read(input) == ("hello", nil))
    #expect(read(input) == ("hello", nil))
  }

  @Test func `a descriptor is read again from where it stood`() throws {
    let number = open(try file("hello"), O_RDONLY)
    lseek(number, 2, SEEK_SET)
    let source = try DescriptorSource(InputDescriptor(owning: number), path: nil)
    let input = RepeatedInput(.descriptor(source))
    #expect(read(input) == ("llo", nil))
    #expect(read(input) == ("llo", nil))
  }

  @Test(arguments: ["hallo", "hell", "hello!", ""])
  func `a file that changes in between is told`(other: String) throws {
    let path = try file("hello")
    let input = RepeatedInput(.descriptor(try DescriptorSource(file: path)))
    #expect(read(input).error == nil)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(other.utf8))
    #expect(read(input).error == PipelineError(.source(.changed(path: path))))
  }

  @Test func `a file that another takes the place of stays what it was`() throws {
    let path = try file("hello")
    let input = RepeatedInput(.descriptor(try DescriptorSource(file: path)))
    #expect(read(input) == ("hello", nil))
    try Data("other".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    #expect(read(input) == ("hello", nil))
  }

  private func pipe(_ text: String) throws -> DescriptorSource {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    return try DescriptorSource(
      InputDescriptor(owning: dup(pipe.fileHandleForReading.fileDescriptor)), path: nil)
  }

  @Test func `what is no file is kept, as far as the limit`() throws {
    let input = RepeatedInput(.descriptor(try pipe("hello")), limit: 5)
    #expect(read(input) == ("hello", nil))
    #expect(read(input) == ("hello", nil))
    let long = RepeatedInput(.descriptor(try pipe("hello!")), limit: 5)
    #expect(
      read(long).error == PipelineError(.source(.tooLargeToKeep(limit: 5)), at: 5))
  }
}
