import Sluice

extension ItemList.Search {
  /// The largest number of suggestions.
  private static let mostSuggestions = 50

  /// The variables of the environment that the parameters need.
  package var variables: [String] {
    var names: [String] = []
    for name in parameters.flatMap(\.value.variables) where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  /// Returns the names that the search finds for a text. Blocks until the answer arrives.
  ///
  /// Throws errors of the request. Their texts show no secrets.
  package func suggestions(
    for text: String, of feed: Feed, mirror: String? = nil, secrets: RequestSecrets,
    certificateFile: String? = nil
  ) throws(PipelineError) -> [Suggestion] {
    let url = RequestURLMaker(parameters: parameters, mirror: mirror, secrets: secrets)
      .url(self.url, values: [Self.text: text])
    do throws(PipelineError) {
      try CurlLibrary.load()
      return try RetryRule().attempt(.system) { (_) throws(PipelineError) in
        try ask(url.real, as: self.feed(of: feed), certificateFile)
      }
    } catch {
      let shown = secrets.hide(in: error, of: url)
      guard error.class == .unauthorized, !variables.isEmpty else { throw shown }
      var fault = RequestsFault(
        first: shown, name: .document, missing: [.document], kept: 0, remedy: .resume)
      fault.variables = variables
      throw PipelineError(fault)
    }
  }

  private func ask(_ url: String, as feed: Feed, _ certificateFile: String?)
    throws(PipelineError) -> [Suggestion]
  {
    var found: [Suggestion] = []
    var reader = RowReader(feed) { record in
      var texts: [String] = []
      for column in record.texts.indices {
        texts.append(String(decoding: record.text(column), as: UTF8.self))
      }
      guard found.count < Self.mostSuggestions, let suggestion = suggestion(texts),
        !found.contains(suggestion)
      else { return }
      found.append(suggestion)
    }
    try HTTPSource(url: url, certificateFile: certificateFile, headers: [])
      .run(into: &reader, counters: Counters())
    try reader.finish()
    return found
  }
}

extension ItemList.Search {
  /// Returns the answer's structure as a feed of suggestions, with a column for each text that they
  /// are made of.
  func feed(of other: Feed) -> Feed {
    var feed = other
    feed.requests = nil
    feed.envelope = nil
    let fields = columns.map { column in
      Field(
        path: Path(rows.steps + column.split(separator: ".").map { .key(String($0)) }),
        kind: .text, columns: [column])
    }
    feed.tables = [Table("suggestions", rows: rows, fields: fields)]
    return feed
  }

  /// The texts that make up a suggestion, by their paths from a row.
  var columns: [String] {
    var columns: [String] = []
    for name in add.values + (show?.values ?? []) where !columns.contains(name) {
      columns.append(name)
    }
    return columns
  }

  /// Makes a suggestion of the texts of a row. Returns nil if its name would be empty.
  func suggestion(_ texts: [String]) -> Suggestion? {
    let values = Dictionary(zip(columns, texts)) { first, _ in first }
    let name = add.filled(values)
    guard !name.isEmpty else { return nil }
    let details = show?.filled(values) ?? ""
    return Suggestion(name: name, details: details == name ? "" : details)
  }
}

extension PlacedText {
  /// Returns the text with its values filled in. An empty value is left out together with the text
  /// before it, so that no comma is left over.
  func filled(_ values: [String: String]) -> String {
    var result = ""
    var between = ""
    for piece in pieces {
      switch piece {
      case .text(let text): between = text
      case .variable: between = ""
      case .value(let name):
        let value = values[name] ?? ""
        if !value.isEmpty {
          result += result.isEmpty && name != self.values.first ? value : between + value
        }
        between = ""
      }
    }
    return result + between
  }
}

/// A name that a search has found for a list.
package struct Suggestion: Sendable, Equatable {
  /// The name to add.
  package var name: String
  /// Further text that distinguishes it from others. Empty if there is none.
  package var details: String
}
