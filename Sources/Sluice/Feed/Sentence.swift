/// The text around a part of a template that is an ordinary sentence.
///
///     "{a} at {b} °C, {c} (in {d})!"
///
///     part   separator   opening   after   closing
///     a
///     b      " at "                " °C"
///     c      ", "
///     d      " "         "(in "            ")"        and "!" is the template's suffix
///
/// The text between two parts is cut before its last mark, a comma, a colon, a dash or the like:
/// what is before goes with the part before it. The rest separates, and stands only between parts
/// that have a text. Of several separators in a row the last one that is more than spaces stands.
/// Brackets go with what is in them.
package struct Joint: Sendable, Equatable {
  /// What separates the part from the one before it.
  package var separator = ""
  /// What opens the brackets that begin with this part; empty if none do.
  package var opening = ""
  /// What goes with the part.
  package var after = ""
  /// What closes the brackets that end with this part; empty if none do.
  package var closing = ""
  /// Whether it is in brackets that begin before it.
  package var isInside = false
}

extension Template {
  /// Reads an ordinary sentence with parts in braces. `pieces` are the texts around the parts, one
  /// more than there are parts.
  init(sentence pieces: [String], _ parts: [Part]) {
    self.init(prefix: pieces[0], clauses: [parts])
    var joints = [Joint](repeating: Joint(), count: parts.count)
    var closer: Character?
    /// The last piece with each closing bracket.
    var lastPlaces: [Character: Int] = [:]
    for (place, piece) in pieces.enumerated() {
      for character in piece where Self.closers.contains(character) {
        lastPlaces[character] = place
      }
    }
    for place in pieces.indices {
      var text = pieces[place][...]
      if let end = closer {
        if let found = text.firstIndex(of: end) {
          joints[place - 1].after = String(text[..<found])
          joints[place - 1].closing = String(end)
          text = text[text.index(after: found)...]
          closer = nil
        } else if place < parts.count {
          joints[place].isInside = true
        }
      }
      if closer == nil, place < parts.count,
        let opener = Self.opener(in: text, closedAfter: place, lastPlaces)
      {
        joints[place].opening = String(text[opener...])
        closer = Self.brackets[text[opener]]
        text = text[..<opener]
      }
      if place == 0 {
        prefix = String(text)
      } else if place == parts.count {
        suffix = text.allSatisfy { $0 == " " } ? "" : String(text)
      } else {
        let cut = Self.cut(of: text)
        // Brackets are behind all that goes with the part.
        if joints[place - 1].closing.isEmpty {
          joints[place - 1].after += text[..<cut]
        } else {
          joints[place - 1].closing += text[..<cut]
        }
        joints[place].separator = String(text[cut...])
      }
    }
    self.joints = joints
  }

  private static let brackets: [Character: Character] = [
    "(": ")", "[": "]", "«": "»", "“": "”", "„": "“",
  ]
  private static let closers = Set(brackets.values)
  /// Marks with a space after them, and those with a space before them.
  private static let marksBefore: Set<Character> = [",", ";", ":"]
  private static let marksAfter: Set<Character> = ["–", "—", "-", "/", "|", "·", "•", "→"]

  /// Returns the place of a bracket that is open at the end of a text, and closed in a later one.
  private static func opener(
    in text: Substring, closedAfter piece: Int, _ lastPlaces: [Character: Int]
  ) -> Substring.Index? {
    guard let place = text.lastIndex(where: { brackets[$0] != nil }),
      let closer = brackets[text[place]], !text[place...].dropFirst().contains(closer),
      let last = lastPlaces[closer], last > piece
    else { return nil }
    return place
  }

  /// Returns the place before the last mark of a text, and before the spaces around it. It is the
  /// begin of a text without marks.
  private static func cut(of text: Substring) -> Substring.Index {
    let mark = text.indices.last { place in
      let after = text.index(after: place)
      if text[place].isNewline { return true }
      if marksBefore.contains(text[place]) { return after == text.endIndex || text[after] == " " }
      return marksAfter.contains(text[place])
        && (place == text.startIndex || text[text.index(before: place)] == " ")
    }
    guard var cut = mark else { return text.startIndex }
    while cut > text.startIndex, text[text.index(before: cut)] == " " {
      cut = text.index(before: cut)
    }
    return cut
  }
}
