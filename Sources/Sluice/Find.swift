/// Finds places in the input of a conversion by what people type. Writes no output.
///
/// It reads the first selected table to its end. Rejected records are left out. Conditions and days
/// of the conversion select rows as always. `open` returns the source and is called once.
///
/// Throws the error that ended reading.
package func find(
  _ text: String, in conversion: Conversion,
  from open: () throws(PipelineError) -> Source
) throws(PipelineError) -> SearchResult {
  var conversion = conversion
  conversion.rejectLimit = .count(.max)
  conversion.readsOneEntry = true
  let search = RunningSearch()
  try conversion.read(from: open) { (part, _) in
    search.finder = Finder(text, in: part.table)
    return Branch(
      FinderSink(
        search: search, several: EventsOfRows(part.table),
        days: (conversion.from, conversion.to)))
  }
  return search.finder?.result() ?? SearchResult()
}

/// Whether a text has any word or number to search for in a table.
package func canFind(_ text: String, in table: Table) -> Bool { !Finder(text, in: table).isEmpty }

extension FoundPlace {
  /// The place as one line of NDJSON: its name, why it was found, and its rows without the name.
  package func json(in table: Table) -> String {
    let columns = table.columns
    let named = Set(parts.map(\.column))
    var line = JSONObject()
    line.open("place")
    for part in parts { line.add(part.column, part.text.isEmpty ? nil : part.text) }
    line.close()
    line.add("reasons", reasons.map(\.rawValue).sorted())
    line.openList("events")
    for row in rows {
      line.openItem()
      for (column, text) in zip(columns, row.texts) where !named.contains(column.name) {
        if column.kind.isBare, !text.isEmpty {
          line.add(column.name, bare: text)
        } else {
          line.add(column.name, text.isEmpty ? nil : text)
        }
      }
      line.close()
    }
    line.closeList()
    let text = line.finish()
    return String(decoding: text.contents, as: UTF8.self)
  }
}

/// The search that a sink feeds.
private final class RunningSearch {
  var finder: Finder?
}

/// Passes rows to a search. A row with several events is one for each.
private struct FinderSink: RecordStage, ~Copyable {
  let search: RunningSearch
  let several: EventsOfRows?
  /// The days asked for.
  let days: (from: Day?, to: Day?)

  mutating func take(_ record: borrowing Record, _ fate: RowFate) {
    guard case .wanted = fate else { return }
    guard let several else {
      search.finder?.take(record)
      return
    }
    var hasEvent = false
    for index in record.events.indices
    where several.read(index, of: record) && several.row.overlaps(from: days.from, to: days.to) {
      search.finder?.take(several.row)
      hasEvent = true
    }
    if !hasEvent { search.finder?.take(record) }
  }

  consuming func finish() {}
}
