import Foundation

/// The relative links of a page of the documentation.
struct DocumentationLinks {
  private let page: String
  private let text: String

  /// Reads a page of the repository.
  init(of page: String) throws {
    self.init(of: page, try String(contentsOfFile: Samples.path(page), encoding: .utf8))
  }

  init(of page: String, _ text: String) {
    self.page = page
    self.text = text
  }

  /// The links that lead to no file, or to no heading of a page.
  var broken: [String] {
    let prose = Self.prose(of: text)
      .map { $0.replacing(/`[^`]*`/, with: "") }.joined(separator: "\n")
    return prose.matches(of: /\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/)
      .map { String($0.1 ?? $0.2 ?? "") }
      .filter { !$0.contains(/^[a-z]+:/) && !isThere($0) }
  }

  private func isThere(_ link: String) -> Bool {
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let place = URL(fileURLWithPath: Samples.path(page)).deletingLastPathComponent()
    let file = parts[0].isEmpty ? page : String(parts[0])
    let path =
      parts[0].isEmpty
      ? Samples.path(page) : place.appendingPathComponent(file).standardizedFileURL.path
    guard Samples.isThere(path) else { return false }
    guard parts.count == 2 else { return true }
    let target = parts[0].isEmpty ? text : (try? String(contentsOfFile: path, encoding: .utf8))
    return Self.anchors(of: target ?? "").contains(parts[1].removingPercentEncoding ?? "")
  }

  /// The lines outside of fenced blocks.
  private static func prose(of text: String) -> [Substring] {
    var isCode = false
    return text.split(separator: "\n").filter { line in
      guard line.drop(while: { $0 == " " }).hasPrefix("```") else { return !isCode }
      isCode.toggle()
      return false
    }
  }

  /// The anchors that GitHub gives a page's headings: in lower case, without punctuation, with
  /// hyphens for spaces, and with a number if there was one like it before.
  private static func anchors(of text: String) -> Set<String> {
    var anchors: Set<String> = []
    for line in prose(of: text) {
      anchors.formUnion(line.matches(of: /<a (?:name|id)="([^"]+)"/).map { String($0.1) })
      guard let title = line.wholeMatch(of: /#{1,6} +(.*?) *#*/)?.1 else { continue }
      // A link in a heading counts with its text alone.
      let words = title.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }.lowercased()
      let kept = words.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
      let anchor = kept.replacing(" ", with: "-")
      var number = 0
      while !anchors.insert(number == 0 ? anchor : "\(anchor)-\(number)").inserted { number += 1 }
    }
    return anchors
  }
}
