import Sluice

/// Compares the calendars that stand in the outputs with the ledger, before they are replaced.
///
///     stands in the file           in the ledger                     the ledger
///     …-2020-3, SEQUENCE:2         …-2020-3 with 2 or more           knows the event
///     …-2020-3, cancelled or past  only that 3 was given             knows the event
///     …-2020-3                     nothing, or a lower SEQUENCE      does not know it
///
/// A ledger that does not know a published event is an older copy, or one of another input. It
/// would give the same UIDs to other events.
extension LedgerRun {
  /// The events of a calendar that the ledger does not know.
  struct Strangers {
    var count = 0
    /// The UID of the first one.
    var first = ""
    var author = PublishedCalendar.Author.nobody
  }

  /// Counts the events of a calendar that the ledger does not know. Throws if the file or the
  /// ledger cannot be read.
  func strangers(in path: String, today: Day) throws(PipelineError) -> Strangers {
    var memory = try LedgerSession.blaming { () throws(DatabaseFault) in
      try EventMemory(database)
    }
    return try strangers(in: path, &memory, today: today)
  }

  /// Counts such events of each calendar. Returns those with any, and those of other authors.
  func strangers(
    in paths: [String], today: Day
  ) throws(PipelineError) -> [(path: String, strangers: Strangers)] {
    var memory = try LedgerSession.blaming { () throws(DatabaseFault) in
      try EventMemory(database)
    }
    var found: [(path: String, strangers: Strangers)] = []
    for path in paths {
      let strangers = try strangers(in: path, &memory, today: today)
      if strangers.count > 0 || strangers.author == .other { found.append((path, strangers)) }
    }
    return found
  }

  private func strangers(
    in path: String, _ memory: inout EventMemory, today: Day
  ) throws(PipelineError) -> Strangers {
    var strangers = Strangers()
    strangers.author = try PublishedCalendar.read(path, of: feed) { (event) throws(PipelineError) in
      guard try !memory.knows(event, today: today) else { return }
      if strangers.count == 0 { strangers.first = event.uid(of: feed) }
      strangers.count += 1
    }
    return strangers
  }

  /// Takes over the UIDs, numbers, days and revisions of the events in calendars that the ledger
  /// does not know. What people have in their calendars wins.
  ///
  /// Called after all rows have arrived: the texts of an event are those of its address. A
  /// cancelled event counts as cancelled `today`.
  func takeOver(_ paths: [String], today: Day) throws(PipelineError) {
    var memory = try LedgerSession.blaming { () throws(DatabaseFault) in
      try EventMemory(database)
    }
    var writer = try LedgerSession.blaming { () throws(DatabaseFault) in
      try EventTakeover(database, columns)
    }
    for path in paths {
      _ = try PublishedCalendar.read(path, of: feed) { (event) throws(PipelineError) in
        guard try !memory.knows(event, today: today) else { return }
        try writer.take(event, today: today)
        arrivals.needsSeal = true
      }
    }
    try LedgerSession.blaming { () throws(DatabaseFault) in
      try database.run(
        """
        INSERT INTO next_number(address, year, next)
          SELECT address, year, max(next) FROM temp.taken WHERE true GROUP BY address, year
          ON CONFLICT DO UPDATE SET next = max(next, excluded.next)
        """)
    }
  }
}

/// Finds published events in the ledger.
private struct EventMemory: ~Copyable {
  private var known: SQLiteStatement
  private var given: LedgerNumbers

  init(_ database: borrowing SQLiteDatabase) throws(DatabaseFault) {
    let known = try database.prepare(
      "SELECT max(sequence) FROM event WHERE address = ? AND year = ? AND number = ?")
    let given = try LedgerNumbers(database)
    self.known = known
    self.given = given
  }

  /// Whether the ledger has the event, at least as it stands, or has done with it.
  mutating func knows(_ event: PublishedEvent, today: Day) throws(PipelineError) -> Bool {
    do throws(DatabaseFault) {
      try known.bind(1, Int(truncatingIfNeeded: event.address))
      try known.bind(2, event.identity.year)
      try known.bind(3, event.identity.number)
      _ = try known.step()
      let sequence = known.optionalInteger(0)
      try known.reset()
      if let sequence { return sequence >= event.sequence }
      guard event.isCancelled || event.days.last < today else { return false }
      let next = try given.next(Int(truncatingIfNeeded: event.address), event.identity.year)
      return next > event.identity.number
    } catch {
      throw PipelineError(ledger: error)
    }
  }
}

/// Writes published events into the ledger.
private struct EventTakeover: ~Copyable {
  private var remove: SQLiteStatement
  private var insert: SQLiteStatement
  private var count: SQLiteStatement

  init(_ database: borrowing SQLiteDatabase, _ columns: LedgerColumns) throws(DatabaseFault) {
    let texts = columns.names.map { name in
      """
      , coalesce((SELECT \(name) FROM temp.arrival WHERE address = ?1 LIMIT 1),
        (SELECT \(name) FROM event WHERE address = ?1 LIMIT 1))
      """
    }.joined()
    let remove = try database.prepare(
      "DELETE FROM event WHERE address = ? AND year = ? AND number = ?")
    // With the digest of the row that has arrived, the event is not reworded this night.
    let insert = try database.prepare(
      """
      INSERT OR REPLACE INTO event(address, first, last, year, number, sequence, stamp, cancelled,
          digest\(columns.list()))
        VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, coalesce((SELECT digest FROM temp.arrival
          WHERE address = ?1 AND first = ?2 AND last = ?3), 0)\(texts))
      """)
    // The numbers are counted at the end: until then they tell what the ledger has given itself.
    try database.run("CREATE TEMP TABLE taken(address INTEGER, year INTEGER, next INTEGER)")
    let count = try database.prepare("INSERT INTO temp.taken VALUES(?, ?, ?)")
    self.remove = remove
    self.insert = insert
    self.count = count
  }

  mutating func take(_ event: PublishedEvent, today: Day) throws(PipelineError) {
    let address = Int(truncatingIfNeeded: event.address)
    let (year, number) = (event.identity.year, event.identity.number)
    do throws(DatabaseFault) {
      try remove.bind(1, address)
      try remove.bind(2, year)
      try remove.bind(3, number)
      try remove.run()
      try insert.bind(1, address)
      try insert.bind(2, Int(event.days.first.number))
      try insert.bind(3, Int(event.days.last.number))
      try insert.bind(4, year)
      try insert.bind(5, number)
      try insert.bind(6, event.sequence)
      try insert.bind(7, event.stamp)
      try insert.bind(8, event.isCancelled ? Int(today.number) : nil)
      try insert.run()
      try count.bind(1, address)
      try count.bind(2, year)
      try count.bind(3, number + 1)
      try count.run()
    } catch {
      throw PipelineError(ledger: error)
    }
  }
}
