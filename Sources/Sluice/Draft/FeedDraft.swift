/// A feed suggested by a sample of data. ``FeedDocument`` could read it.
package struct FeedDraft: Equatable, Sendable {
  /// A column, and the findings that suggest it.
  package struct Column: Equatable, Sendable {
    package var name: String
    package var path: Path
    /// Whether the path continues the path of the rows.
    package var isOwn: Bool
    package var kind: FieldKind
    /// The unit of its numbers, counted since 1970; nil if they are not times.
    package var unix: UnixTime?
    /// How its values are read, if not in the usual forms of its kind.
    package var reading: Reading?
    package var isRequired = false
    package var skip: String?
    /// Values that are not of this kind; nil if there are none.
    package var misfits: Misfits?
    package var example: String

    /// Whether it has words, and not days whose order of day and month is unknown.
    var isWords: Bool { kind == .text && reading == nil }
  }

  /// Values that are not of their column's kind. Their records will be rejected.
  package struct Misfits: Equatable, Sendable {
    package var count: Int
    /// The number of all values.
    package var values: Int
    /// The first misfit, and the number of its record, counted from 1.
    package var first: String
    package var record: Int
  }

  /// Reasons that something is not a column.
  package enum Omission: Equatable, Sendable {
    /// It is a value of the document that comes after the rows.
    case late
    /// It is a list inside the row. `first` is the path to a value of its first element; nil if
    /// there is none. `hasObjects` tells whether its elements are objects, which could be rows.
    case list(first: Path?, hasObjects: Bool)
    /// It is an object whose keys are data, which could be rows.
    case keyed
    /// It is another list than that of the rows.
    case beside
    /// Its values are lists or objects, or of several kinds.
    case mixed
    /// It never has a value.
    case empty
    /// A path cannot contain its name.
    case name
    /// It is a list of another length than those that rows are made of.
    case otherLength
  }

  /// Something that is not a column.
  package struct Omitted: Equatable, Sendable {
    package var path: Path
    package var why: Omission
  }

  /// The columns that make a row an event.
  package struct Event: Equatable, Sendable {
    package var start: String
    package var end: String?
    /// The columns of the times of day at which it begins and ends, if a clock is known.
    package var startTime: String?
    package var endTime: String?
    /// The columns of its title.
    package var title: [String]
    /// Whether the start is one time outside the rows, such as the time at which the data was made.
    /// All events would then start at the same time, which is hardly intended.
    package var isDoubtful = false
  }

  /// What a row is.
  package enum RowForm: Equatable, Sendable { case objects, lists, values }

  /// The heading of a column in the first row, which is to be left out.
  package struct Heading: Equatable, Sendable {
    package var column: String
    package var text: String
  }

  package var envelope: Envelope?
  package var rows: Path
  package var form = RowForm.objects
  package var heading: Heading?
  /// The parallel lists that the rows are made of; empty if the rows are values themselves.
  package var zip: [Path] = []
  /// The number of rows.
  package var count: Int
  package var columns: [Column]
  package var omitted: [Omitted]
  /// The columns that identify an event; empty if no columns can.
  package var key: [String]
  package var event: Event?
}

/// Reasons that a sample suggests no feed.
package enum DraftFault: Error, Equatable, Sendable {
  /// The sample could not be read.
  case unreadable(PipelineError)
  /// The sample has no rows. `keys` are its keys.
  case noRows(keys: [String])
  /// The sample comes from standard input or a URL, and is too large to be kept.
  case wantsFile
}

/// Suggests an envelope around a payload.
enum DraftEnvelope {
  /// Returns the envelope; nil if no envelope can have its payload at that place.
  static func around(_ payload: Int, in tree: SampleTree) -> Envelope? {
    let place = tree.places[payload]
    guard case .key? = place.path.steps.last, place.parent >= 0 else { return nil }
    let parent = tree.places[place.parent]
    let beside = parent.childOrder.filter { $0 != payload && tree.places[$0].path.isWritable }
      .compactMap { sibling in
        tree.payloadSiblings[sibling].map { (path: tree.places[sibling].path, value: $0) }
      }
      .filter { Path.isWritable($0.value) }
    guard place.path.isWritable else { return nil }
    var envelope = Envelope(status: nil, match: nil, payload: place.path, version: nil)
    switch place.path.arrays {
    case 0: break
    case 1 where parent.path.steps.last == .each:
      let mark =
        beside.first { $0.path.lastKey.lowercased().hasSuffix("id") } ?? beside.first
      guard let mark else { return nil }
      envelope.match = Envelope.Test(path: mark.path, value: mark.value)
    default: return nil
    }
    envelope.version = beside.first { $0.path.lastKey.lowercased() == "version" }?.path
    let status = tree.places[0].children[.key("status")].map { tree.places[$0] }
    if let status, status.strings == 1, Path.isWritable(status.example) {
      envelope.status = Envelope.Test(path: status.path, value: status.example)
    }
    return envelope
  }
}
