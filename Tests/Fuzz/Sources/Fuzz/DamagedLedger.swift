import Glibc

@testable import Sluice
@testable import SluiceSync

/// Ledgers whose bytes are not those that a run has written.
enum DamagedLedger {
  /// A folder in memory, which belongs to this process.
  private static let folder = "/dev/shm/sluice-fuzz-\(getpid())"
  private static let path = "\(folder)/\(Ledger.name)"

  /// The feed of two nights: events move, are cancelled and come back.
  private static let nights = [
    #"""
    [{"Адрес жилого здания":"А","№ дома":1,"Период отключения ГВС":"1.7.2020-5.7.2020, 1.2.2021"},
    {"Адрес жилого здания":"Б","№ дома":2,"Период отключения ГВС":"1.7.2020"},
    {"Адрес жилого здания":"В","№ дома":3,"Период отключения ГВС":"9.8.2020"}]
    """#,
    #"""
    [{"Адрес жилого здания":"А","№ дома":1,"Период отключения ГВС":"2.7.2020-6.7.2020, 1.2.2021"},
    {"Адрес жилого здания":"В","№ дома":3,"Период отключения ГВС":"9.8.2020, 1.9.2020"},
    {"Адрес жилого здания":"Г","№ дома":4,"Период отключения ГВС":"28.12.2020-3.1.2021"}]
    """#,
  ]

  /// A ledger as a run leaves it, and one of version 1. That has no seal, so that damage of a value
  /// goes further.
  private static let templates: [[UInt8]] = {
    do {
      _ = mkdir(folder, 0o700)
      atexit { DamagedLedger.clear() }
      try run(nights[0], inPiecesOf: 1 << 20, isLast: false)
      let sealed = load()
      try SQLiteDatabase(path: path).run(
        "DROP TABLE seal; ALTER TABLE origin DROP COLUMN document; PRAGMA user_version = 1")
      return [sealed, load()]
    } catch {
      fatalError("no ledger: \(error)")
    }
  }()

  /// Changes a ledger and runs the next night of it. The input's first byte chooses the ledger.
  /// Each three bytes after it are a place and what is changed there. The feed comes in pieces of
  /// `length` bytes. Returns the calendar and the changes.
  static func night(_ input: [UInt8], inPiecesOf length: Int) throws(PipelineError) -> [UInt8] {
    var bytes = templates[Int(input.first ?? 0) % 2]
    for at in stride(from: 1, to: input.count - 2, by: 3) {
      bytes[(Int(input[at]) << 8 | Int(input[at + 1])) % bytes.count] ^= input[at + 2]
    }
    store(bytes)
    return try run(nights[1], inPiecesOf: length, isLast: true)
  }

  @discardableResult
  private static func run(
    _ json: String, inPiecesOf length: Int, isLast: Bool
  ) throws(PipelineError) -> [UInt8] {
    let feed = Feed.hotWater
    let (output, counters) = (Output(), Counters())
    let night = try LedgerSession.blaming { () throws(DatabaseFault) in
      try Ledger(folder: folder, feed: feed).begin()
    }
    let stage = try LedgerSession.blaming { () throws(DatabaseFault) in try night.stage(counters) }
    let normalizer = Normalizer(
      feed.tables[0], of: feed,
      options: NormalizerOptions(limit: .count(.max), tracksAllRows: true), into: stage,
      counters: counters)
    try Subject.feed(
      Array(json.utf8), length, to: Tokenizer(into: normalizer, counters: counters))
    guard let event = feed.event else { return [] }
    let calendar = try EventCalendar(
      feed.tables[0], of: feed, event, options: CalendarOptions(language: .ru),
      into: Writer(to: output), counters: counters)
    let (today, stamp) = (Day(number: 18_414 + (isLast ? 1 : 0)), 1_593_108_790)
    do throws(DatabaseFault) {
      _ = try night.reconcile(today: today, stamp: stamp)
      if isLast {
        _ = try night.untold()
        _ = try night.writeCalendar(RowSelection(), into: calendar)
        try night.writeChanges(into: Writer(to: output))
      } else {
        try night.keepChanges()
      }
      try night.prepare(isTold: isLast)
      try night.commit()
    } catch {
      throw PipelineError(ledger: error)
    }
    return output.bytes
  }

  private static func load() -> [UInt8] {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 17)
    let count = read(file, &bytes, bytes.count)
    guard count > 0, count < bytes.count else { fatalError("cannot read \(path)") }
    return Array(bytes[..<count])
  }

  private static func clear() {
    for suffix in ["-wal", "-shm", "-journal", ""] { unlink(path + suffix) }
    rmdir(folder)
  }

  private static func store(_ bytes: [UInt8]) {
    for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count else { fatalError("cannot write \(path)") }
  }
}
