/// Writes the calendars of a site: `house/ID.ics` for each address, and `street/….ics` for each
/// street of a locality.
struct SiteCalendars: ~Copyable {
  /// The folders of the calendars.
  static let houses = "house"
  private static let streets = "street"

  private let site: SiteRows
  private var houses: CalendarPress
  private var streets: CalendarPress
  /// Where the parts of a street are in a place's name.
  private let street: (locality: Int?, street: Int)?

  /// Makes a writer for the rows of a site. `event` is the table's; the table has a key.
  init(
    _ site: SiteRows, of feed: Feed, _ event: Event, options: CalendarOptions,
    into folder: SiteFolder, _ measure: OutputMeasure, counters: Counters
  ) throws(PipelineError) {
    let table = site.table
    let prefix = "\(options.name ?? event.calendarName[options.language]): "
    let rule = table.searchRule.items
    var house = Template(
      prefix: prefix, clauses: rule.map { [Template.Part(words: "", column: $0.column)] })
    if let place = event.location?[options.language],
      !place.clauses.joined().contains(where: { $0.column == Template.days })
    {
      house = place
      house.prefix = prefix + place.prefix
    }
    let street = Template(
      prefix: prefix,
      clauses: rule.filter { $0.part == .locality || $0.part == .street }
        .map { [Template.Part(words: "", column: $0.column)] })
    func press(_ name: Template, ofOnePlace: Bool) throws(PipelineError) -> CalendarPress {
      var options = options
      options.isOfOnePlace = ofOnePlace
      return try CalendarPress(
        site, of: feed, event, named: CalendarName(name, columns: table.columns),
        options: options, into: folder, measure, counters: counters)
    }
    let houses = try press(house, ofOnePlace: true)
    // The events of a street need their addresses.
    let streets = try press(street, ofOnePlace: false)
    self.houses = houses
    self.streets = streets
    self.site = site
    func index(_ part: SearchRule.Part) -> Int? { rule.firstIndex { $0.part == part } }
    self.street = index(.street).map { (index(.locality), $0) }
  }

  /// Writes all calendars. Returns the file of each street, and the number of calendars that are
  /// larger than Google takes. Throws if a file cannot be written.
  consuming func write() throws(PipelineError) -> (streets: [StreetFile], large: Int) {
    var large = 0
    let keys = site.events.map(\.key)
    try Self.forEachGroup(of: keys) { (key, events) throws(PipelineError) in
      large += try houses.write(events, as: "\(Self.houses)/\(hexadecimal(key)).ics")
    }
    guard let street else { return ([], large) }
    let site = site
    var files: [StreetFile] = []
    let names = site.events.map { event in
      Self.streetKey(site.rows[event.row].place, street, site)
    }
    try Self.forEachGroup(of: names) { (key, events) throws(PipelineError) in
      let path = "\(Self.streets)/\(hexadecimal(key)).ics"
      large += try streets.write(events, as: path)
      for event in events {
        let place = site.rows[site.events[event].row].place
        let file = StreetFile(
          locality: street.locality.map { site.cell(ofPlace: place, $0) },
          street: site.cell(ofPlace: place, street.street), path: path)
        if files.last != file { files.append(file) }
      }
    }
    return (files, large)
  }

  /// Calls `body` with each key, in their order, and the indexes that have it.
  private static func forEachGroup(
    of keys: [UInt64], _ body: (UInt64, ArraySlice<Int>) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let order = keys.indices.sorted { a, b in keys[a] != keys[b] ? keys[a] < keys[b] : a < b }
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, keys[order[end]] == keys[order[start]] { end += 1 }
      try body(keys[order[start]], order[start..<end])
      start = end
    }
  }

  /// The hash of a street and its locality, the same for all spellings.
  private static func streetKey(
    _ place: Int, _ street: (locality: Int?, street: Int), _ site: SiteRows
  ) -> UInt64 {
    var hash = FNV1a()
    for index in [street.locality, street.street] {
      if let index {
        Fold.forEachByte(of: site.texts.text(site.cell(ofPlace: place, index))) { hash.add($0) }
      }
      hash.add(0x1F)
    }
    return hash.value
  }
}

/// The calendar of a street.
struct StreetFile: Equatable {
  /// The numbers of the texts of its name, as in ``SiteRows/texts``. The first is nil if the feed
  /// has no localities.
  var locality: Int?
  var street: Int
  var path: String
}

/// Writes many calendars of one kind into a site, one after the other.
private struct CalendarPress: ~Copyable {
  private let site: SiteRows
  private let folder: SiteFolder
  private let box: CalendarKeeper.Box
  private var writer: CalendarWriter<CalendarKeeper>
  private let name: CalendarName
  private let revision: EventRevision
  private var record: Record

  init(
    _ site: SiteRows, of feed: Feed, _ event: Event, named name: consuming CalendarName,
    options: CalendarOptions, into folder: SiteFolder, _ measure: OutputMeasure,
    counters: Counters
  ) throws(PipelineError) {
    let box = CalendarKeeper.Box()
    // First: a noncopyable struct is initialized as a whole or not at all.
    let writer = try CalendarWriter(
      site.table, of: feed, event, options: options,
      into: CalendarKeeper(box: box, measure: measure), counters: counters)
    self.writer = writer
    self.box = box
    self.site = site
    self.folder = folder
    self.name = name
    revision = EventRevision(stamp: options.stamp ?? options.date.seconds ?? 0)
    record = Record(columns: site.width)
  }

  /// Writes the calendar of some events of the site; there is at least one. Returns 1 if it is
  /// larger than Google takes, else 0.
  mutating func write(_ events: ArraySlice<Int>, as path: String) throws(PipelineError) -> Int {
    box.bytes.removeAll()
    for index in events {
      let event = site.events[index]
      site.read(event.row, into: &record)
      if index == events.first { try writer.begin(name, of: record) }
      try writer.write(
        record, as: event.identity, event.revision ?? revision, event: event.index)
    }
    try writer.end()
    try folder.write(path, RawSpan(_unsafeBytes: box.bytes.contents))
    return Statistics.isLarge(events: events.count, bytes: box.bytes.count) ? 1 : 0
  }
}

/// Keeps the bytes of one calendar.
private struct CalendarKeeper: ByteStage, ~Copyable {
  final class Box { var bytes = ByteBuffer(capacity: 64 << 10) }

  let box: Box
  let measure: OutputMeasure

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try measure.add(bytes.byteCount)
    box.bytes.append(bytes)
  }

  consuming func finish() {}
}

private func hexadecimal(_ number: UInt64) -> String {
  var bytes = ByteBuffer(capacity: 16)
  bytes.append(hexadecimal: number)
  return String(decoding: bytes.contents, as: UTF8.self)
}
