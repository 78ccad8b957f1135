/// The clock that a feed's times are shown on. It decides the text of an instant, and with it the
/// day that groups, `--from` and `--to` see.
package enum Clock: Sendable, Equatable {
  /// None: an instant keeps the offset that it was written with. A Unix time is shown in UTC.
  case written
  /// A clock at this offset from UTC, in seconds; positive is east.
  case offset(Int)
  /// The clocks of a time zone, by its name in the system's database.
  case zone(String)
}

/// The zone of one field.
package enum FieldZone: Sendable, Equatable {
  /// The zone with this name.
  case named(String)
  /// The zone whose name the document has at this path.
  case path(Path)

  /// Whether its name is in the document.
  var isRead: Bool { if case .path = self { true } else { false } }
}

/// What becomes of local times that a change of the clocks makes doubtful.
package struct ClockChanges: Sendable, Equatable {
  /// A time that clocks pass over.
  package enum Gap: String, Sendable, CaseIterable {
    /// Its record is rejected.
    case reject
    /// It is read by the clock before the change: 01:30 becomes 02:30.
    case later
  }

  /// A time that comes twice.
  package enum Overlap: String, Sendable, CaseIterable {
    /// The first of the two is meant.
    case earlier
    /// The second of the two is meant.
    case later
    /// Its record is rejected.
    case reject
  }

  package var gap = Gap.reject
  package var overlap = Overlap.earlier
}

/// The time zones of a run: those that its feed names, read from the system's database at the
/// start.
package struct Zones: Sendable {
  /// The zone of the feed's clock; nil if the feed has no clock.
  let clock: Zone?
  /// The zones that the feed names, the clock's among them.
  let named: [String: Zone]

  /// Reads the zones of a feed. Throws ``FeedFault/noZone(_:_:)`` if one cannot be read.
  package init(of feed: Feed) throws(PipelineError) {
    var named: [String: Zone] = [:]
    for name in feed.zoneNames where named[name] == nil {
      do throws(ZoneFile.Fault) {
        named[name] = try ZoneFile.zone(named: name)
      } catch {
        throw PipelineError(.normalize(.noZone(name, error)))
      }
    }
    clock =
      switch feed.clock {
      case .written: nil
      case .offset(let seconds): Zone(offset: seconds)
      case .zone(let name): named[name]
      }
    self.named = named
  }

  /// No zone and no clock.
  init() { (clock, named) = (nil, [:]) }

  /// The clock of times that are not the feed's own: of an archive, and of today.
  package var local: Zone { clock ?? .utc }
}

extension Feed {
  /// The names of the time zones in its document.
  fileprivate var zoneNames: [String] {
    var names: [String] = []
    if case .zone(let name) = clock { names.append(name) }
    for table in tables {
      for index in table.fields.indices {
        if case .named(let name) = table.fields[index].zone { names.append(name) }
      }
      for case .named(let name) in table.events.map(\.timing?.zone) { names.append(name) }
    }
    return names
  }

  /// The zone of its clock; UTC if it cannot be read. Reading the feed tells why it cannot.
  package var localZone: Zone {
    switch clock {
    case .written: .utc
    case .offset(let seconds): Zone(offset: seconds)
    case .zone(let name): (try? ZoneFile.zone(named: name)) ?? .utc
    }
  }

  /// The zone in which the times of a column are shown, as far as the document tells it.
  package func localZone(of column: String, in table: Table) -> Zone {
    let field = table.fields.first { $0.columns.contains(column) }
    guard case .named(let name) = field?.zone else { return localZone }
    return (try? ZoneFile.zone(named: name)) ?? localZone
  }

  /// Whether the database of time zones is needed to read it.
  package var usesZones: Bool {
    !zoneNames.isEmpty
      || tables.contains { table in
        (table.fields.map(\.zone) + table.events.map(\.timing?.zone)).contains { zone in
          if case .path = zone { true } else { false }
        }
      }
  }
}
