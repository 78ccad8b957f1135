/// Watches the way from an answer's start to the list of an ``Envelope``: each field on it must be
/// there once, the last hold the list and the others an object.
struct EnvelopeWay {
  private struct Turn {
    let field: String
    let kind: TokenKind
    var isSeen = false
  }

  /// The paths of the fields, outermost first; the way to the first list only.
  let paths: [Path]
  private var turns: [Turn]

  init(to payload: Path) {
    let steps = payload.steps
    paths = (1..<steps.count).map { Path(Array(steps.prefix($0))) }
      .prefix { !$0.steps.contains(.each) }
    turns = paths.map { path in
      let isList = steps[path.steps.count] == .each
      return Turn(field: path.lastKey, kind: isList ? .beginArray : .beginObject)
    }
  }

  /// Takes the token with which the value of a field begins; tells what is wrong with it.
  mutating func read(_ index: Int, _ kind: TokenKind, _ keys: KeysSeen) -> EnvelopeFault? {
    let turn = turns[index]
    turns[index].isSeen = true
    if turn.isSeen { return .twice(field: turn.field) }
    if kind == turn.kind { return nil }
    return .wrongKind(
      field: turn.field, found: kind, wanted: turn.kind, keys: keys.at(depth: index + 1))
  }

  /// Tells which field is not there.
  func missing(_ keys: KeysSeen) -> EnvelopeFault? {
    guard let index = turns.firstIndex(where: { !$0.isSeen }) else { return nil }
    return .missing(field: turns[index].field, keys: keys.at(depth: index + 1))
  }
}
