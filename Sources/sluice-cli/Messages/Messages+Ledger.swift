import Sluice

extension DatabaseFault {
  /// What is wrong, and what to do. Another folder is no remedy: events would be numbered anew.
  var text: Text {
    switch self {
    case .open(let path, let errno):
      Text(en: "cannot open ", ru: "не удалось открыть ") + .path(path) + .verbatim(": ")
        + .systemError(errno) + .remedy(errno)
    case .access(let path, let errno):
      Text(en: "cannot read or write ", ru: "не удалось прочитать или записать ") + .path(path)
        + .verbatim(": ") + .systemError(errno) + .remedy(errno)
    case .locked(let path):
      Text(en: "another program holds ", ru: "файл занят другой программой: ") + .path(path)
        + Text(en: "; try again later", ru: "; попробуйте позже")
    case .corrupt(let path, let detail):
      .path(path)
        + Text(en: " is damaged (", ru: " — файл повреждён (")
        + .verbatim(escaped(detail, limit: 120))
        + .verbatim(")") + .moveAway
    case .notALedger(let path):
      .path(path) + Text(en: " is not a ledger of sluice", ru: " — это не журнал событий sluice")
        + .moveAway
    case .newer(let path, let version, let known):
      .path(path)
        + Text(
          en: " was written by a later version of sluice (schema \(version), known \(known)); "
            + "install that version",
          ru: " создан более новой версией sluice (схема \(version), известна \(known)); "
            + "установите её")
    case .otherFeed(let path, let found, let wanted):
      .path(path)
        + Text(en: " is the ledger of ", ru: " — журнал набора ") + .quoted(found)
        + Text(en: ", not of ", ru: ", а не ") + .quoted(wanted) + .otherFolder
    case .noEvents(let feed):
      .quoted(feed)
        + Text(
          en: " has no events; choose .csv or .ndjson",
          ru: ": событий нет; выберите .csv или .ndjson")
    case .incomplete(let path):
      Text(en: "not all rows came to ", ru: "не все строки дошли до ") + .path(path)
        + Text(en: "; run it again", ru: "; запустите ещё раз")
    case .refused(let path, let code, let detail):
      .path(path) + .verbatim(": \(escaped(detail, limit: 120)) (SQLite \(code))")
        + Text(en: "; run it again", ru: "; запустите ещё раз")
    case .output(let error):
      error.text
    }
  }
}

extension DatabaseFault {
  /// What is wrong with a new database that is an output, and what to do.
  var outputText: Text {
    switch self {
    case .refused(let path, let code, let detail):
      .path(path) + .verbatim(": \(escaped(detail, limit: 120)) (SQLite \(code))")
        + Text(
          en: "; change the feed's document, or write .csv or .ndjson",
          ru: "; измените описание набора или выберите .csv или .ndjson")
    default: text
    }
  }

  /// What is wrong with a database that is an output and was there before, and what to do.
  var mergeText: Text {
    switch self {
    case .corrupt(let path, let detail):
      .path(path) + Text(en: " is no sound database (", ru: " — не база данных или повреждена (")
        + .verbatim(escaped(detail, limit: 120))
        + Text(
          en: "); write it anew, without --merge", ru: "); запишите её заново, без --merge")
    case .refused(let path, let code, let detail):
      .path(path) + .verbatim(": \(escaped(detail, limit: 120)) (SQLite \(code))")
        + Text(
          en: "; change the table there, or write it anew, without --merge",
          ru: "; измените таблицу в ней или запишите её заново, без --merge")
    default: text
    }
  }
}

extension LedgerChanges {
  /// What changed, in a line: `12 new, 3 moved, 1 cancelled`.
  var text: Text {
    let parts: [(count: Int, en: String, ru: String)] = [
      (new, "new", "новых"), (moved, "moved", "перенесено"), (cancelled, "cancelled", "отменено"),
      (restored, "restored", "восстановлено"),
    ]
    let shown = parts.filter { $0.count > 0 }
    guard !shown.isEmpty else {
      return Text(en: "no outage changed", ru: "изменений в событиях нет")
    }
    return Text(
      en: "events: " + shown.map { "\($0.count) \($0.en)" }.joined(separator: ", "),
      ru: "события: " + shown.map { "\($0.ru) \($0.count)" }.joined(separator: ", "))
  }
}

extension Text {
  fileprivate static let otherFolder = Text(
    en: "; choose another folder: --state DIR", ru: "; выберите другую папку: --state DIR")
  fileprivate static let moveAway = Text(
    en: "; put a copy in its place, or move it away: events are then numbered anew",
    ru: "; верните его из копии или уберите: тогда события будут пронумерованы заново")
}
