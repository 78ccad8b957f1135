import Glibc
import Sluice

/// One of every fault that a stage can meet (of those that carry others, one of each), with what a
/// text about it has to name in either language. `name` stands in the place of all foreign text.
enum FaultSamples {
  typealias Sample = (fault: Fault, names: [String])

  static func all(_ name: String) -> [Sample] {
    source(name) + transfer(name) + redirects(name) + envelope(name) + base64 + json + csv(name)
      + zip(EntryName(bytes: Array(name.utf8)), name) + entries(EntryName(bytes: Array(name.utf8)))
      + feed(name) + place(name) + history(name) + sink(name) + sync(name) + ledger(name)
      + requests(name)
  }

  static func requests(_ name: String) -> [Sample] {
    let error = PipelineError(.source(.status(503, url: "http://h/", retryAfter: nil)))
    func fault(_ request: RequestName, _ kept: Int, _ remedy: RequestsFault.Remedy) -> Fault {
      .requests(
        RequestsFault(
          first: error, name: request, missing: [request, .page(88), .named(name)], kept: kept,
          remedy: remedy))
    }
    return [
      (fault(.page(77), 66, .resume), ["77", "503", "88", name, "66", "--resume"]),
      (fault(.item(name), 0, .again), [name, "503", "88"]),
      (item(404, name) { $0.search = .init() }, ["404", "sluice cities search"]),
      (
        item(404, name) { $0.search = .init(mirror: "http://h/", needsDocument: true) },
        ["sluice cities search", "--feed FILE --mirror http://h/"]
      ),
      (item(401, name) { $0.variables = ["MY_KEY"] }, ["401", "MY_KEY"]),
      (
        item(500, name) {
          $0.ages = [.item(name): 20_000]
          $0.isPublished = true
        }, ["500", "5", "77"]
      ),
    ]
  }

  /// A fault of one item of a list, and of a page.
  private static func item(
    _ status: Int, _ name: String, _ change: (inout RequestsFault) -> Void
  ) -> Fault {
    var fault = RequestsFault(
      first: PipelineError(.source(.status(status, url: "http://h/", retryAfter: nil))),
      name: .item(name), missing: [.item(name), .page(77)], kept: 1, remedy: .again)
    change(&fault)
    return .requests(fault)
  }

  static func source(_ name: String) -> [Sample] {
    let faults: [(SourceFault, [String])] = [
      (.empty, []),
      (.unknownForm(looksLike: name, start: [0x1F, 0x8B]), [name]),
      (.unknownForm(looksLike: nil, start: Array(name.utf8)), [name]),
      (.unknownForm(looksLike: nil, start: [0xFF, 0x00]), ["FF 00"]),
      (.notJSON(.csv), ["csv", "JSON"]),
      (.nothingToAsk(list: "towns"), ["towns", "sluice cities add"]),
      (.paging(.elsewhere(name)), [name]), (.paging(.repeated(name)), [name]),
      (.paging(.tooMany(limit: 77)), ["77"]), (.paging(.same), []),
      (.paging(.secret(name)), [name]), (.paging(.unreadable(name)), [name]),
      (.paging(.unlinked(total: 78)), ["78"]), (.paging(.pageSize(rows: 79)), ["79"]),
      (.paging(.unfinished), []),
      (.noFile(path: name), [name]),
      (.folder(path: name), [name]), (.folder(path: nil), []),
      (.unreadable(path: name, errno: EACCES), [name]),
      (.unreadable(path: nil, errno: EBADF), []),
      (.read(path: name, errno: EIO), [name]), (.read(path: nil, errno: EIO), []),
      (.changed(path: name), [name]), (.changed(path: nil), []),
      (.tooLargeToKeep(limit: 256 << 20), ["256"]), (.spool(errno: ENOSPC), ["TMPDIR"]),
      (.noDayInName(path: name), [name, "--input-date"]),
      (.invalidURL(name), [name]),
      (.certificateFile(path: name, detail: name), [name, "--cacert FILE"]),
      (.refused(status: name), [name]),
      (.libraryMissing(package: "libcurl4", detail: name), [name, "libcurl4"]),
    ]
    return faults.map { (.source($0.0), $0.1) }
  }

  static func transfer(_ name: String) -> [Sample] {
    let faults: [(SourceFault, [String])] = [
      (.unresolved(detail: name), [name]),
      (.unconnected(detail: name), [name]),
      (.connectTimeout(seconds: 31, detail: name), ["31", name]),
      (.certificate(detail: name), [name, "--cacert FILE"]),
      (.tls(detail: name), [name]),
      (.status(503, url: name, retryAfter: 77), ["503", name, "77"]),
      (.status(404, url: name, retryAfter: nil), ["404", name]),
      (.contentEncoding(name), [name]), (.contentLength(name), [name]),
      (.transferCoding(name), [name]),
      (.headersTooLarge(limit: 64 << 10), ["64"]),
      (.bodyTooLarge(limit: 256 << 20, expected: 300 << 20), ["256", "300"]),
      (.bodyTooLarge(limit: 256 << 20, expected: nil), ["256"]),
      (.cut(received: 5, expected: 11, detail: name), ["5", "11", name]),
      (.cut(received: 5, expected: nil, detail: ""), ["5"]),
      (.tooSlow(bytesPerSecond: 1024, seconds: 33, received: 5, expected: 11), ["1 ", "33", "11"]),
      (.tooLong(seconds: 301, received: 5, expected: nil), ["301", "5"]),
      (.outOfTime(seconds: 1201), ["1201", "--max-time"]),
      (.answersTooLarge(limit: 2_000_000_000), ["2", "--max-size"]),
      (.transfer(code: 56, detail: name), ["56", name]),
    ]
    return faults.map { (.source($0.0), $0.1) }
  }

  static func redirects(_ name: String) -> [Sample] {
    let refusals: [(RedirectRefusal, [String])] = [
      (.tooMany(limit: 5), ["5"]), (.scheme(name), [name]), (.downgrade, ["https"]),
      (.internalAddress("10.0.0.7"), ["10.0.0.7"]), (.malformed, []),
    ]
    return refusals.map { (.source(.redirect(to: name, $0.0)), $0.1 + [name]) }
  }

  static func envelope(_ name: String) -> [Sample] {
    let faults: [(EnvelopeFault, [String])] = [
      (.json(.truncated), ["JSON"]),
      (.missing(field: "file", keys: [name]), ["file", name]),
      (.missing(field: name, keys: []), [name]),
      (.twice(field: name), [name]),
      (
        .wrongKind(field: "file", found: .null, wanted: .string, keys: [name]),
        ["file", "null", name]
      ),
      (.noMatch(field: "id", value: "4", found: [name]), ["id", "4", name]),
      (.twoMatches(field: name, value: "4"), [name, "4"]),
      (.spool(errno: ENOSPC), ["TMPDIR"]),
    ]
    return faults.map { (.envelope($0.0), $0.1) }
  }

  static let base64: [Sample] = {
    let faults: [(Base64Fault, [String])] = [
      (.empty, ["base64"]), (.urlAlphabet(byte: UInt8(ascii: "_")), ["_"]),
      (.foreign(byte: 0x1B), ["0x1B"]), (.foreign(byte: UInt8(ascii: "!")), ["!"]),
      (.truncated, ["base64"]), (.missingPadding, ["="]), (.earlyPadding, ["="]),
      (.excessPadding, ["="]), (.padBits, []), (.dataAfterPadding, ["="]),
    ]
    return faults.map { (.base64($0.0), $0.1) }
  }()

  static let json: [Sample] = {
    let faults: [(JSONFault, [String])] = [
      (.truncated, ["JSON"]), (.empty, ["JSON"]), (.unexpected(UInt8(ascii: "}")), ["}"]),
      (.trailing(0), ["0x00"]), (.control(0x0A), ["0x0A"]), (.escape(UInt8(ascii: "x")), ["x"]),
      (.loneSurrogate, []), (.notUTF8, ["UTF-8"]), (.number, ["JSON"]), (.literal, ["null"]),
      (.tooDeep(limit: 512), ["512"]), (.stringTooLong(limit: 16 << 20), ["16"]),
      (.keyTooLong(limit: 64 << 10), ["64"]), (.numberTooLong(limit: 1000), ["1000"]),
    ]
    return faults.map { (.json($0.0), $0.1) }
  }()

  static func csv(_ name: String) -> [Sample] {
    let faults: [(CSVFault, [String])] = [
      (.empty, []), (.noKnownColumn(expected: ["isin"], found: [name]), ["isin", name]),
      (.duplicateColumn(name, places: [2, 7]), [name, "2, 7", "column 2"]), (.unclosedQuote, []),
      (.notUTF8(likely: "WINDOWS-1251"), ["WINDOWS-1251", "UTF-8"]), (.notUTF8(likely: nil), []),
      (.tooManyFields(limit: 4096), ["4096"]), (.rowTooLong(limit: 32 << 20), ["32"]),
    ]
    return faults.map { (.csv($0.0), $0.1) }
  }

  static func zip(_ entry: EntryName, _ name: String) -> [Sample] {
    let fields: [ZIPFault.EndField] = [
      .entriesOnDisk, .entries, .directorySize, .directoryOffset, .zip64RecordSize,
      .zip64RecordOffset,
    ]
    let faults: [(ZIPFault, [String])] = [
      (.truncated, []), (.notZip(first: Array(name.utf8)), [name]), (.notZip(first: []), []),
      (.notContent(looksLike: name, start: []), [name]),
      (.notContent(looksLike: nil, start: Array(name.utf8)), [name]),
      (.severalDisks, []), (.unknownRecord(found: [0, 1, 2, 0xFE]), ["00 01 02 FE"]),
      (.directoryMissing, []), (.trailingData, []),
      (.nameTooLong(length: 2000, limit: 1024), ["2000", "1024"]),
      (.tooManyEntries(limit: 64), ["64"]),
      (.noEntry(names: [entry]), [name]), (.noEntry(names: []), []),
      (.severalEntries(names: [entry, entry]), [name, "--entry NAME"]),
      (.noSuchEntry(wanted: "b.json", names: [entry]), ["b.json", name, "--entry NAME"]),
      (.noSuchEntry(wanted: name, names: []), [name]),
    ]
    return faults.map { (.unzip($0.0), $0.1) }
      + fields.map { (.unzip(.endRecord(field: $0, declared: 7, actual: 8)), ["7", "8"]) }
  }

  static func entries(_ entry: EntryName) -> [Sample] {
    let other = EntryName(bytes: Array("other.json".utf8))
    let fields: [ZIPFault.HeaderField] = [
      .name, .flags, .method, .time, .crc, .compressedSize, .size,
    ]
    let faults: [(ZIPFault, [String])] = [
      (.encrypted(entry: entry), []), (.patchData(entry: entry), []),
      (.method(12, entry: entry), ["12"]), (.version(99, entry: entry), ["9.9"]),
      (.storedWithDescriptor(entry: entry), []), (.zip64Missing(entry: entry), ["ZIP64"]),
      (.duplicateName(entry: entry), []), (.linkChosen(entry: entry), ["--entry NAME"]),
      (.tooLargeTogether(entry: entry, limit: 2 << 30), ["2 ", "--max-size"]),
      (.tooLarge(entry: entry, limit: 2 << 30), ["2 ", "--max-size"]),
      (.ratio(entry: entry, limit: 250), ["250"]),
      (.moreThanDeclared(entry: entry, declared: 1001), ["1001"]),
      (.deflate(entry: entry), ["deflate"]), (.deflateUnfinished(entry: entry), ["deflate"]),
      (.bytesAfterDeflate(entry: entry, count: 3), ["3"]),
      (.size(entry: entry, declared: 7, actual: .max), ["7", "18446744073709551615"]),
      (.compressedSize(entry: entry, declared: 7, actual: 8), ["7", "8"]),
      (.crc(entry: entry, declared: 1, actual: .max), ["00000001", "ffffffff"]),
      (.descriptor(entry: entry), []),
      (.noEntryAt(offset: 4321, entry: entry), ["4321"]),
      (.overlap(entry: entry, other: other), ["other.json"]),
      (.notListed(entry: entry), []), (.linkTooLong(entry: entry), []),
    ]
    return (faults + fields.map { (.headersDisagree(entry: entry, field: $0), []) })
      .map { (.unzip($0.0), $0.1 + [entry.shown]) }
  }

  static func feed(_ name: String) -> [Sample] {
    let faults: [(FeedFault, [String])] = [
      (.missing(path: "activities", keys: [name]), ["activities", name]),
      (.missing(path: name, keys: []), [name]),
      (.wrongKind(path: ".", found: .beginObject, wanted: .beginArray, keys: [name]), [name]),
      (.wrongKind(path: name, found: .number, wanted: .beginObject, keys: []), [name]),
      (.noSuchColumn("price", columns: [name]), ["price", name]),
      (.noKnownKey(expected: ["isin"], keys: [name]), ["isin", name, "--feed NAME"]),
      (.afterItsRows(field: name), [name]),
      (.tooManyHeld(field: name, limit: 16 << 20), [name, "16", "hold: 64MB"]),
      (.noEvents, [".csv", ".ndjson"]),
      (.recordTooLong(limit: 32 << 20), ["32"]), (.tooManyOccurrences(limit: 77), ["77"]),
      (.noSuchColumn("price", columns: []), ["price"]),
      (.share(.notANumber("x"), of: "sum", choices: [name]), ["x", "sum", "--where", name]),
      (.share(.notANumber(nil), of: name, choices: ["flat"]), [name, "--where", "flat"]),
      (.share(.negative("-7"), of: name, choices: []), ["-7", name]),
      (.share(.tooLong(limit: 38), of: name, choices: ["flat"]), ["38", name]),
      (.share(.zeroTotal, of: name, choices: []), ["0", name]),
      (.groupApart(key: [name], day: Day(number: 0)), [name, "1970-01-01"]),
      (
        .notStorable(table: "flats", column: "id", value: name),
        ["flats", "id", name, "kind: text", ".csv"]
      ),
      (.notReckonable(column: "price", value: name), ["price", name]),
      (.noSuchTable(name, tables: ["stops"]), [name, "stops"]),
      (.noZone("Europe/London", .noDatabase), ["Europe/London", "tzdata"]),
      (.noZone("Europe/London", .damaged), ["Europe/London", "tzdata"]),
      (.noZone("US/Pacific", .unknown), ["US/Pacific", "tzdata-legacy"]),
      (.noZone("..", .badName), ["..", "tzdata-legacy"]),
      (.sameKey(table: "stops", key: [name]), ["stops", name, ".csv"]),
      (
        .noSuchRow(table: "times", column: "stop", value: name, parent: "stops"),
        ["times", "stop", name, "stops", "--table"]
      ),
      (.emptied(before: 17), ["17", "--accept"]),
      (.tooManyRejects(rejected: 3, of: 21, limit: .count(2)), ["3", "21", "2", "--max-rejects"]),
      (.allRejected(21), ["21", "--rejects"]),
      (.tooManyRejects(rejected: 3, of: 21, limit: .standard), ["3", "21", "10%", "--rejects"]),
    ]
    return faults.map { (.normalize($0.0), $0.1) }
  }

  static func place(_ name: String) -> [Sample] {
    let house = NamedPlace(
      [
        PlacePart(column: "street", part: .street, text: name),
        PlacePart(column: "house", part: .house, text: "15"),
        PlacePart(column: "letter", part: .letter, text: ""),
      ], differingIn: .letter)
    let other = NamedPlace([PlacePart(column: "street", part: .street, text: "Other")])
    return [
      (.place(.absent(name, near: [])), [name]),
      (.place(.absent(name, near: [house])), [name, "15"]),
      (.place(.several(name, places: [house, other], isMore: true)), [name, "15", "Other"]),
    ]
  }

  static func history(_ name: String) -> [Sample] {
    let (day, later) = (Day(number: 18_400), Day(number: 18_401))
    return [
      (.history(.noDate(name)), [name, "--pattern"]), (.history(.noSuchDate(name)), [name]),
      (.history(.noDateOfArchive(name)), [name, "--entry"]),
      (.history(.thirdInput(name)), [name]),
      (.history(.sameDate(name, other: "b.json", day)), [name, "b.json", "\(day)"]),
      (
        .history(.outOfOrder(name, day, after: "b.json", later)),
        [name, "b.json", "\(day)", "\(later)"]
      ),
    ]
  }

  static func sink(_ name: String) -> [Sample] {
    let faults: [(SinkFault, [String])] = [
      (.folderMissing(path: name), [name]),
      (.folderNotWritable(path: name, errno: EROFS), [name]),
      (.isFolder(path: name), [name]), (.danglingLink(path: name), [name]),
      (.notAFolder(path: name), [name, "-o"]), (.mountPoint(path: name), [name]),
      (.cannotExchange(path: name), [name]),
      (.foreignFile(path: "/site", name: name), ["/site", name]),
      (.siteTooLarge(limit: 50_000), ["50", "--where", ".csv"]),
      (.foreignLink(path: name, target: "/etc/x"), [name, "/etc/x"]),
      (.temporaryInTheWay(path: name), [name]), (.create(path: name, errno: EACCES), [name]),
      (.locked(path: name), [name]),
      (.write(path: name, errno: ENOSPC), [name]), (.write(path: "-", errno: EIO), []),
      (.unfinished(path: name), [name]),
      (.wrongSize(path: name, written: 51, found: 49), [name, "51", "49"]),
      (.wrongSize(path: name, written: 51, found: -1), [name, "51"]),
      (.readBack(path: name, errno: EIO), [name]), (.setMode(path: name, errno: EPERM), [name]),
      (.sync(path: name, errno: EIO), [name]), (.close(path: name, errno: EDQUOT), [name]),
      (.rename(path: name, errno: EROFS), [name]), (.changed(path: name), [name]),
      (.notPutBack(path: name, errno: EIO), [name]), (.noReaderLeft, []),
      (.tooMuchOutput(limit: 64 << 20), ["64", "--max-output"]),
      (.cellTooLong(row: 51, column: name, limit: 32_767), ["51", name, "32767", ".csv"]),
      (.workbookTooLarge, ["4", "--where", ".csv"]),
      (.workbookOnTerminal(path: name), [name, "-o FILE.xlsx"]),
      (.workbookOfColumns(path: name), [name, ".csv"]),
      (.tooManyFiles(limit: 50_000, path: name), ["50000", name, "--max-files"]),
      (.writtenTwice(path: name), [name]),
      (.notAFile(path: name), [name, "-o FILE.sqlite"]),
      (.database(.corrupt(path: name, detail: "x"), isMerge: true), [name, "x", "--merge"]),
      (.database(.refused(path: name, code: 1, detail: "x"), isMerge: false), [name, "x", ".csv"]),
      (.database(.distrusted(path: name, detail: "x"), isMerge: true), [name, "x"]),
      (
        .database(.refused(path: name, code: 1, detail: "x"), isMerge: true),
        [name, "x", "--merge"]
      ),
    ]
    return faults.map { (.sink($0.0), $0.1) }
  }

  static func sync(_ name: String) -> [Sample] {
    let (day, later) = (Day(number: 18_400), Day(number: 18_500))
    let faults: [(SyncFault, [String])] = [
      (.busy(pid: 4711, folder: name), ["4711", name]), (.busy(pid: nil, folder: name), [name]),
      (.emptied(before: 13_000), ["13000", "--accept"]),
      (.shrunk(records: 61, before: 97, limit: .standard), ["61", "97", "25%", "--accept"]),
      (.olderVersion(version: name, before: "26"), [name, "26", "--accept"]),
      (
        .tooManyCancelled(events: 30, before: 40, limit: .standard),
        ["30", "40", "25%", "--accept"]
      ),
      (
        .otherDocument(feed: name, differences: ["key: [a] → [b]"]),
        [name, "key: [a] → [b]", "feed:", "--accept"]
      ),
      (.allPast(last: day, before: later, today: later), ["\(day)", "\(later)", "--accept"]),
      (.noPlace(name, near: []), [name]),
      (.noCopy(input: name, folder: "/state"), [name, "/state", "--state"]),
      (.folder(path: name, errno: EROFS), [name, "--state"]),
      (.lock(path: name, errno: EROFS), [name, "--state"]),
      (.badRecord(path: name), [name]),
      (.badNames(path: name), [name, "200"]),
      (.ledgerGone(folder: name), [name, "--accept"]),
      (.noRows(before: 13_000), ["13000", "--accept"]),
      (.clockBack(now: 0, before: 1_593_108_790), ["1970-01-01", "2020-06-25", "--accept"]),
      (.foreignFolder(path: name), [name, "--state"]),
      (.sharedFolder(path: name), [name, "chmod go-w"]),
      (.unreadableRecord(path: name, errno: EACCES), [name]),
      (.unknownEvents(calendar: name, count: 12, first: "x-2020-1"), [name, "12", "x-2020-1"]),
      (.otherCalendar(path: name, feed: "waste"), [name, "waste", "--accept"]),
    ]
    return faults.map { (.sync($0.0), $0.1) }
  }

  static func ledger(_ name: String) -> [Sample] {
    let faults: [(DatabaseFault, [String])] = [
      (.open(path: name, errno: EACCES), [name]), (.access(path: name, errno: EIO), [name]),
      (.locked(path: name), [name]), (.corrupt(path: name, detail: "x"), [name, "x"]),
      (.notALedger(path: name), [name]),
      (.newer(path: name, version: 77, known: 66), [name, "77", "66"]),
      (.otherFeed(path: "p", found: name, wanted: "other"), [name, "other", "--state DIR"]),
      (.noEvents(feed: name), [name, ".csv"]), (.incomplete(path: name), [name]),
      (.refused(path: name, code: 19, detail: "x"), [name, "x", "19"]),
      (.output(PipelineError(.json(.empty))), ["JSON"]),
    ]
    return faults.map { (.ledger($0.0), $0.1) }
  }

  /// One of every problem that a feed's document can have, with what its text has to name.
  static func documents(_ name: String) -> [(problem: FeedDocumentFault.Problem, names: [String])] {
    let wanted: [FeedDocumentFault.Wanted] = [
      .feedName, .columnName, .url, .time, .clock, .percentage, .color, .refresh, .trueOrFalse,
      .headerName, .headerValue, .itemName, .size, .count(most: 77), .text, .integer, .decimal,
      .day, .timeOfDay, .years,
      .length, .daysOf(.week), .daysOf(.month), .daysOf(.year),
      .partNumber, .instant, .version, .characters, .decimalSign, .thousandsSign(taken: nil),
      .thousandsSign(taken: name), .zone,
    ]
    let paths: [FeedDocumentFault.PathFlaw] = [
      .syntax, .noList, .otherList(rows: "days[]"), .onTheWay, .wholeList, .taken(column: "street"),
      .picksOfRow, .oneElement, .wildcard, .noElementKey(wildcards: 1), .notZippable,
      .notOneOfLists(["daily.time", "daily.rain"]), .tooLong(limit: 77),
      .notBeside(payload: "data"), .listWithoutMatch, .matchWithoutList,
    ]
    let templates: [FeedDocumentFault.TemplateFlaw] = [.brace, .empty]
    let formats: [(FeedDocumentFault.FormatFlaw, [String])] = [
      (.empty, []), (.tooLong(limit: 77), ["77"]), (.letter("Q", allowed: ["d"]), ["Q", "d"]),
      (.width("yyy", allowed: ["yyyy"]), ["yyy", "yyyy"]), (.twice("dd"), ["dd"]),
      (.without("M"), ["M"]), (.openQuote, []), (.openWidths, ["Hmm"]),
      (.withoutYears, ["years: 1970-2069"]),
    ]
    let problems: [(FeedDocumentFault.Problem, [String])] = [
      (.data, ["INPUT"]), (.empty, ["sluice feeds --new"]),
      (.laterVersion(77, known: 76), ["77", "76"]),
      (.wrongKind(key: name, found: .text, wanted: [.list]), [name, "[a, b]"]),
      (.wrongKind(key: name, found: .mapping, wanted: [.text, .list]), [name, "activities[]"]),
      (.wrongKind(key: name, found: .mapping, wanted: [.text]), [name]),
      (.wrongKind(key: nil, found: .list, wanted: [.mapping]), ["key: value"]),
      (.wrongKind(key: "cut", found: .text, wanted: [.mapping], keys: [name]), ["cut", name]),
      (.wrongKind(key: "map", found: .list, wanted: [.mapping]), ["map: {1: paper"]),
      (
        .wrongKind(key: name, found: .list, wanted: [.mapping], keys: ["x1", "y1"]),
        [name, "x1, y1"]
      ),
      (.wrongKind(key: "clock", found: .mapping, wanted: [.text]), ["clock", "zone: {from: "]),
      (.wrongKind(key: "any", found: .mapping, wanted: [.list]), ["any", "[{type: pickup}"]),
      (.missingKey("take", of: "split"), ["take: 1"]),
      (.missingKey("every", of: "repeat"), ["every: week"]),
      (.missingKey("day", of: "parts"), ["day: "]),
      (.unknownZone(name, key: "clock"), [name, "clock"]),
      (.unknownColumn("not", key: "where", columns: ["a"]), ["where", "type: {not: "]),
      (.keyWants("marks", other: "unique"), ["marks", "unique: true"]),
      (.unknownKey(name, of: nil, allowed: []), [name]),
      (.unknownKey(name, of: "event", allowed: ["start", "end"]), [name, "event", "start, end"]),
      (.missingKey("feed", of: nil), ["feed"]), (.missingKey("rows", of: nil), ["rows: days[]"]),
      (.missingKey("columns", of: nil), ["street: address"]), (.missingKey(name, of: nil), [name]),
      (.missingKey("start", of: "event"), ["start: date"]),
      (.missingKey("summary", of: "event"), ["summary: "]),
      (.missingKey(name, of: "pages"), [name, "pages"]), (.noValue(name), [name]),
      (.tooMany(name, limit: 77), [name, "77"]),
      (.notAChoice(name, key: "kind", choices: ["day"]), [name, "kind", "day"]),
      (.duplicateColumn(name), [name]), (.noShownColumn, ["show: false"]),
      (.unknownColumn(name, key: "of", columns: []), [name]),
      (.unknownColumn(name, key: "key", columns: []), [name]),
      (.unknownColumn(name, key: "key", columns: ["day"]), [name, "day"]),
      (.columnOfOtherKind(name, .text, key: "of", columns: []), [name, "decimal"]),
      (.columnOfOtherKind(name, .text, key: "of", columns: ["rent"]), [name, "rent"]),
      (.columnOfOtherKind(name, .text, key: "start", columns: []), [name, "text"]),
      (.columnOfOtherKind(name, .text, key: "start", columns: ["day"]), [name, "start", "day"]),
      (.secondPeriod, []), (.notTwoColumns(77), ["77"]), (.notTwoLabels(77), ["77"]),
      (.onlyFor(.period, key: name), [name]),
      (.onlyForKinds([.day, .time], key: name), [name, "day, time"]),
      (.notForShares(name), [name]),
      (.notOneOf(["least", "sum"], of: name), [name, "least, sum"]),
      (.onlyForNumbers(name), [name]), (.eventWithoutKey, ["key: "]),
      (.notTwoDegrees(77), ["77"]), (.onlyForOneEvent(name), [name]),
      (.onlyForFirstEvent(name), [name]), (.needsClock(name), [name, "clock: Europe/London"]),
      (.needsZone(name), [name, "clock: Europe/London"]),
      (.keyWants(name, other: "other"), [name, "other"]),
      (.untilBeforeFrom(until: "2026-01-01", from: "2026-02-01"), ["2026-01-01", "2026-02-01"]),
      (.keyBeside(name, other: "other"), [name, "other"]), (.severalServers(name), [name]),
      (.duplicateItem(name), [name]), (.noSuchPlace(name, key: "url", places: ["item"]), [name]),
      (.noSuchPlace(name, key: "url", places: []), [name, "url"]), (.besideTables(name), [name]),
      (.viewsWithoutTables, ["views", "tables"]),
      (.keyNotRequired(name), [name, "required: true"]),
      (.noSingleKey(table: name), [name, "key: [id]"]),
    ]
    let flawed: [(FeedDocumentFault.Problem, [String])] =
      wanted.map { (.badValue(name, key: "key", $0), [name, "key"]) }
      + paths.map { (.badPath(name, $0), [name]) }
      + formats.map { (.badFormat(name, $0.0), [name] + $0.1) }
      + templates.map { (.badTemplate(key: name, $0), [name]) }
    return problems + flawed + yaml(name).map { (.yaml($0.0), $0.1) }
  }

  static func yaml(_ name: String) -> [(YAMLFault.Problem, [String])] {
    let words = [
      "could not find expected ':'", "mapping values are not allowed in this context",
      "found character that cannot start any token", "did not find expected ',' or ']'",
      "did not find expected key", "found unknown escape character", name,
    ]
    return [
      (.tooLarge(limit: 256 << 10), ["256"]), (.notUTF8, ["UTF-8"]), (.controlCharacter, []),
      (.unclosedQuote, []), (.severalDocuments, []), (.alias, []), (.tag, []), (.keyNotText, []),
      (.duplicateKey(name, line: 77), [name, "77"]), (.tooDeep(limit: 8, under: name), ["8"]),
    ] + words.map { (.syntax($0), $0 == name ? [name] : []) }
  }
}
