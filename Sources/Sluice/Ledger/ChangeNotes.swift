/// Notes what is different tonight in the ledger's temporary table, and numbers what is new.
struct ChangeNotes: ~Copyable {
  private var insert: SQLiteStatement
  private var next: SQLiteStatement
  /// The next numbers of the address in hand, by year: few.
  private var numbers: [(year: Int, next: Int)] = []
  private(set) var counts = LedgerChanges()

  init(_ database: borrowing SQLiteDatabase) throws(DatabaseFault) {
    // Both first: a struct that cannot be copied is made at once or not at all.
    let insert = try database.prepare(
      "INSERT INTO temp.change VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    let next = try database.prepare(
      "SELECT next FROM next_number WHERE address = ? AND year = ?")
    self.insert = insert
    self.next = next
  }

  /// Notes all decisions on one address.
  mutating func note(
    _ decisions: [Decision], _ known: [KnownPeriod], _ arrived: [ArrivedPeriod], address: Int
  ) throws(DatabaseFault) {
    numbers.removeAll(keepingCapacity: true)
    try insert.bind(2, address)
    for decision in decisions {
      let event = decision.known.map { known[$0] }
      let period = decision.arrived.map { arrived[$0] }
      let identity: EventIdentity
      if let event {
        identity = event.identity
      } else {
        let year = period?.days.first.parts.year ?? 0
        identity = EventIdentity(year: year, number: try number(address, year))
      }
      try insert.bind(1, decision.kind.rawValue)
      try insert.bind(3, identity.year)
      try insert.bind(4, identity.number)
      try insert.bind(5, decision.sequence)
      try insert.bind(6, decision.stamp)
      try insert.bind(7, event.map { Int($0.days.first.number) })
      try insert.bind(8, event.map { Int($0.days.last.number) })
      try insert.bind(9, period.map { Int($0.days.first.number) })
      try insert.bind(10, period.map { Int($0.days.last.number) })
      try insert.bind(11, period?.place)
      try insert.run()
      counts.count(decision.kind)
    }
  }

  /// Hands out the next number of an address and year.
  private mutating func number(_ address: Int, _ year: Int) throws(DatabaseFault) -> Int {
    if let index = numbers.firstIndex(where: { $0.year == year }) {
      numbers[index].next += 1
      return numbers[index].next - 1
    }
    try next.bind(1, address)
    try next.bind(2, year)
    let number = try next.step() ? next.integer(0) : 1
    try next.reset()
    numbers.append((year, number + 1))
    return number
  }
}
