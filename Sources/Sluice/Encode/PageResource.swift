/// A file of a site's page that is the same for every feed. `Page/` has what a person wrote of it.
package struct PageResource: Sendable {
  /// The file's name in the site.
  package let name: String
  /// Its content.
  package let bytes: [UInt8]

  /// The start of a script that gives the page data: an assignment of JSON follows. From `file://`
  /// a page can read nothing but scripts.
  package static func scriptStart(_ name: String) -> String {
    "window.sluice = window.sluice || {}; window.sluice.\(name) = "
  }

  /// All of them, by name: the page, its style, its scripts, and the tables of the search.
  package static func all() -> [PageResource] {
    let files = PageFiles.all.map { file in
      PageResource(
        name: "\(file.name)",
        bytes: Array(
          UnsafeBufferPointer(start: file.text.utf8Start, count: file.text.utf8CodeUnitCount)))
    }
    return (files + [words]).sorted { $0.name < $1.name }
  }

  private static var words: PageResource {
    var bytes = Array(scriptStart("words").utf8)
    for byte in SearchWords.json() where byte != UInt8(ascii: "\n") {
      // As in every script of a site: no text can end it.
      bytes += byte == UInt8(ascii: "<") ? Array("\\u003c".utf8) : [byte]
    }
    return PageResource(name: "words.js", bytes: bytes + Array(";\n".utf8))
  }
}
