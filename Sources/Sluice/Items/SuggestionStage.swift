/// Keeps the suggestions of an answer.
struct SuggestionStage: RecordStage, ~Copyable {
  /// Where they are.
  final class Box {
    var suggestions: [Suggestion] = []
  }

  private static let most = 50
  private let search: ItemList.Search
  private let box: Box

  init(_ search: ItemList.Search, _ box: Box) {
    self.search = search
    self.box = box
  }

  mutating func write(_ record: borrowing Record) {
    var texts: [String] = []
    for column in record.texts.indices {
      texts.append(String(decoding: record.text(column), as: UTF8.self))
    }
    guard box.suggestions.count < Self.most, let suggestion = search.suggestion(texts),
      !box.suggestions.contains(suggestion)
    else { return }
    box.suggestions.append(suggestion)
  }

  consuming func finish() {}
}
