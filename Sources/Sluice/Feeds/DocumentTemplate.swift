extension Template {
  /// Reads a template as a feed document writes it: words, then parts in braces, each of words and
  /// a column, with a space or a comma and a space between them. Names of columns are not checked.
  static func read(_ text: String) throws(Flaw) -> Template {
    var rest = Array(text.utf8)[...]
    let prefix = rest.take { $0 != .open }
    guard !prefix.contains(.close) else { throw Flaw(.brace) }
    var clauses: [[Part]] = []
    while !rest.isEmpty {
      let between = rest.take { $0 != .open }
      if clauses.isEmpty || between.elementsEqual(", ".utf8) {
        clauses.append([])
      } else if !between.elementsEqual(" ".utf8) {
        throw Flaw(between.contains(.close) ? .brace : .textBetween(Self.string(between)))
      }
      guard !rest.isEmpty else { throw Flaw(.textBetween(Self.string(between))) }
      rest.removeFirst()
      let inside = rest.take { $0 != .open && $0 != .close }
      guard rest.popFirst() == .close else { throw Flaw(.brace) }
      var words = inside.split(separator: UInt8(ascii: " "))
      guard let column = words.popLast() else { throw Flaw(.empty) }
      clauses[clauses.count - 1].append(
        Part(words: words.map { Self.string($0) + " " }.joined(), column: Self.string(column)))
    }
    return Template(prefix: Self.string(prefix), clauses: clauses)
  }

  private static func string(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Why a text is no template.
  struct Flaw: Error {
    let flaw: FeedDocumentFault.TemplateFlaw
    init(_ flaw: FeedDocumentFault.TemplateFlaw) { self.flaw = flaw }
  }
}

extension UInt8 {
  fileprivate static let open = UInt8(ascii: "{")
  fileprivate static let close = UInt8(ascii: "}")
}

extension ArraySlice {
  /// Takes the elements from the beginning that are fit.
  mutating func take(while isFit: (Element) -> Bool) -> ArraySlice {
    let taken = prefix(while: isFit)
    removeFirst(taken.count)
    return taken
  }
}
