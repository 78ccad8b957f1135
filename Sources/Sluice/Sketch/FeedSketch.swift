/// What a sample of data suggests as a feed: what ``FeedDocument`` could read.
package struct FeedSketch: Equatable, Sendable {
  /// A column, and what suggested it.
  package struct Column: Equatable, Sendable {
    package var name: String
    package var path: Path
    /// The path goes on from that of the rows.
    package var isOwn: Bool
    package var rule: Rule
    /// What its numbers count since 1970.
    package var unix: UnixTime?
    package var isRequired = false
    package var skip: String?
    /// Values that are not of this kind; nil where there are none.
    package var misfits: Misfits?
    package var example: String
  }

  /// Values that are not of their column's kind: their records will be refused.
  package struct Misfits: Equatable, Sendable {
    package var count: Int
    /// How many values there are in all.
    package var values: Int
    /// The first of them, and the record that it stands in, counted from 1.
    package var first: String
    package var record: Int
  }

  /// Why something is no column.
  package enum Omission: Equatable, Sendable {
    /// It comes after the rows that it belongs to.
    case late
    /// It is a list inside of the row. The way to a value of its first element, where there is
    /// one, and whether its elements are objects, which could be rows.
    case list(first: Path?, hasObjects: Bool)
    /// There are lists or objects, or several kinds of values.
    case mixed
    /// There never is a value.
    case empty
    /// Its name cannot be written in a path.
    case name
  }

  /// Something that is no column.
  package struct Omitted: Equatable, Sendable {
    package var path: Path
    package var why: Omission
  }

  /// What makes a row an event.
  package struct Event: Equatable, Sendable {
    package var start: String
    package var end: String?
    /// The columns of its title.
    package var title: [String]
    /// All of them would begin with one time that stands around them, such as when the data was
    /// made: hardly what is meant.
    package var isDoubtful = false
  }

  package var envelope: Envelope?
  package var rows: Path
  /// How many rows there are.
  package var count: Int
  package var columns: [Column]
  package var omitted: [Omitted]
  /// The columns that tell what an event is about; empty where there are none to tell.
  package var key: [String]
  package var event: Event?
}

/// Why a sample suggests no feed.
package enum SketchFault: Error, Equatable, Sendable {
  /// It could not be read.
  case unreadable(PipelineError)
  /// It has no list of objects; these are its keys.
  case noRows(keys: [String])
  /// It has to be read twice, which standard input cannot be.
  case wantsFile
}

/// Looks at a sample of a feed's data, in any of the forms that are read, and suggests a feed.
package func sketchFeed(_ input: Input) throws(SketchFault) -> FeedSketch {
  let tree = try look(at: input, envelope: nil)
  if let place = tree.payload, let envelope = SketchEnvelope.around(place, in: tree) {
    guard input != .standardInput else { throw .wantsFile }
    var sketch = try SketchRows(try look(at: input, envelope: envelope)).sketch()
    sketch.envelope = envelope
    return sketch
  }
  return try SketchRows(tree).sketch()
}

/// Reads a sample whole.
private func look(at input: Input, envelope: Envelope?) throws(SketchFault) -> SampleTree {
  let tree = SampleTree()
  let tally = Tally()
  // What is asked of a feed before its data is known.
  let feed = Feed(
    name: "sample", summary: Localized(ru: "", en: ""), maxAge: 0, language: .en, clockOffset: 0,
    rows: [.each], fields: [])
  do throws(PipelineError) {
    let source = try Source(Conversion(feed, input))
    try source.push(
      into: InputStage(
        InputRoutes(
          into: SampleReader(tree), options: DecodingOptions(envelope: envelope), tally: tally)),
      tally: tally)
  } catch {
    throw .unreadable(error)
  }
  return tree
}

/// Suggests an envelope around a payload.
enum SketchEnvelope {
  /// The envelope; nil where no envelope could have the payload there.
  static func around(_ payload: Int, in tree: SampleTree) -> Envelope? {
    let place = tree.places[payload]
    guard case .key? = place.path.steps.last, place.parent >= 0 else { return nil }
    let parent = tree.places[place.parent]
    let beside = parent.childOrder.filter { $0 != payload }
      .compactMap { sibling in
        tree.payloadSiblings[sibling].map { (path: tree.places[sibling].path, value: $0) }
      }
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
    if let status, status.strings == 1 {
      envelope.status = Envelope.Test(path: status.path, value: status.example)
    }
    return envelope
  }
}
