/// A fact about the input that a row came from. A column may have it.
///
///     sluice convert nights/2026-01-05.json nights/2026-01-06.json
///
///     $input        nights/2026-01-05.json
///     $input.name   2026-01-05.json
///     $input.date   2026-01-05
package enum InputFact: String, Sendable, Equatable, CaseIterable {
  /// The path, or the URL without secrets; `-` for standard input.
  case path = "$input"
  /// The last part of the path.
  case name = "$input.name"
  /// The day of the content: that in the name, if `--input-date` says where, else that of an
  /// archive's entry or of the file. Empty if it is not known.
  case date = "$input.date"
}

/// The facts about one input.
package struct InputFacts: Sendable, Equatable {
  /// Its path, or its URL without secrets; `-` for standard input.
  package var path: String
  /// The day of its content; nil if it is not known.
  package var day: Day?

  /// The day of an archive's entry, if it is known. The day of a file may be that of a copy.
  package var entryDay: Day?

  /// The last part of the path.
  package var name: String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns the text of a fact; empty if it is not known.
  func text(of fact: InputFact) -> String {
    switch fact {
    case .path: path
    case .name: name
    case .date: day.map { "\($0)" } ?? ""
    }
  }
}

extension Feed {
  /// The columns that ``addInputColumns()`` adds.
  package static let inputColumns = ["input", "input_date"]

  /// Adds two columns to each table: the path of the input, and the day of its content.
  package mutating func addInputColumns() {
    for index in tables.indices {
      for (name, fact) in zip(Self.inputColumns, [InputFact.path, .date]) {
        var field = Field(path: Path([]), kind: fact == .date ? .day : .text, columns: [name])
        field.made = MadeText(of: fact)
        tables[index].fields.append(field)
      }
    }
  }
}

extension Table {
  /// Whether a column has this fact about the input, or any if it is nil.
  func uses(_ fact: InputFact? = nil) -> Bool {
    fields.contains { field in field.made?.input.map { fact == nil || $0 == fact } ?? false }
  }

  /// Returns the table with the facts about an input as constants.
  func reading(_ facts: InputFacts) -> Table {
    guard uses() else { return self }
    var table = self
    for index in fields.indices {
      guard let fact = fields[index].made?.input else { continue }
      table.fields[index].made?.constant = facts.text(of: fact)
    }
    return table
  }
}
