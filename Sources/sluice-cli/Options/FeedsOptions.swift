import Sluice

/// What `feeds` is asked to do.
enum FeedsOptions: Equatable, Sendable {
  case list
  case describe(Feed)
  /// Prints the document of a built-in feed.
  case document([UInt8])
  /// Says that a document is right, and what a sample gives, where there is one.
  case check(Feed, file: String, sample: Input?)
  /// Makes a document of a sample.
  case new(Input)

  /// Reads the options; only one thing can be asked for.
  init(_ arguments: Arguments, operand: String?) throws(UsageError) {
    let asked: [OptionName] = [.check, .new, .document].filter {
      arguments.has($0)
    }
    if asked.count > 1 { throw .onlyOne(asked[0].spelled, asked[1].spelled) }
    if let path = arguments[.check] {
      let feed = try Feed.read(path)
      let sample = try operand.map { text throws(UsageError) in try Input(text, of: feed) }
      self = .check(feed, file: path, sample: sample)
    } else if let sample = arguments[.new] {
      if let operand { throw .excessOperand(operand) }
      self = .new(try Input(sample))
    } else if arguments.has(.document) {
      guard let operand else { throw .missingOperand("NAME") }
      guard let document = Feed.document(named: operand) else { throw .unknownFeed(operand) }
      self = .document(document)
    } else {
      self =
        try operand.map { name throws(UsageError) in .describe(try Feed.known(as: name)) } ?? .list
    }
  }
}
