import Foundation
import Testing

extension EndToEnd {
  /// Runs that are large enough for a second thread behind the archive and one that writes, beside
  /// the same runs on one processor.
  @Suite(.slow, Archives())
  struct TwoThreadsTests {
    /// The folder of the archives, which the tests only read.
    private static func archives() throws -> Scratch { try #require(Archives.made) }

    private static func words(_ input: String, _ folder: Scratch) -> [String] {
      ["convert", input] + OldOutputs.names.flatMap { ["-o", folder($0)] }
    }

    @Test func `one processor or two make no difference`() throws {
      let inputs = try Self.archives()
      #expect(inputs.names.count == 7)
      for name in inputs.names {
        for extra in [[], ["--format", "csv", "-o", "/dev/full"]] {
          let runs = try [["taskset", "-c", "0"], []].map { prefix in
            let folder = try Scratch()
            let run = try BuiltProgram.tool(
              prefix + [BuiltProgram.path] + Self.words(inputs(name), folder) + extra
                + ["--rejects", folder("rejects"), "--stats", folder("stats")])
            #expect(folder.temporaries == [])
            let stats = folder.text("stats").replacing(/"seconds":[0-9.e-]+/, with: "")
              .replacing(folder.path, with: "")
            return (run, stats, folder.bytes("rejects"), OldOutputs.names.map { folder.bytes($0) })
          }
          #expect(runs[0].0.code == runs[1].0.code && runs[0].0.code < 128)
          #expect(runs[0].0.errors == runs[1].0.errors, "\(name)")
          #expect(runs[0].1 == runs[1].1, "\(name)")
          #expect(runs[0].2 == runs[1].2 && runs[0].3 == runs[1].3, "\(name)")
          #expect((runs[0].0.code == 0) == (name == "good" && extra.isEmpty), "\(name)")
        }
      }
    }

    /// Fails where the outputs' thread has long begun: at 8 MiB of all outputs.
    private static func runLate(
      _ prefix: [String], _ failure: [String], _ outputs: [String], of input: String
    ) throws -> (run: Run, traces: [String]) {
      let folder = try Scratch()
      _ = try folder.folder("disk")
      var words = [BuiltProgram.path, "convert", input]
      for name in outputs { words += ["-o", "disk/\(name)"] }
      words += ["--rejects", "rejects", "--stats", "stats"]
      let failing = failure.map { $0.replacing("DISK", with: folder("disk")) }
      let run = try BuiltProgram.tool(prefix + failing + words, in: folder.path)
      let stats = folder.text("stats").replacing(/"seconds":[0-9.e-]+/, with: "")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder("disk"))
      return (run, [stats, folder.text("rejects")] + left)
    }

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func `a write that fails late ends the run alike on one processor and on two`(order: [Int])
      throws
    {
      let inputs = try Self.archives()
      let outputs = order.map { OldOutputs.names[$0] }
      var failures = [["bash", "-c", "ulimit -f 10000; exec \"$@\"", "limited"]]
      if FailingSinkTests.canMount {
        let mount = "mount -t tmpfs -o size=20m none disk && exec \"$@\""
        failures.append(["unshare", "-m", "bash", "-c", mount, "mounted"])
      }
      for failure in failures {
        let alone = try Self.runLate(["taskset", "-c", "0"], failure, outputs, of: inputs("mixed"))
        let both = try Self.runLate([], failure, outputs, of: inputs("mixed"))
        alone.run.expectFailure(74, "sink: byte ")
        #expect(both.run.errors == alone.run.errors, "\(failure)")
        #expect(both.run.code == 74)
        #expect(both.traces == alone.traces, "\(failure)")
        #expect(both.traces.count == 2, "a file is left: \(both.traces.dropFirst(2))")
        #expect(alone.traces[1].contains("no-such-day"))
      }
    }

    /// Where it fails depends on the thread, for strace counts the calls of each: so the run is
    /// compared with itself.
    @Test(
      .enabled(
        if: SystemCalls.canBeTraced, "strace cannot trace: a device that fails is not tested"),
      arguments: OldOutputs.names)
    func `a device that fails late leaves counts and refused records that agree`(name: String)
      throws
    {
      let inputs = try Self.archives()
      // A workbook is packed, so it is written in fewer pieces.
      let late = name == "d.xlsx" ? 5 : 20
      let failure = [
        "strace", "-f", "-qqq", "-o", "/dev/null", "-e", "trace=write", "-P",
        "DISK/.\(name).sluice-tmp", "-e", "inject=write:error=EIO:when=\(late)",
      ]
      for prefix in [[], ["taskset", "-c", "0"]] {
        let (run, traces) = try Self.runLate(
          prefix, failure, OldOutputs.names, of: inputs("mixed"))
        run.expectFailure(74, "sink: byte ")
        let byte = try #require(run.errors.firstMatch(of: /byte ([0-9]+): .*input\/output/)?.1)
        #expect(traces.count == 2, "a file is left: \(traces.dropFirst(2))")
        #expect(traces[0].contains("\"disk/\(name)\":\(byte)"))
        let rejected = try #require(traces[0].firstMatch(of: /"rejected":([0-9]+)/)?.1)
        let lines = traces[1].split(separator: "\n")
        #expect(Int(rejected) == lines.count && lines.count > 0 && lines.count < 3000)
        #expect(lines.allSatisfy { $0.hasSuffix("}") })
      }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal ends both threads and removes what is half done`(signal: Int32) throws {
      let inputs = try Self.archives()
      let whole = try Scratch()
      #expect(try BuiltProgram.run(Self.words(inputs("good"), whole)).code == 0)
      let new = OldOutputs.names.map { whole.bytes($0) }
      var ended = 0
      var round = 0
      while round < 10 || (ended < 4 && round < 100) {
        round += 1
        let folder = try Scratch()
        _ = try OldOutputs(in: folder)
        let child = try BuiltProgram.start([BuiltProgram.path] + Self.words(inputs("good"), folder))
        usleep(UInt32.random(in: 0...200_000))
        child.send(signal)
        let run = child.wait()
        #expect(folder.temporaries == [])
        let now = OldOutputs.names.map { folder.bytes($0) }
        // A run that has published all may warn of a calendar that is large.
        let lines = run.errors.split(separator: "\n")
        #expect(
          run.errors == ""
            || now == new && lines.allSatisfy { $0.hasPrefix("sluice: warning: a calendar has ") })
        if run.signal == signal {
          ended += 1
          #expect(now == OldOutputs.names.map { OldOutputs.content($0) } || now == new)
        } else {
          #expect(run.code == 0 && now == new, "\(run.code), signal \(run.signal)")
        }
      }
      #expect(ended > 3)
    }

    @Test func `a reader that leaves ends the run`() throws {
      let inputs = try Self.archives()
      let run = try BuiltProgram.shell(
        "set -o pipefail; sluice convert '\(inputs("good"))' | head -1")
      #expect(run.code == 0 && run.errors == "" && run.output.hasPrefix("locality,"))
    }
  }
}

/// Makes the archives once for the whole suite.
private struct Archives: SuiteTrait, TestScoping {
  @TaskLocal static var made: Scratch?

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.$made.withValue(try Self.make()) { try await function() }
  }

  /// A folder with a large archive and some that are broken after its first megabytes.
  private static func make() throws -> Scratch {
    let folder = try Scratch()
    let script = """
      import json, zipfile
      def write(name, records):
          with zipfile.ZipFile(name, 'w', zipfile.ZIP_DEFLATED) as archive:
              archive.writestr('feed.json', '[' + ','.join(records) + ']')
      records = [json.dumps({
          'Населенный пункт': 'Санкт-Петербург', 'Адрес жилого здания': 'Улица %d' % (n // 50),
          '№ дома': str(n * 7919 % 9973), 'Период отключения ГВС': '22.06.2020-05.07.2020'},
          ensure_ascii=False) for n in range(60000)]
      write('good', records)
      good = open('good', 'rb').read()
      open('cut', 'wb').write(good[:-len(good) // 8])
      open('checksum', 'wb').write(good[:14] + bytes([good[14] ^ 1]) + good[15:])
      open('flipped', 'wb').write(
          good[:len(good) // 2] + bytes(b ^ 255 for b in good[len(good) // 2:][:4]) + good[len(good) // 2 + 4:])
      write('json', records[:50000] + ['{"a":1,}'] + records[50000:])
      write('rejects', [record.replace('22.06', '99.06') for record in records])
      write('mixed', [r.replace('22.06', '99.06') if n % 20 == 3 else r for n, r in enumerate(records)])
      """
    let run = try BuiltProgram.tool(["python3", "-c", script], in: folder.path)
    #expect(run.code == 0, "\(run.errors)")
    return folder
  }
}
