/// Makes plain text of HTML.
///
///     <p>Bins &amp; bags<br>at <b>7</b>&nbsp;h</p><!-- x -->     Bins & bags ⏎ at 7 h
///
/// Tags and comments go, and so does all that is in `script` and `style`. White space is one space.
/// `<br>` breaks the line, and so does a paragraph, a heading, an item of a list or a row of a table,
/// once where several meet. References are decoded. A `<` that begins no tag stays.
struct HTMLText {
  /// The elements whose begin and end break the line, if none did just before.
  private static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "dd", "div", "dl", "dt", "fieldset", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol",
    "p", "pre", "section", "table", "tr", "ul",
  ]
  /// The elements whose content is no text.
  private static let silent: Set<String> = ["script", "style"]
  /// The longest name of these.
  private static let longestName = 10

  private let html: UnsafeRawBufferPointer
  private var index = 0
  /// What stands between the last character and the next one.
  private var spaceIsDue = false
  private var breaksDue = 0
  /// Whether a block has begun or ended since the last character.
  private var isAtBlock = false

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
      repeat {
        buffer.append(html[index])
        index += 1
      } while index < html.count && html[index] & 0xC0 == 0x80
    }
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
      guard let end = isComment ? end(of: "-->", from: index + 4) : end(of: ">", from: index + 2)
      else { return false }
      index = end
      return true
    }
    let isEnd = next == UInt8(ascii: "/")
    let start = index + (isEnd ? 2 : 1)
    guard start < html.count, (html[start] | 0x20) &- UInt8(ascii: "a") < 26,
      let end = endOfTag(from: start)
    else { return false }
    let name = name(at: start)
    index = end
    if name == "br" {
      breaksDue += isEnd ? 0 : 1
    } else if name == "td" || name == "th" {
      spaceIsDue = true
    } else if Self.blocks.contains(name) {
      isAtBlock = true
    } else if !isEnd, Self.silent.contains(name) {
      skipContent(of: name)
    }
    return true
  }

  /// Returns the name of the tag whose name begins at `start`, in small letters; empty for a long one.
  private func name(at start: Int) -> String {
    let name = html[start...].prefix(Self.longestName + 1).prefix { byte in
      (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }
    guard name.count <= Self.longestName else { return "" }
    return String(decoding: name.map { $0 < 0x40 ? $0 : $0 | 0x20 }, as: UTF8.self)
  }

  /// Returns the index after the tag's end; nil if it has none. Quoted attributes may contain `>`.
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
    return nil
  }

  /// Skips what is in an element that is no text. All the rest is in one that does not end.
  private mutating func skipContent(of name: String) {
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
