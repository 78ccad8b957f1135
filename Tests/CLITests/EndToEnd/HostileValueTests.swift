import Foundation
import Testing

extension EndToEnd {
  /// Values that look like the formats they are written in: data stays data.
  @Suite struct HostileValueTests {
    private static let values = [
      "a\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", "a,b", "a;b", "\"", "\"\"\"", "a\"b,c", "\\", "\\n",
      "\\\\,;",
      "a\u{0}b", "\u{0}", "a\nb", "a\rb", "a\tb", "a\u{B}b\u{C}c", "\u{1B}[31mred", "\u{7F}",
      "\u{85}x",
      "\u{2028}x\u{2029}", "\u{FEFF}x", "=1+1", "+7", "-1", "@x", "=HYPERLINK(\"http://x\",\"y\")",
      "'", "BEGIN:VEVENT", ":;,\"", "{\"a\":1}", "null", "😀👨‍👩‍👧", String(repeating: "ы😀", count: 200),
      String(repeating: ",", count: 90), String(repeating: "\\", count: 150), "a\u{200B}b",
      "\u{202E}abc",
    ]

    @Test(.enabled(if: BuiltProgram.has("script"), "script is missing: no terminal is tested"))
    func `data does not act on a terminal, and is as it came in a pipe`() throws {
      let folder = try Scratch()
      let street = "a\u{1B}]0;title\u{7}b\u{202E}c"
      try folder.write(
        "feed.json", SmallFeed.list([SmallFeed.record(street: SmallFeed.quoted(street))]))
      let escapes = #"a\u001b]0;title\u0007b\u202ec"#
      for (format, piped) in [
        ("csv", street), ("ndjson", #"a\u001b]0;title\u0007b"# + "\u{202E}c"),
      ] {
        let command = "sluice convert feed.json --no-progress --format \(format)"
        let shown = try BuiltProgram.tool(
          ["script", "-qec", command, "/dev/null"], in: folder.path)
        #expect(shown.output.contains(escapes), "\(shown.output)")
        #expect(!shown.output.contains("\u{1B}") && !shown.output.contains("\u{202E}"))
        let run = try BuiltProgram.shell(command + " | cat", in: folder.path)
        #expect(run.output.contains(piped), "\(run.output)")
      }
    }

    @Test func `one record is one row, one line and one event, with its value intact`() throws {
      let folder = try Scratch()
      let records = Self.values.flatMap { value in
        [
          SmallFeed.record(
            street: SmallFeed.quoted("x" + value + "y"), house: SmallFeed.quoted(value)),
          SmallFeed.record(
            street: "\"Наличная\"", house: "\"1\"", locality: SmallFeed.quoted("z" + value + "z")),
        ]
      }
      let input = try folder.write("feed.json", SmallFeed.list(records))
      folder.setTime("feed.json", 1_593_108_790)
      let run = try BuiltProgram.run(
        [
          "convert", input, "-o", folder("a.csv"), "-o", folder("b.ndjson"), "-o", folder("c.ics"),
          "--stats", folder("stats"),
        ])
      run.expectSilence()
      // Python's csv, json and a plain unfolding of the calendar read them back.
      let script = """
        import csv, json
        feed = json.load(open('feed.json', encoding='utf-8'))
        white = '\\t\\n\\x0b\\x0c\\r \\x85\\xa0\\u2028\\u2029'
        def tidy(text):
            for c in white: text = text.replace(c, ' ')
            return ' '.join(part for part in text.split(' ') if part) or None
        rows = list(csv.DictReader(open('a.csv', encoding='utf-8', newline='')))
        lines = [json.loads(line) for line in open('b.ndjson', 'rb').read().decode().split('\\n')[:-1]]
        assert len(rows) == len(lines) == len(feed), (len(rows), len(lines), len(feed))
        keys = {'locality': 'Населенный пункт', 'street': 'Адрес жилого здания', 'house': '№ дома'}
        for number, (row, line, record) in enumerate(zip(rows, lines, feed)):
            for column, key in keys.items():
                wanted = tidy(record[key])
                assert line[column] == wanted, (number, column, line[column], wanted)
                assert (row[column] or None) == wanted, (number, column, row[column], wanted)
        data = open('c.ics', 'rb').read()
        assert b'\\r\\n' in data and b'\\n' not in data.replace(b'\\r\\n', b'') and b'\\r' not in data.replace(b'\\r\\n', b'')
        assert all(len(line) <= 75 for line in data.split(b'\\r\\n')), 'a line above 75 octets'
        for line in data.split(b'\\r\\n'): line.decode('utf-8')
        unfolded = data.replace(b'\\r\\n ', b'').decode('utf-8').split('\\r\\n')
        assert not any(c < ' ' and c != '\\t' or c == '\\x7f' for line in unfolded for c in line)
        identities = {(row['address_id'], row['start_date']) for row in rows}
        assert unfolded.count('BEGIN:VEVENT') == unfolded.count('END:VEVENT') == len(identities), (
            unfolded.count('BEGIN:VEVENT'), len(identities))
        assert unfolded[0] == 'BEGIN:VCALENDAR' and unfolded[-2:] == ['END:VCALENDAR', '']
        names = ('BEGIN', 'END', 'UID', 'DTSTAMP', 'LAST-MODIFIED', 'SEQUENCE', 'STATUS', 'DTSTART', 'DTEND',
                 'SUMMARY', 'LOCATION', 'DESCRIPTION', 'CATEGORIES', 'TRANSP', 'X-MICROSOFT-CDO-BUSYSTATUS')
        inside = unfolded[unfolded.index('BEGIN:VEVENT'):-2]
        assert all(line.split(':')[0].split(';')[0] in names for line in inside)
        """
      let check = try BuiltProgram.tool(["python3", "-c", script], in: folder.path)
      #expect(check.code == 0, "\(check.errors)")
    }

    @Test func `the excel dialect guards formulas and counts them`() throws {
      let folder = try Scratch()
      let records = ["=1+1", "+7", "-1", "@x", "a=1", "\\u0009=2", "'"].map {
        SmallFeed.record(house: "\"\($0)\"")
      }
      let input = try folder.write("feed.json", SmallFeed.list(records))
      let run = try BuiltProgram.run(
        ["convert", input, "--csv-dialect", "excel", "--stats", folder("stats")])
      #expect(run.code == 0 && run.errors == "")
      let lines = run.output.components(separatedBy: "\r\n")
      #expect(run.bytes.array.starts(with: [0xEF, 0xBB, 0xBF]))
      try #require(lines.count > 6)
      #expect(
        lines[1].contains(";'=1+1;") && lines[2].contains(";'+7;") && lines[5].contains(";a=1;"))
      #expect(lines[6].contains(";'=2;"), "trimmed before it is guarded")
      #expect(folder.text("stats").contains("\"guarded_cells\":5,"))
      let plain = try BuiltProgram.run(["convert", input])
      #expect(plain.output.contains(",=1+1,") && !plain.output.contains("'="))
    }
  }
}
