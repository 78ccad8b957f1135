import Foundation
import Testing

extension EndToEnd {
  /// Each system call on the way to the outputs fails once, by strace: all outputs are old or all
  /// are new.
  @Suite(
    .enabled(
      if: SystemCalls.canBeTraced, "strace cannot trace: failing system calls are not tested"),
    .slow)
  struct FailingCallsTests {
    private static let names = OldOutputs.names
    /// What may be interrupted, and is tried again.
    private static let interruptible: Set = ["openat", "flock", "read", "write", "fsync"]
    /// What a file system may refuse; only a name that cannot be removed has to stay.
    private static let failing = interruptible.union([
      "close", "fchmod", "fchown", "fcntl", "fstat", "ftruncate", "linkat", "lseek", "newfstatat",
      "pread64", "renameat", "renameat2",
    ])

    /// What the conversion makes.
    private static func expected() throws -> [Bytes?] {
      let folder = try Scratch(in: Scratch.memory)
      let run = try BuiltProgram.run(words(folder))
      #expect(run.code == 0)
      return names.map { folder.bytes($0) }
    }

    private static func words(_ folder: Scratch) -> [String] {
      ["convert", Samples.hotWater, "--allow-rejects"] + names.flatMap { ["-o", folder($0)] }
    }

    @Test(arguments: [true, false], ["EIO", "ENOSPC", "EINTR"])
    func `a call that fails leaves all outputs old, or new`(hadOutputs: Bool, error: String) throws
    {
      let new = try Self.expected()
      let counted = try Scratch(in: Scratch.memory)
      if hadOutputs { _ = try OldOutputs(in: counted) }
      let points = try SystemCalls.points(of: Self.words(counted), in: counted).filter {
        (error == "EINTR" ? Self.interruptible : Self.failing).contains($0.name)
      }
      let needed = ["write", "fsync", "close", hadOutputs ? "renameat2" : "linkat", "fchmod"]
      for required in error == "EINTR" ? ["write", "fsync"] : needed {
        #expect(points.contains { $0.name == required }, "\(required) is never called")
      }
      for point in points {
        let folder = try Scratch(in: Scratch.memory)
        let old = hadOutputs ? try OldOutputs(in: folder) : nil
        let run = try SystemCalls.run(Self.words(folder), point, "error=\(error)")
        let now = Self.names.map { folder.bytes($0) }
        #expect(run.signal == 0 && (0..<128).contains(run.code), "\(point): \(run)")
        if error == "EINTR" { #expect(run.code == 0, "\(point): \(run.errors)") }
        if run.code == 0 {
          #expect(now == new, "\(point)")
          // A name that cannot be looked at is not removed: it could be another run's by now.
          if point.name != "newfstatat" { #expect(folder.temporaries == [], "\(point)") }
        } else {
          #expect([65, 66, 73, 74, 75].contains(run.code), "\(point): \(run)")
          run.expectOneLine("sluice: error: ")
          if let old {
            old.expectUntouched()
          } else {
            #expect(now.allSatisfy { $0 == nil }, "\(point)")
            #expect(folder.temporaries == [], "\(point)")
          }
        }
        if case .some = old, ["write", "fsync", "renameat2"].contains(point.name), error != "EINTR"
        {
          #expect(run.code == 74, "\(point): \(run)")
        }
      }
    }

    @Test func `a file system without exchange or links is served by plain renames`() throws {
      let new = try Self.expected()
      for (call, hadOutputs) in [("renameat2", true), ("linkat", false)] {
        let folder = try Scratch(in: Scratch.memory)
        if hadOutputs { _ = try OldOutputs(in: folder) }
        let run = try BuiltProgram.tool(
          [
            "strace", "-f", "-qqq", "-o", "/dev/null", "-e", "inject=\(call):error=EINVAL",
            BuiltProgram.path,
          ] + Self.words(folder))
        #expect(run.code == 0, "\(run.errors)")
        #expect(Self.names.map { folder.bytes($0) } == new)
        #expect(folder.temporaries == [])
      }
    }

    @Test func `input that fails while it is read is an error of the source`() throws {
      let old = try OldOutputs(in: try Scratch(in: Scratch.memory))
      let input = try old.folder.write(
        "input", try Data(contentsOf: URL(fileURLWithPath: Samples.full)))
      let run = try BuiltProgram.tool(
        [
          "strace", "-f", "-qqq", "-o", "/dev/null", "-P", input, "-e", "trace=read",
          "-e", "inject=read:error=EIO:when=2", BuiltProgram.path, "convert", input,
        ] + old.options)
      run.expectFailure(74, "source: ")
      old.expectUntouched()
    }
  }
}
