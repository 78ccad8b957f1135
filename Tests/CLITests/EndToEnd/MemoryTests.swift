import Foundation
import Testing

extension EndToEnd {
  /// What the release program needs at its peak; a debug build is not measured.
  @Suite(
    .enabled(
      if: BuiltProgram.isRelease, "SLUICE names no program: peaks of memory are not measured"),
    .slow)
  struct MemoryTests {
    private static let MiB = 1 << 20

    /// Runs the program from a small process (a child's peak includes what its parent had when it
    /// was started) and returns its peak resident size in bytes.
    private func peak(_ words: [String], in folder: Scratch, code: Int32 = 0) throws -> Int {
      let script = """
        import resource, subprocess, sys
        code = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
        print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        """
      let run = try BuiltProgram.tool(
        ["python3", "-c", script, BuiltProgram.path] + words, in: folder.path)
      let numbers = run.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      #expect(numbers.count == 2 && numbers.first == Int(code), "\(words): \(run.errors)")
      return (numbers.last ?? 0) * 1024
    }

    private func make(_ script: String, in folder: Scratch) throws {
      let run = try BuiltProgram.tool(["python3", "-c", script], in: folder.path)
      #expect(run.code == 0, "\(run.errors)")
    }

    @Test func `shares of a total take no more, from a file and from a pipe`() throws {
      let folder = try Scratch()
      try folder.write(
        "f.yaml",
        "feed: f\nrows: d[]\ncolumns: {v: {kind: decimal}, p: {kind: share, of: v}}\n")
      try make(
        """
        with open('many.json', 'w') as file:
            file.write('{"d":[' + ','.join('{"v":%d.5,"text":"%s"}' % (n, 'x' * 50) for n in range(800000)) + ']}')
        """, in: folder)
      _ = try folder.pipe("pipe")
      let writer = try BuiltProgram.start(["sh", "-c", "cat many.json >pipe"], in: folder.path)
      for input in ["pipe", "many.json"] {
        #expect(
          try peak(["convert", input, "--feed", "f.yaml", "-o", "a.csv"], in: folder)
            <= 32 * Self.MiB)
      }
      _ = writer.wait()
    }

    @Test func `files of columns take 64 MiB at most, however many rows and files`() throws {
      let folder = try Scratch()
      let outputs = ["ics/{address_id}.ics", "{street}/{address_id}.csv", "{locality}.ndjson"]
        .flatMap { ["-o", $0] }
      #expect(try peak(["convert", Samples.full, "-q"] + outputs, in: folder) <= 64 * Self.MiB)
      #expect(folder.entries("ics").count == 13_200)
      try make(
        """
        import json
        with open('many.json', 'w') as file:
            file.write('[')
            for n in range(200000):
                file.write(',' * (n > 0) + json.dumps({'Адрес жилого здания': 'Улица %d' % (n % 500),
                    '№ дома': str(n % 12000), 'Период отключения ГВС': '22.06.2020-05.07.2020'}))
            file.write(']')
        """, in: folder)
      let words = ["convert", "many.json", "-q", "-o", "many/{house}.ndjson", "-o", "{street}.csv"]
      #expect(try peak(words, in: folder) <= 64 * Self.MiB)
      #expect(folder.entries("many").count == 12_000)
      #expect(folder.bytes("many/7.ndjson")?.lines == 17)
    }

    @Test func `records of usual size take 32 MiB at most, however many`() throws {
      let folder = try Scratch()
      try make(
        """
        import json, zipfile
        with open('many.json', 'w') as file:
            file.write('[')
            for n in range(200000):
                record = {'Населенный пункт': 'Санкт-Петербург', 'Адрес жилого здания': 'Улица %d' % (n // 50),
                          '№ дома': str(n % 50), 'корпус': '', 'литер': None,
                          'Период отключения ГВС': '22.06.2020-05.07.2020'}
                file.write((',' if n else '') + json.dumps(record, ensure_ascii=False))
            file.write(']')
        with zipfile.ZipFile('many.zip', 'w', zipfile.ZIP_DEFLATED) as archive: archive.write('many.json')
        """, in: folder)
      for input in [Samples.full, folder("many.json"), folder("many.zip")] {
        #expect(try peak(["convert", input], in: folder) <= 32 * Self.MiB)
        #expect(
          try peak(["convert", input, "-o", "a.csv", "-o", "b.ndjson"], in: folder) <= 32 * Self.MiB
        )
        #expect(try peak(["convert", input, "-o", "a.xlsx"], in: folder) <= 32 * Self.MiB)
        let selection = ["convert", input, "--where", "house=nothing"]
        #expect(try peak(selection, in: folder, code: 1) <= 32 * Self.MiB)
        // All are refused, with their reasons.
        #expect(try peak(["inspect", input], in: folder) <= 32 * Self.MiB)
      }
      #expect(try peak(["convert", Samples.full, "-o", "c.ics"], in: folder) <= 32 * Self.MiB)
    }

    @Test func `the largest strings and records take 64 MiB at most`() throws {
      let folder = try Scratch()
      try make(
        """
        import json, zipfile
        street = '"Адрес жилого здания":"%s","Период отключения ГВС":"22.06.2020-05.07.2020"'
        big = 's' * (16 << 20)
        records = {
            'unread': '{%s,"x":"%s"}' % (street % 'a', big),
            'read': '{%s}' % (street % big[:1 << 20]),
            'wide': '{%s,"x":[%s]}' % (street % 'a', ','.join(['"%s"' % ('s' * (1 << 20))] * 31)),
            'numbers': '{%s,"x":[%s]}' % (street % 'a', ','.join(['123456789'] * 3100000)),
            'kind': '{%s,"№ дома":["%s"]}' % (street % 'a', big),
            'long': '{%s}' % (street % big),
        }
        for name, record in records.items():
            good = ['{%s}' % (street % 'b')] if name in ('kind', 'long') else []
            with open(name + '.json', 'w') as file: file.write('[' + ','.join([record] * 3 + good) + ']')
        """, in: folder)
      for name in ["unread", "read", "wide", "numbers"] {
        let words = ["convert", "\(name).json", "-o", "a.csv", "-o", "b.ndjson"]
        let bytes = try peak(words, in: folder)
        #expect(bytes <= 64 * Self.MiB, "\(name): \(bytes / Self.MiB) MiB")
        #expect(folder.bytes("a.csv")?.lines == 4)
      }
      for refused in ["kind", "long"] {
        let words = ["convert", "\(refused).json", "--rejects", "r", "--max-rejects", "100%"]
        let bytes = try peak(words, in: folder, code: 3)
        #expect(bytes <= 64 * Self.MiB, "\(refused): \(bytes / Self.MiB) MiB")
        // Cut at 64 KiB each.
        #expect(folder.bytes("r")?.count ?? 0 < 3 * 140_000 && folder.bytes("r")?.lines == 3)
      }
    }

    @Test func `broken input takes no more than good`() throws {
      let folder = try Scratch()
      try make(
        """
        import struct, zlib
        def pack(name, size, declared):
            squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
            body = squeeze.compress(b'[')
            for _ in range(size >> 20): body += squeeze.compress(b' ' * 2**20)
            body += squeeze.flush()
            facts = struct.pack('<HHHHHIIIHH', 20, 0, 8, 0, 33, 0, len(body), declared, 1, 0)
            open(name, 'wb').write(b'PK\\x03\\x04' + facts + b'a' + body)
        pack('declared', 256 << 20, 1000)
        pack('ratio', 256 << 20, (256 << 20) + 1)
        def text(name, *parts):
            with open(name, 'w') as file:
                for part in parts: file.write(part)
        text('string', '[{"x":"', 's' * (17 << 20))
        text('key', '[{"', 'k' * (17 << 20))
        text('number', '[', '1' * (17 << 20))
        text('deep', '[' * (17 << 20))
        text('wide', '[{"x":[', '1,' * (20 << 20))
        text('keys', '[', ','.join('{"k%d":1}' % n for n in range(500000)), ']')
        text('spaces', ' ' * (17 << 20))
        text('envelope', '{', ','.join('"k%d":1' % n for n in range(1000000)), '}')
        """, in: folder)
      for name in folder.names {
        let bytes = try peak(["convert", name], in: folder, code: 65)
        #expect(bytes <= 64 * Self.MiB, "\(name): \(bytes / Self.MiB) MiB")
        let inspected = try peak(["inspect", name], in: folder, code: 65)
        #expect(inspected <= 64 * Self.MiB, "inspect \(name): \(inspected / Self.MiB) MiB")
      }
    }

    @Test func `a history takes 64 MiB at most, however many nights`() throws {
      let folder = try Scratch()
      try make(
        """
        import json, random
        random.seed(1)
        first = [random.randrange(1, 15) for _ in range(13000)]
        for night in range(1, 29):
            for _ in range(500):
                first[random.randrange(13000)] = random.randrange(1, 15)
            rows = [{'Населенный пункт': 'П', 'Адрес жилого здания': 'Улица %d' % (n // 100),
                     '№ дома': str(n % 100), 'Период отключения ГВС': '%d.07.2020-28.07.2020' % day}
                    for n, day in enumerate(first) if random.random() < 0.99]
            with open('2020-06-%02d.json' % night, 'w') as file:
                json.dump(rows, file, ensure_ascii=False)
        """, in: folder)
      #expect(
        try peak(["history", "-q", folder.path, "-o", "/dev/null", "--format", "csv"], in: folder)
          <= 64 * Self.MiB)
    }

    @Test func `a payload that waits for its mark is not held in memory`() throws {
      let folder = try Scratch()
      try make(
        """
        import base64, json
        text = base64.b64encode(b'[' + b' ' * (60 << 20) + b']').decode()
        ours = '{"file":"%s","classifierId":4}' % text
        other = '{"file":"%s","classifierId":3}' % ('!' * (80 << 20))
        open('answer.json', 'w').write(
            '{"responseData":{"classifiers":[%s,%s]},"status":"result"}' % (other, ours))
        """, in: folder)
      #expect(try peak(["convert", "answer.json"], in: folder) <= 32 * Self.MiB)
      #expect(folder.names == ["answer.json"])
    }
  }
}
