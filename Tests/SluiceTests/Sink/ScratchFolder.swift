import Foundation
import Testing

@testable import Sluice

/// Owns a temporary folder of one test.
final class ScratchFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("sluice-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a name in the folder.
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// All names in the folder, hidden ones included.
  var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
  }

  func make(_ name: String, _ text: String, mode: mode_t = 0o644) {
    #expect(FileManager.default.createFile(atPath: self(name), contents: Data(text.utf8)))
    #expect(chmod(self(name), mode) == 0)
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: self(name), withIntermediateDirectories: false)
  }

  func link(_ name: String, to target: String) {
    #expect(symlink(target, self(name)) == 0)
  }

  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: self(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  func status(_ name: String) -> stat {
    var status = stat()
    #expect(lstat(self(name), &status) == 0)
    return status
  }

  func mode(_ name: String) -> mode_t { status(name).st_mode & 0o7777 }
}

extension OutputSet {
  /// Opens an output, writes a text and finishes it.
  func put(_ text: String, at path: String) throws {
    var writer = try open(path: path)
    try writer.write(text)
    try writer.finish()
  }

  /// The fault of opening a path, or nil where it opens.
  static func faultOfOpening(_ path: String) -> SinkFault? {
    sinkFault { _ = try OutputSet().open(path: path) }
  }
}

extension OutputWriter {
  mutating func write(_ text: String) throws {
    try write(Array(text.utf8).span.bytes)
  }
}

/// The sink's fault that `body` throws, or nil.
func sinkFault(_ body: () throws -> Void) -> SinkFault? {
  do {
    try body()
  } catch let error as PipelineError {
    if case .sink(let fault) = error.fault { return fault }
    Issue.record(error)
  } catch {
    Issue.record(error)
  }
  return nil
}
