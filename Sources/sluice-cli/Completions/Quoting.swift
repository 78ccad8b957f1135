extension String {
  /// The text with `escape` in place of every character that is one of `characters`; `$` in the
  /// escape stands for the character.
  func escaping(_ characters: String, as escape: String) -> String {
    reduce(into: "") { result, character in
      guard characters.contains(character) else { return result.append(character) }
      for part in escape { result.append(part == "$" ? character : part) }
    }
  }
}
