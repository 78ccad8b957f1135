import Foundation
import Testing

extension EndToEnd {
  /// Runs that are large enough for a second thread, beside the same runs on one processor.
  @Suite(.serialized)
  struct TwoThreadsTests {
    /// A folder with a large archive and some that are broken behind its first megabytes.
    private static func archives() throws -> Scratch {
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
        """
      let run = try BuiltProgram.tool(["python3", "-c", script], in: folder.path)
      #expect(run.code == 0, "\(run.errors)")
      return folder
    }

    private static func words(_ input: String, _ folder: Scratch) -> [String] {
      ["convert", input] + OldOutputs.names.flatMap { ["-o", folder($0)] }
    }

    @Test func `one processor or two make no difference`() throws {
      let inputs = try Self.archives()
      #expect(inputs.names.count == 6)
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
        #expect(run.errors == "")
        #expect(folder.temporaries == [])
        let now = OldOutputs.names.map { folder.bytes($0) }
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
