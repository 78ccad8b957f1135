import CSluice

/// Makes plain text of HTML.
///
///     <p>Bins &amp; bags<br>at <b>7</b>&nbsp;h</p><!-- x -->     Bins & bags ⏎ at 7 h
///
/// Tags and comments go, and so does all that is in `script` and `style`. White space is one space.
/// `<br>` breaks the line, and so does a paragraph, a heading, an item of a list or a row of a
/// table, once where several meet. References are decoded. A `<` that begins no tag stays.
struct HTMLText {
  /// A name of an element in small letters, of at most ten bytes: the first one in the highest. 0
  /// for a longer one.
  private typealias Name = UInt128

  /// The elements whose begin and end break the line, if none did just before. Those that are usual
  /// come first.
  private static let blocks: [Name] = [
    "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "table", "hr", "dd",
    "dl", "dt", "pre", "section", "article", "blockquote", "header", "footer", "main", "nav",
    "aside", "figure", "form", "address", "fieldset",
  ].map(name)
  /// The elements whose content is no text.
  private static let silent: [Name] = ["script", "style"].map(name)
  private static let lineBreak = name("br")
  private static let cells = [name("td"), name("th")]
  /// The longest of these names.
  private static let longestName = 10

  private static func name(_ text: String) -> Name {
    text.utf8.reduce(0) { $0 << 8 | Name($1) }
  }

  private let html: UnsafeRawBufferPointer
  private var index = 0
  /// What stands between the last character and the next one.
  private var spaceIsDue = false
  private var breaksDue = 0
  /// Whether a block has begun or ended since the last character.
  private var isAtBlock = false

  /// Whether a tag or a comment may still end. If none does, no later one is looked for.
  private var mayEndTags = true
  private var mayEndComments = true

  private init(_ html: UnsafeRawBufferPointer) { self.html = html }

  /// Appends the text of well-formed UTF-8 to `buffer`, without white space at its ends.
  static func append(_ html: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    var reader = HTMLText(html)
    reader.read(into: &buffer)
  }

  private mutating func read(into buffer: inout ByteBuffer) {
    let start = buffer.count
    while index < html.count {
      let byte = html[index]
      if byte == UInt8(ascii: "<"), skipTag() { continue }
      if byte == UInt8(ascii: "&"), let (value, length) = HTMLReference.scalar(in: html, at: index)
      {
        index += length
        if value == 0x20 || 9...13 ~= value {
          spaceIsDue = true
        } else {
          separate(&buffer, from: start)
          UTF8Encoding.append(value, to: &buffer)
        }
        continue
      }
      // A space that does not break is a character.
      if byte == 0x20 || byte &- 9 < 5 {
        spaceIsDue = true
        index += 1
        continue
      }
      separate(&buffer, from: start)
      // The character is text, whatever it is, and so are those after it.
      let first = index
      index += 1 + lengthOfText(at: index + 1)
      buffer.append(UnsafeRawBufferPointer(rebasing: html[first..<index]))
    }
  }

  /// Returns the number of bytes at `start` that are text as they stand. A space at their end is
  /// not known to be.
  private func lengthOfText(at start: Int) -> Int {
    guard let base = html.baseAddress, start < html.count else { return 0 }
    let text = (base + start).assumingMemoryBound(to: UInt8.self)
    let length = cscan_html_text(text, html.count - start)
    return length > 0 && text[length - 1] == UInt8(ascii: " ") ? length - 1 : length
  }

  /// Appends what is due before the next character. Nothing is due before the first one.
  private mutating func separate(_ buffer: inout ByteBuffer, from start: Int) {
    if buffer.count > start {
      let breaks = max(breaksDue, isAtBlock ? 1 : 0)
      for _ in 0..<breaks { buffer.append(UInt8(ascii: "\n")) }
      if breaks == 0, spaceIsDue { buffer.append(UInt8(ascii: " ")) }
    }
    (spaceIsDue, breaksDue, isAtBlock) = (false, 0, false)
  }

  /// Skips the tag or comment at the index. Returns false if there is none.
  private mutating func skipTag() -> Bool {
    guard let next = html[(index + 1)...].first else { return false }
    if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
      let isComment = html[index...].starts(with: "<!--".utf8)
      guard isComment ? mayEndComments : mayEndTags else { return false }
      guard let end = isComment ? end(of: "-->", from: index + 4) : end(of: ">", from: index + 2)
      else {
        if isComment { mayEndComments = false } else { mayEndTags = false }
        return false
      }
      index = end
      return true
    }
    let isEnd = next == UInt8(ascii: "/")
    let start = index + (isEnd ? 2 : 1)
    guard mayEndTags, start < html.count, (html[start] | 0x20) &- UInt8(ascii: "a") < 26 else {
      return false
    }
    guard let end = endOfTag(from: start) else {
      mayEndTags = false
      return false
    }
    let name = name(at: start)
    index = end
    if name == Self.lineBreak {
      breaksDue += isEnd ? 0 : 1
    } else if Self.cells.contains(name) {
      spaceIsDue = true
    } else if Self.blocks.contains(name) {
      isAtBlock = true
    } else if !isEnd, Self.silent.contains(name) {
      skipContent(of: name)
    }
    return true
  }

  /// Returns the name of the tag whose name begins at `start`.
  private func name(at start: Int) -> Name {
    var (name, index) = (0 as Name, start)
    while index < html.count {
      let byte = html[index]
      let letter = byte < 0x40 ? byte : byte | 0x20
      guard letter &- UInt8(ascii: "a") < 26 || letter &- UInt8(ascii: "0") < 10 else { break }
      guard index - start < Self.longestName else { return 0 }
      name = name << 8 | Name(letter)
      index += 1
    }
    return name
  }

  /// Returns the index after the tag's end; nil if it has none. Quoted attributes may contain `>`,
  /// if the quotes end.
  private func endOfTag(from start: Int) -> Int? {
    var quote: UInt8?
    for place in start..<html.count {
      let byte = html[place]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return place + 1
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"),
        html[place - 1] == UInt8(ascii: "=") || html[place - 1] == UInt8(ascii: " ")
      {
        quote = byte
      }
    }
    return quote == nil ? nil : end(of: ">", from: start)
  }

  /// Skips what is in an element that is no text. All the rest is in one that does not end.
  private mutating func skipContent(of name: Name) {
    while let place = end(of: "</", from: index) {
      index = place
      guard self.name(at: place) == name else { continue }
      index = endOfTag(from: place) ?? html.count
      return
    }
    index = html.count
  }

  /// Returns the index after the first `text` from `start` on; nil if there is none.
  private func end(of text: StaticString, from start: Int) -> Int? {
    let count = text.utf8CodeUnitCount
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: count)
    var place = start
    while place + count <= html.count {
      if html[place..<place + count].elementsEqual(wanted) { return place + count }
      place += 1
    }
    return nil
  }
}
