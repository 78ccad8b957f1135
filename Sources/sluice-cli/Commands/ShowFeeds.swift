import Sluice

/// Does what `feeds` is asked to do: describes one feed, or lists all.
func showFeeds(_ feed: Feed?, _ console: Console) -> ExitCode {
  let language = console.language
  guard let feed else {
    let width = Feed.all.map(\.name.count).max() ?? 0
    return show(
      Feed.all.map { feed in
        let padding = String(repeating: " ", count: width - feed.name.count)
        return "\(feed.name)\(padding)  \(feed.summary[language])\n"
      }.joined(), console)
  }
  return show(FeedReport.text(of: feed, language), console)
}

/// Lays out what is known of a feed, for people.
enum FeedReport {
  /// The report, in lines.
  static func text(of feed: Feed, _ language: Language) -> String {
    var lines = ["\(feed.name): \(feed.summary[language])"]
    func add(_ label: Text, _ value: String) { lines.append("\(label[language]): \(value)") }
    add(
      .verbatim("URL"),
      feed.url ?? Text(en: "none; name an INPUT", ru: "нет; укажите INPUT")[language])
    if let envelope = feed.envelope {
      add(
        Text(en: "envelope", ru: "ответ API"),
        "\(envelope.payload), \(envelope.mark.lastKey) = \(envelope.marked), "
          + "\(envelope.status) = \(envelope.accepted)")
    }
    add(Text(en: "rows", ru: "строки"), feed.rows.description)
    add(
      Text(en: "calendar", ru: "календарь"),
      feed.event?.calendarName[feed.language]
        ?? Text(en: "no: the feed has no events", ru: "нет: в наборе нет событий")[language])
    lines.append(Text(en: "columns:", ru: "столбцы:")[language])
    for field in feed.fields {
      var line = "  \(field.columns.joined(separator: ", ")): \(field.path), "
      line += rule(field.rule)[language]
      if field.isRequired { line += Text(en: ", required", ru: ", обязательно")[language] }
      if let skip = field.skip {
        line +=
          Text(en: "; \"\(skip)\" skips the record", ru: "; «\(skip)» — запись пропускается")[
            language]
      }
      lines.append(line)
    }
    if let address = feed.address {
      let parts = address.parts.joined(separator: ", ")
      lines.append(
        "  \(address.column): "
          + Text(en: "FNV-1a 64 of \(parts)", ru: "FNV-1a 64 от \(parts)")[language])
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func rule(_ rule: Rule) -> Text {
    switch rule {
    case .text: Text(en: "text", ru: "текст")
    case .decimal: Text(en: "decimal", ru: "число")
    case .instant: Text(en: "instant (RFC 3339)", ru: "момент времени (RFC 3339)")
    case .period: Text(en: "period of days", ru: "период в днях")
    }
  }
}
