/// Writes the calendars of a site: `house/ID.ics` for each address, and `street/….ics` for each
/// street of a locality.
struct SiteCalendars: ~Copyable {
  /// Keeps the bytes of one calendar.
  private struct Keeper: ByteStage, ~Copyable {
    final class Box { var bytes = ByteBuffer(capacity: 64 << 10) }

    let box: Box
    let measure: OutputMeasure

    mutating func write(_ bytes: RawSpan) throws(PipelineError) {
      try measure.add(bytes.byteCount)
      box.bytes.append(bytes)
    }
    consuming func finish() {}
  }

  private let site: SiteRows
  private let folder: SiteFolder
  private let box = Keeper.Box()
  private var writer: CalendarWriter<Keeper>
  private let houseName: CalendarName
  private let streetName: CalendarName
  private let revision: EventRevision
  private var record: Record
  /// Where the parts of a street are in a place's name.
  private let street: (locality: Int?, street: Int)?

  /// Makes a writer for the rows of a site. `event` is the table's; the table has a key.
  init(
    _ site: SiteRows, of feed: Feed, _ event: Event, options: CalendarOptions,
    into folder: SiteFolder, _ measure: OutputMeasure, counters: Counters
  ) throws(PipelineError) {
    let (table, columns) = (site.table, site.table.columns)
    self.site = site
    self.folder = folder
    writer = try CalendarWriter(
      table, of: feed, event, options: options, into: Keeper(box: box, measure: measure),
      counters: counters)
    let prefix = "\(options.name ?? event.calendarName[options.language]): "
    let rule = table.searchRule.items
    func clauses(_ parts: [SearchRule.Part]) -> [[Template.Part]] {
      rule.filter { item in item.part.map(parts.contains) ?? false }
        .map { [Template.Part(words: "", column: $0.column)] }
    }
    var house = event.location?[options.language]
    if house?.clauses.joined().contains(where: { $0.column == Template.days }) == true {
      house = nil
    }
    houseName = CalendarName(
      Template(
        prefix: prefix + (house?.prefix ?? ""),
        clauses: house?.clauses
          ?? rule.map { [Template.Part(words: "", column: $0.column)] }),
      columns: columns)
    streetName = CalendarName(
      Template(prefix: prefix, clauses: clauses([.locality, .street])), columns: columns)
    revision = EventRevision(stamp: options.stamp ?? options.date.seconds ?? 0)
    record = Record(columns: site.width)
    func index(_ part: SearchRule.Part) -> Int? { rule.firstIndex { $0.part == part } }
    street = index(.street).map { (index(.locality), $0) }
  }

  /// Writes all calendars. Returns the file of each street, by the texts of its locality and its
  /// name: one number of ``SiteRows/texts`` each, the first nil without a locality. Throws if a file
  /// cannot be written.
  consuming func write() throws(PipelineError) -> [StreetFile] {
    try writeHouses()
    return try writeStreets()
  }

  private mutating func writeHouses() throws(PipelineError) {
    let events = site.events
    let order = events.indices.sorted { a, b in
      events[a].key != events[b].key ? events[a].key < events[b].key : a < b
    }
    var start = 0
    while start < order.count {
      let key = events[order[start]].key
      var end = start
      while end < order.count, events[order[end]].key == key { end += 1 }
      try write(order[start..<end], as: "house/\(Self.hexadecimal(key)).ics", named: .house)
      start = end
    }
  }

  private mutating func writeStreets() throws(PipelineError) -> [StreetFile] {
    guard let street else { return [] }
    let (site, events) = (site, site.events)
    // By the folded texts, so that all spellings of a street are one.
    func key(_ event: Int) -> UInt64 {
      let place = site.rows[events[event].row].place
      var hash = FNV1a()
      for index in [street.locality, street.street] {
        if let index {
          let text = site.texts.text(site.cell(ofPlace: place, index))
          Fold.forEachByte(of: text) { hash.add($0) }
        }
        hash.add(0x1F)
      }
      return hash.value
    }
    let keys = events.indices.map(key)
    let order = events.indices.sorted { a, b in keys[a] != keys[b] ? keys[a] < keys[b] : a < b }
    var files: [StreetFile] = []
    var start = 0
    while start < order.count {
      let key = keys[order[start]]
      var end = start
      while end < order.count, keys[order[end]] == key { end += 1 }
      let path = "street/\(Self.hexadecimal(key)).ics"
      try write(order[start..<end], as: path, named: .street)
      for event in order[start..<end] {
        let place = site.rows[events[event].row].place
        let file = StreetFile(
          locality: street.locality.map { site.cell(ofPlace: place, $0) },
          street: site.cell(ofPlace: place, street.street), path: path)
        if files.last != file { files.append(file) }
      }
      start = end
    }
    return files
  }

  private enum Naming { case house, street }

  private mutating func write(
    _ events: ArraySlice<Int>, as path: String, named naming: Naming
  ) throws(PipelineError) {
    box.bytes.removeAll()
    var isBegun = false
    for index in events {
      let event = site.events[index]
      site.read(event.row, into: &record)
      if !isBegun {
        isBegun = true
        switch naming {
        case .house: try writer.begin(houseName, of: record)
        case .street: try writer.begin(streetName, of: record)
        }
      }
      try writer.write(record, as: event.identity, event.revision ?? revision)
    }
    try writer.end()
    try folder.write(path, RawSpan(_unsafeBytes: box.bytes.contents))
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    var bytes = ByteBuffer(capacity: 16)
    bytes.append(hexadecimal: number)
    return String(decoding: bytes.contents, as: UTF8.self)
  }
}

/// The calendar of a street.
struct StreetFile: Equatable {
  /// The numbers of the texts of its name. The first is nil if the feed has no localities.
  var locality: Int?
  var street: Int
  var path: String
}
