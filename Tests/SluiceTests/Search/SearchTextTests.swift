import Testing

@testable import Sluice

/// The column of a database in which SQL searches.
@Suite struct SearchTextTests {
  private func text(_ columns: String...) -> String {
    var line = ByteBuffer(capacity: 16)
    for column in columns {
      var column = column
      column.withUTF8 { SearchText.append(UnsafeRawBufferPointer($0), to: &line) }
    }
    return String(decoding: line.contents, as: UTF8.self)
  }

  @Test(arguments: [
    ("Непокорённых", "непокоренных"), ("НЕПОКОРЁННЫХ", "непокоренных"),
    ("пр. Непокоре\u{308}нных", "пр непокоренных"), ("и\u{306}од", "йод"), ("О'Нил’c", "онилc"),
    ("Straße Ähre", "strasse ahre"), ("12/3", "12 3"), ("22Б", "22б"), (" — 5 — ", "5"), ("№", ""),
    ("", ""), ("東京 1", "東京 1"),
  ])
  func `a text has its words in small letters`(text: String, folded: String) {
    #expect(self.text(text) == folded)
  }

  @Test func `the columns follow one another, without the missing ones`() {
    #expect(text("Садовая", "", "5", "А") == "садовая 5 а")
  }

  @Test func `an address begins with the street, whatever the document says first`() {
    let rule = SearchRule(items: [
      .init(column: "town", part: .locality), .init(column: "no", part: .house),
      .init(column: "road", part: .street), .init(column: "letter", part: .letter),
      .init(column: "block", part: .building),
    ])
    #expect(SearchText.order(of: rule) == ["road", "no", "block", "letter", "town"])
    let words = SearchRule(items: [.init(column: "id"), .init(column: "name")])
    #expect(SearchText.order(of: words) == ["id", "name"])
  }
}
