import Sluice
import SluiceSync

extension SinkFault {
  /// The problem and the remedy.
  var message: Message {
    switch self {
    case .folderMissing(let path):
      Message(
        en: "there is no folder \(path: path); create it (mkdir -p), or choose another",
        ru: "нет папки \(path: path); создайте её (mkdir -p) или выберите другую")
    case .folderNotWritable(let path, let errno):
      Message(
        en: "cannot create files in the folder \(path: path): \(errno: errno); "
          + "choose another folder",
        ru: "не удалось создать файл в папке \(path: path): \(errno: errno); "
          + "выберите другую папку")
    case .isFolder(let path):
      Message(
        en: "\(path: path) is a folder; name a file in it",
        ru: "\(path: path) — это папка; укажите файл в ней")
    case .notAFolder(let path):
      Message(
        en: "\(path: path) is not a folder; a site needs a folder: -o FOLDER/",
        ru: "\(path: path) — не папка; для сайта нужна папка: -o ПАПКА/")
    case .foreignFile(let path, let name):
      Message(
        en: "\(path: path) has a file that is not part of the site: \(path: name); "
          + "move it away, or choose another folder",
        ru: "в папке \(path: path) есть посторонний файл: \(path: name); "
          + "уберите его или выберите другую папку")
    case .mountPoint(let path):
      Message(
        en: "\(path: path) is a mount point and cannot be exchanged as a whole; "
          + "choose a folder in it",
        ru: "\(path: path) — точка монтирования, заменить её целиком нельзя; "
          + "выберите папку внутри неё")
    case .cannotExchange(let path):
      Message(
        en: "the file system of \(path: path) cannot exchange folders; make the site on another "
          + "one, and copy it",
        ru: "файловая система \(path: path) не умеет менять папки местами; сделайте сайт на "
          + "другой и скопируйте его")
    case .danglingLink(let path):
      Message(
        en: "\(path: path) is a dangling link; remove it, or create its target",
        ru: "\(path: path) — ссылка в никуда; удалите её или создайте то, на что она указывает")
    case .foreignLink(let path, let target):
      Message(
        en: "\(path: path) is a link to \(path: target) that another user has made; remove it, or "
          + "name the file itself",
        ru: "\(path: path) — ссылка на \(path: target), созданная другим пользователем; удалите её "
          + "или укажите сам файл")
    case .temporaryInTheWay(let path):
      Message(
        en: "\(path: path) is in the way of the temporary file; move it away",
        ru: "\(path: path) занимает место временного файла; уберите или переименуйте")
    case .create(let path, let errno):
      Message(
        en: "cannot create \(output: path): \(errno: errno)",
        ru: "не удалось создать \(output: path): \(errno: errno)", .system(errno))
    case .unknownFormat(let path):
      Message(
        en:
          "the name \(output: path) does not tell the format; use the extension .csv, .ndjson, .ics, "
          + ".sqlite or .xlsx",
        ru: "по имени \(output: path) не понять формат; нужно расширение .csv, .ndjson, .ics, "
          + ".sqlite или .xlsx")
    case .notAFile(let path):
      Message(
        en: "\(path: path) cannot be a database; name a file: -o FILE.sqlite",
        ru: "\(path: path) не может быть базой данных; укажите файл: -o FILE.sqlite")
    case .database(let fault, isMerge: true): fault.message(about: .mergedOutput)
    case .database(let fault, isMerge: false): fault.message(about: .newOutput)
    case .locked(let path):
      Message(
        en: "another run is writing \(path: path); wait until it ends",
        ru: "другой запуск уже пишет в файл \(path: path); дождитесь его окончания")
    case .write(let path, let errno):
      Message(
        en: "cannot write to \(output: path): \(errno: errno)",
        ru: "не удалось записать в \(output: path): \(errno: errno)", .system(errno))
    case .unfinished(let path):
      Message(
        en: "\(output: path) was not written to its end; this is a bug in sluice, report it",
        ru: "\(output: path): запись не завершена; это ошибка самой программы sluice, сообщите "
          + "о ней")
    case .wrongSize(let path, let written, let found) where found < 0:
      Message(
        en: "\(bytes: written) were written to \(path: path), but the size of its temporary file "
          + "is unknown; check that no other program writes there, and run again",
        ru: "для файла \(path: path) записано \(bytes: written), а размер временного файла узнать "
          + "не удалось; проверьте, не пишет ли туда другая программа, и запустите снова")
    case .wrongSize(let path, let written, let found):
      Message(
        en: "\(bytes: written) were written to \(path: path), but its temporary file has "
          + "\(bytes: found); check that no other program writes there, and run again",
        ru: "для файла \(path: path) записано \(bytes: written), а временный файл занимает "
          + "\(bytes: found); проверьте, не пишет ли туда другая программа, и запустите снова")
    case .readBack(let path, let errno):
      Message(
        en: "cannot read back the new content of \(output: path): \(errno: errno)",
        ru: "не удалось перечитать новый \(output: path): \(errno: errno)", .system(errno))
    case .setMode(let path, let errno):
      Message(
        en: "cannot set the permissions of \(output: path): \(errno: errno)",
        ru: "не удалось установить права доступа на \(output: path): \(errno: errno)",
        .system(errno))
    case .sync(let path, let errno):
      Message(
        en: "cannot flush \(path: path) to the disk: \(errno: errno)",
        ru: "не удалось надёжно сохранить \(path: path) на диске: \(errno: errno)",
        .system(errno))
    case .close(let path, let errno):
      Message(
        en: "cannot finish writing to \(output: path): \(errno: errno)",
        ru: "не удалось завершить запись в \(output: path): \(errno: errno)", .system(errno))
    case .rename(let path, let errno):
      Message(
        en: "cannot rename the finished file to \(path: path): \(errno: errno)",
        ru: "не удалось переименовать готовый файл в \(path: path): \(errno: errno)",
        .system(errno))
    case .changed(let path):
      Message(
        en: "another program changed \(path: path) in the meantime; run again",
        ru: "другая программа тем временем изменила файл \(path: path); запустите снова")
    case .notPutBack(let path, let errno):
      Message(
        en: "publishing failed halfway, and the old \(path: path) could not be restored: "
          + "\(errno: errno); this file is new, others may be old: run again",
        ru: "публикация не удалась, и вернуть прежний файл \(path: path) не получилось: "
          + "\(errno: errno); этот файл новый, другие могли остаться прежними: запустите снова")
    case .siteTooLarge(let limit):
      Message(
        en:
          "a site has at most \(limit) rows; choose a part with --where, or write .csv or .ndjson",
        ru: "на сайте может быть не больше \(limit) строк; выберите часть: --where, или запишите "
          + ".csv или .ndjson")
    case .cellTooLong(let row, let column, let limit):
      Message(
        en: "row \(row) has a text of more than \(limit) characters in the column "
          + "\(quoted: column), too long for a cell of a spreadsheet; write .csv or .ndjson",
        ru: "в строке \(row) текст в столбце \(quoted: column) длиннее \(limit) знаков: в ячейку "
          + "электронной таблицы он не поместится; запишите .csv или .ndjson")
    case .workbookTooLarge:
      Message(
        en:
          "the spreadsheet would have 4 GiB or more; choose a part with --where, or write .csv or "
          + ".ndjson",
        ru: "электронная таблица заняла бы 4 ГиБ или больше; выберите часть: --where, или запишите "
          + ".csv или .ndjson")
    case .workbookOnTerminal(let path):
      Message(
        en:
          "\(output: path) is a terminal and cannot show a spreadsheet; name a file: -o FILE.xlsx",
        ru: "\(output: path) — терминал, электронную таблицу он не покажет; укажите файл: "
          + "-o FILE.xlsx")
    case .workbookOfColumns(let path):
      Message(
        en: "a spreadsheet holds all rows and cannot be split into files: \(path: path); leave the "
          + "columns in braces out, or choose .csv, .ndjson or .ics",
        ru: "в электронной таблице лежат все строки, разбить её на файлы нельзя: \(path: path); "
          + "уберите столбцы в фигурных скобках или выберите .csv, .ndjson или .ics")
    case .tooMuchOutput(let limit):
      Message(
        en: "the outputs exceed \(size: limit), far more than the data explains; nothing was "
          + "published: check the data, and if it is correct, raise the limit: --max-output BYTES",
        ru: "файлы больше предела (\(size: limit)): намного больше, чем можно ожидать от таких "
          + "данных; ничего не опубликовано: проверьте данные, и если они верны, увеличьте предел: "
          + "--max-output BYTES")
    case .tooManyFiles(let limit, let path):
      Message(
        en:
          "\(path: path) would be more than \(limit) files; nothing was published: choose columns "
          + "with fewer values, a part with --where, or raise the limit: --max-files N",
        ru: "\(path: path): файлов получилось бы больше \(limit); ничего не опубликовано: "
          + "возьмите столбцы, где меньше значений, выберите часть (--where) или увеличьте "
          + "предел: --max-files N")
    case .writtenTwice(let path):
      Message(
        en: "two outputs would write \(path: path); give one of them another folder or name",
        ru: "в файл \(path: path) записали бы сразу два -o; дайте одному из них другую папку или "
          + "другое имя")
    case .noReaderLeft:
      Message(
        en: "the readers of all outputs have closed them; nothing is left to do",
        ru: "все, кто читал результаты, закрыли их; делать больше нечего")
    }
  }
}

extension Sentence.StringInterpolation {
  /// An output, as a grammatical object. `-` is standard output.
  fileprivate mutating func appendInterpolation(output path: String) {
    if path == "-" {
      appendInterpolation(Text(en: "standard output", ru: "стандартный вывод"))
    } else {
      appendInterpolation(Text(en: "\(path: path)", ru: "файл \(path: path)"))
    }
  }
}

extension DatabaseFault {
  /// The use of the database.
  enum Use {
    /// It has the events of a feed. Another folder is not a remedy: events would get new numbers.
    case ledger
    /// It is a new output.
    case newOutput
    /// It is an output that existed before.
    case mergedOutput
  }

  /// The problem and the remedy.
  func message(about use: Use) -> Message {
    switch self {
    case .open(let path, let errno):
      Message(
        en: "cannot open \(path: path): \(errno: errno)",
        ru: "не удалось открыть \(path: path): \(errno: errno)", .system(errno))
    case .access(let path, let errno):
      Message(
        en: "cannot read or write \(path: path): \(errno: errno)",
        ru: "не удалось прочитать или записать \(path: path): \(errno: errno)", .system(errno))
    case .locked(let path):
      Message(
        en: "another program has locked \(path: path)",
        ru: "файл занят другой программой: \(path: path)", .tryLater)
    case .corrupt(let path, let detail):
      switch use {
      case .ledger, .newOutput:
        Message(
          en: "\(path: path) is damaged (\(excerpt: detail, limit: 120))",
          ru: "\(path: path) — файл повреждён (\(excerpt: detail, limit: 120))", .restore)
      case .mergedOutput:
        Message(
          en: "\(path: path) is not a database, or damaged (\(excerpt: detail, limit: 120)); "
            + "write a new one, without --merge",
          ru: "\(path: path) — не база данных или повреждена (\(excerpt: detail, limit: 120)); "
            + "запишите её заново, без --merge")
      }
    case .notALedger(let path):
      Message(
        en: "\(path: path) is not a ledger of sluice",
        ru: "\(path: path) — это не журнал событий sluice", .restore)
    case .newer(let path, let version, let known):
      Message(
        en: "\(path: path) was written by a later version of sluice (schema \(version), this "
          + "version knows \(known)); install the later version",
        ru: "\(path: path) создан более новой версией sluice (схема \(version), известна "
          + "\(known)); установите её")
    case .otherFeed(let path, let found, let wanted):
      Message(
        en: "\(path: path) is the ledger of \(quoted: found), not of \(quoted: wanted)",
        ru: "\(path: path) — журнал набора \(quoted: found), а не \(quoted: wanted)",
        .otherState)
    case .noEvents(let feed):
      Message(
        en: "\(quoted: feed) has no events; choose .csv or .ndjson",
        ru: "\(quoted: feed): событий нет; выберите .csv или .ndjson")
    case .incomplete(let path):
      Message(
        en: "not all rows reached \(path: path); run it again",
        ru: "не все строки дошли до \(path: path); запустите ещё раз")
    case .distrusted(let path, let detail):
      Message(
        en: "\(path: path): a trigger or a view uses what a merge does not allow it "
          + "(\(excerpt: detail, limit: 120)); drop it, and update that table after the merge",
        ru: "\(path: path): триггер или представление использует то, что при --merge не разрешено "
          + "(\(excerpt: detail, limit: 120)); удалите его и обновляйте ту таблицу после записи")
    case .refused(let path, let code, let detail):
      switch use {
      case .ledger:
        Message(
          en: "\(path: path): \(excerpt: detail, limit: 120) (SQLite \(code)); restore it from a "
            + "copy, or move it away: the next run says how to go on",
          ru: "\(path: path): \(excerpt: detail, limit: 120) (SQLite \(code)); восстановите его из "
            + "копии или уберите: следующий запуск скажет, что делать дальше")
      case .newOutput:
        Message(
          en: "\(path: path): \(excerpt: detail, limit: 120) (SQLite \(code)); "
            + "change the feed's document, or write .csv or .ndjson",
          ru: "\(path: path): \(excerpt: detail, limit: 120) (SQLite \(code)); "
            + "измените документ набора или выберите .csv или .ndjson")
      case .mergedOutput:
        Message(
          en: "\(path: path): \(excerpt: detail, limit: 120) (SQLite \(code)); "
            + "change the table in it, or write a new database, without --merge",
          ru: "\(path: path): \(excerpt: detail, limit: 120) (SQLite \(code)); "
            + "измените таблицу в ней или запишите её заново, без --merge")
      }
    case .output(let error): Message(en: "\(error.text)", ru: "\(error.text)")
    }
  }
}

extension LedgerChanges {
  /// The changes in a line: `events: 12 new, 3 moved, 1 cancelled`. Events that wait are added to
  /// it.
  package var text: Text {
    guard waiting > 0 else { return changed }
    return changed
      + Text(
        en: "; \(waiting) missing and kept: a rejected record may have them",
        ru: "; отсутствует и оставлено \(waiting): они могут быть в отклонённой записи")
  }

  private var changed: Text {
    var parts: [Text] = []
    if new > 0 { parts.append(Text(en: "\(new) new", ru: "новых \(new)")) }
    if moved > 0 { parts.append(Text(en: "\(moved) moved", ru: "перенесено \(moved)")) }
    if cancelled > 0 {
      parts.append(Text(en: "\(cancelled) cancelled", ru: "отменено \(cancelled)"))
    }
    if restored > 0 {
      parts.append(Text(en: "\(restored) restored", ru: "восстановлено \(restored)"))
    }
    guard !parts.isEmpty else {
      return Text(en: "no event changed", ru: "изменений в событиях нет")
    }
    let list = Text.joined(parts, by: ", ")
    return Text(en: "events: \(list)", ru: "события: \(list)")
  }
}

extension SyncFault {
  /// The problem and the remedy.
  var message: Message {
    switch self {
    case .busy(let pid?, let folder):
      Message(
        en: "another run (process \(pid)) is using \(path: folder); wait until it ends",
        ru: "в папке \(path: folder) уже работает другой запуск (процесс \(pid)); дождитесь его "
          + "окончания")
    case .busy(nil, let folder):
      Message(
        en: "another run is using \(path: folder); wait until it ends",
        ru: "в папке \(path: folder) уже работает другой запуск; дождитесь его окончания")
    case .emptied(let before):
      Message(
        en: "the feed has no records, last time it had \(before)",
        ru: "в наборе данных нет ни одной записи, а в прошлый раз было \(before)", .accept)
    case .shrunk(let records, let before, let limit):
      Message(
        en: "the feed has \(count: records, "record", "records"), last time it had \(before): "
          + "that is more than \(limit.shown) fewer",
        ru: "записей в наборе данных: \(records), а в прошлый раз было \(before): "
          + "пропало больше \(limit.shown)",
        .accept)
    case .noRows(let before):
      Message(
        en: "no record is selected, last time \(count: before, "row was", "rows were") published",
        ru: "не выбрано ни одной записи, а в прошлый раз было опубликовано строк: \(before)",
        .accept)
    case .clockBack(let now, let before):
      Message(
        en:
          "the clock shows \(utc: now), but the last run was at \(utc: before); set the clock, or "
          + "run once with --accept if it is right",
        ru:
          "часы показывают \(utc: now), а последний запуск был в \(utc: before); поправьте часы или "
          + "запустите один раз с --accept, если они верны")
    case .olderVersion(let version, let before):
      Message(
        en: "the feed went back from version \(quoted: before) to \(quoted: version)",
        ru: "версия набора данных стала меньше: была \(quoted: before), теперь \(quoted: version)",
        .accept)
    case .allPast(let last, let before, let today):
      Message(
        en: "all days of the feed are before \(today): it ends on \(last), last time it ended on "
          + "\(before)",
        ru: "все дни набора данных раньше \(today): последний — \(last), а в прошлый раз был "
          + "\(before)",
        .accept)
    case .tooManyCancelled(let events, let before, let limit):
      Message(
        en: "\(events) of \(before) events to come would be cancelled at once: that is more than "
          + "\(limit.shown)",
        ru: "сразу отменились бы события: \(events) из предстоящих \(before), это больше "
          + "\(limit.shown)",
        .accept)
    case .otherDocument(let feed, let differences):
      Message(
        en: "the ledger has the events of another document of \(quoted: feed) "
          + "(\(excerpt: differences.joined(separator: "; "), limit: 300)); give the feed another "
          + "name (feed:), or run once with --accept to go on with these events",
        ru: "в журнале события другого документа \(quoted: feed) "
          + "(\(excerpt: differences.joined(separator: "; "), limit: 300)); дайте набору другое имя "
          + "(feed:) или запустите один раз с --accept, чтобы продолжить с этими событиями")
    case .ledgerGone(let folder):
      Message(
        en: "the ledger is missing from \(path: folder); restore it from a copy, or run once with "
          + "--accept: then events keep the numbers that stand in the calendars, others get new ones",
        ru: "журнал событий исчез из папки \(path: folder); восстановите его из копии или "
          + "запустите один раз с --accept: тогда события из календарей сохранят номера, остальные "
          + "получат новые")
    case .unknownEvents(let calendar, let count, let first):
      Message(
        en:
          "\(path: calendar) has \(count: count, "event", "events") that the ledger does not know "
          + "as they stand there, the first is \(first); restore a newer copy of the ledger, write "
          + "to another file, or run once with --accept: then the ledger takes over their numbers",
        ru: "в календаре \(path: calendar) есть события, которых журнал в таком виде не знает: "
          + "\(count), первое — \(first); верните более новую копию журнала, укажите другой файл или "
          + "запустите один раз с --accept: тогда журнал примет их номера")
    case .otherCalendar(let path, let feed):
      Message(
        en: "\(path: path) is not a calendar of \(quoted: feed) that sluice wrote; move it away, "
          + "write to another file, or run once with --accept to replace it",
        ru: "\(path: path) — не календарь набора \(quoted: feed), созданный sluice; уберите его, "
          + "укажите другой файл или запустите один раз с --accept, чтобы заменить")
    case .noPlace(let text, let near):
      Message(
        en: "nothing is found for \(quoted: text), so nothing was published\(Text.nearest(near))",
        ru: "по запросу \(quoted: text) ничего не найдено, поэтому ничего не опубликовано"
          + "\(Text.nearest(near))")
    case .noCopy(let input, let folder):
      Message(
        en: "there is no last good copy of \(path: input) in \(path: folder); run sluice sync "
          + "first, or choose another folder: --state DIR",
        ru: "в папке \(path: folder) нет удачной копии \(path: input); сначала запустите "
          + "sluice sync или выберите другую папку: --state DIR")
    case .folder(let path, let errno):
      Message(
        en: "cannot create or open the folder \(path: path): \(errno: errno)",
        ru: "не удалось создать или открыть папку \(path: path): \(errno: errno)", .otherState)
    case .foreignFolder(let path):
      Message(
        en: "the folder \(path: path) belongs to another user; run as that user, or choose another "
          + "folder: --state DIR",
        ru: "папка \(path: path) принадлежит другому пользователю; запустите от его имени или "
          + "укажите другую папку: --state DIR")
    case .sharedFolder(let path):
      Message(
        en: "other users may write to the folder \(path: path); type chmod go-w \(path: path)",
        ru: "в папку \(path: path) могут писать другие пользователи; наберите "
          + "chmod go-w \(path: path)")
    case .unreadableRecord(let path, let errno):
      Message(
        en: "cannot read \(path: path): \(errno: errno)",
        ru: "не удалось прочитать файл \(path: path): \(errno: errno)", .otherState)
    case .lock(let path, let errno):
      Message(
        en: "cannot lock \(path: path): \(errno: errno)",
        ru: "не удалось заблокировать файл \(path: path): \(errno: errno)", .otherState)
    case .badNames(let path):
      Message(
        en: "\(path: path) is not a list of names in UTF-8, one per line, of at most 200 bytes; "
          + "correct it, or move it away",
        ru: "\(path: path) — не список названий в UTF-8 (по одному на строке, не длиннее 200 "
          + "байт); исправьте или уберите его")
    case .badRecord(let path):
      Message(
        en: "\(path: path) is damaged or was written by another version of sluice; move it away: "
          + "the next run starts over, without guards",
        ru: "\(path: path) — файл повреждён или создан другой версией sluice; уберите его: "
          + "следующий запуск начнёт заново, без защиты")
    }
  }
}

extension SyncRecord.Result {
  /// The result of the run in words.
  package var meaning: Text {
    switch self {
    case .published: Text(en: "new data published", ru: "опубликованы новые данные")
    case .unchanged: Text(en: "nothing new", ru: "ничего нового")
    case .refused: Text(en: "a guard refused the change", ru: "защита отклонила изменение")
    case .unreachable: Text(en: "the source could not be reached", ru: "источник недоступен")
    case .badData: Text(en: "the source sent broken data", ru: "источник отдал испорченные данные")
    case .failed: Text(en: "failed on this machine", ru: "сбой на этой машине")
    }
  }
}

extension Text {
  package static let none = Text(en: "none", ru: "нет")

  /// Says that the published files stay because the source cannot be used.
  package static func lastGoodStands(since: Int, because error: PipelineError) -> Text {
    Text(
      en: "\(error.text); the published files are unchanged (as of \(utc: since))",
      ru: "\(error.text); опубликованные файлы не изменились (по состоянию на \(utc: since))")
  }

  /// Says that the service that watches over the runs did not get a ping.
  package static func pingUnheard(_ error: PipelineError) -> Text {
    Text(
      en: "could not ping: \(error.fault.text)",
      ru: "служба наблюдения не получила сообщение: \(error.fault.text)")
  }

  /// Says that the state folder has no record of a run.
  package static func noRunYet(_ state: String) -> Text {
    Text(
      en: "no run is recorded in \(path: state)",
      ru: "в папке \(path: state) нет записей о запусках")
  }
}
