import Glibc
import Sluice
import SluiceSync

extension SinkFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .folderMissing(let path):
      Text(en: "there is no folder ", ru: "нет папки ") + .path(path)
        + Text(
          en: "; create it (mkdir -p), or choose another",
          ru: "; создайте её (mkdir -p) или выберите другую")
    case .folderNotWritable(let path, let errno):
      Text(en: "cannot create files in the folder ", ru: "не удалось создать файл в папке ")
        + .path(path) + .verbatim(": ") + .systemError(errno)
        + Text(en: "; choose another folder", ru: "; выберите другую папку")
    case .isFolder(let path):
      .path(path)
        + Text(en: " is a folder; name a file in it", ru: " — это папка; укажите файл в ней")
    case .danglingLink(let path):
      .path(path)
        + Text(
          en: " is a link to nothing; remove it, or create what it leads to",
          ru: " — ссылка в никуда; удалите её или создайте то, на что она указывает")
    case .temporaryInTheWay(let path):
      .path(path)
        + Text(
          en: " stands where the temporary file goes; move it away",
          ru: " занимает место временного файла; уберите или переименуйте")
    case .create(let path, let errno):
      SinkFault.text("cannot create", "не удалось создать", path, errno)
    case .notAFile(let path):
      .path(path)
        + Text(
          en: " cannot be a database; name a file: -o FILE.sqlite",
          ru: " не может быть базой данных; укажите файл: -o FILE.sqlite")
    case .database(let fault, let isMerge): isMerge ? fault.mergeText : fault.outputText
    case .locked(let path):
      Text(en: "another run is writing ", ru: "другой запуск уже пишет в файл ") + .path(path)
        + Text(en: "; wait until it has ended", ru: "; дождитесь его окончания")
    case .write(let path, let errno):
      SinkFault.text("cannot write to", "не удалось записать в", path, errno)
    case .unfinished(let path):
      SinkFault.object(path)
        + Text(
          en: " was not written to its end; this is a fault of sluice itself, report it",
          ru: " записан не до конца; это ошибка самой программы sluice, сообщите о ней")
    case .wrongSize(let path, let written, let found):
      SinkFault.wrongSize(.path(path), .bytes(written), found)
    case .readBack, .setMode, .sync, .close, .rename, .changed, .notPutBack, .noReaderLeft:
      publishingText
    }
  }

  /// What is wrong when finished files are to take the place of the old ones, and what to do.
  private var publishingText: Text {
    switch self {
    case .readBack(let path, let errno):
      SinkFault.text(
        "cannot read back the new content of", "не удалось перечитать новый", path, errno)
    case .setMode(let path, let errno):
      SinkFault.text(
        "cannot set the permissions of", "не удалось установить права доступа на", path, errno)
    case .sync(let path, let errno):
      Text(en: "cannot bring ", ru: "не удалось надёжно сохранить ") + .path(path)
        + Text(en: " to the disk: ", ru: " на диске: ") + .systemError(errno) + .remedy(errno)
    case .close(let path, let errno):
      SinkFault.text("cannot finish writing to", "не удалось завершить запись в", path, errno)
    case .rename(let path, let errno):
      Text(
        en: "cannot rename the finished file to ", ru: "не удалось переименовать готовый файл в ")
        + .path(path) + .verbatim(": ") + .systemError(errno) + .remedy(errno)
    case .changed(let path):
      Text(
        en: "another program changed \(Text.path(path).en) in the meantime; run again",
        ru: "другая программа тем временем изменила файл \(Text.path(path).ru); запустите снова")
    case .notPutBack(let path, let errno):
      Text(
        en: "publishing failed half-way, and the old \(Text.path(path).en) could not be put back: ",
        ru: "публикация не удалась, и вернуть прежний файл \(Text.path(path).ru) не получилось: ")
        + .systemError(errno)
        + Text(
          en: "; this file is new, others may be old: run again",
          ru: "; этот файл новый, другие могли остаться прежними: запустите снова")
    case .noReaderLeft:
      Text(
        en: "the readers of all outputs went away; nothing is left to do",
        ru: "все, кто читал результаты, закрыли их; делать больше нечего")
    case .folderMissing, .folderNotWritable, .isFolder, .danglingLink, .temporaryInTheWay,
      .create, .notAFile, .database, .locked, .write, .unfinished, .wrongSize:
      // These have their texts in ``text``.
      .verbatim("")
    }
  }

  /// `found` is negative where the size could not be asked for.
  private static func wrongSize(_ path: Text, _ written: Text, _ found: Int) -> Text {
    let size =
      found < 0
      ? Text(
        en: "the size of the temporary file is not known",
        ru: "размер временного файла узнать не удалось")
      : Text(
        en: "the temporary file has \(Text.bytes(found).en)",
        ru: "временный файл занимает \(Text.bytes(found).ru)")
    return Text(
      en: "for \(path.en) \(written.en) were written, but \(size.en)"
        + "; check that no other program writes there, and run again",
      ru: "для файла \(path.ru) записано \(written.ru), а \(size.ru)"
        + "; проверьте, не пишет ли туда другая программа, и запустите снова")
  }

  /// A failed call of the system; the Russian verb wants the accusative.
  private static func text(_ en: String, _ ru: String, _ path: String, _ errno: Int32) -> Text {
    Text(en: en + " ", ru: ru + " ") + object(path) + .verbatim(": ") + .systemError(errno)
      + .remedy(errno)
  }

  /// An output in the place of an object.
  private static func object(_ path: String) -> Text {
    path == "-"
      ? Text(en: "standard output", ru: "стандартный вывод")
      : Text(en: "", ru: "файл ") + .path(path)
  }
}

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

extension SyncFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .busy(let pid, let folder):
      SyncFault.busy(pid, .path(folder))
    case .emptied(let before):
      Text(
        en: "the feed has no records at all, last time it had \(before)",
        ru: "в наборе данных нет ни одной записи, а в прошлый раз было \(before)") + .bless
    case .shrunk(let records, let before, let limit):
      SyncFault.shrunk(records, before, limit.shown) + .bless
    case .olderVersion(let version, let before):
      SyncFault.olderVersion(.quoted(version), .quoted(before)) + .bless
    case .allPast(let last, let before, let today):
      Text(
        en: "all days of the feed lie before \(today): it ends on \(last), "
          + "last time it ended on \(before)",
        ru: "все дни набора данных раньше \(today): последний — \(last), "
          + "а в прошлый раз был \(before)") + .bless
    case .ledgerGone(let folder):
      Text(en: "the ledger has gone from ", ru: "журнал событий исчез из папки ") + .path(folder)
        + Text(
          en: "; put a copy back, or run once with --accept: events are then numbered anew",
          ru: "; верните его из копии или запустите один раз с --accept: тогда события "
            + "будут пронумерованы заново")
    case .noCopy(let input, let folder):
      SyncFault.noCopy(.path(input), .path(folder))
    case .folder(let path, let errno):
      Text(en: "cannot make or open the folder ", ru: "не удалось создать или открыть папку ")
        + .path(path) + .verbatim(": ") + .systemError(errno)
        + Text(
          en: "; choose another: --state DIR", ru: "; выберите другую: --state DIR")
    case .lock(let path, let errno):
      Text(en: "cannot lock ", ru: "не удалось заблокировать файл ") + .path(path)
        + .verbatim(": ") + .systemError(errno)
        + Text(
          en: "; choose another folder: --state DIR", ru: "; выберите другую папку: --state DIR")
    case .badNames(let path):
      .path(path)
        + Text(
          en: " is no list of names in UTF-8, one a line, of 200 bytes at most; put it right, or "
            + "move it away",
          ru: " — не список названий в UTF-8 (по одному на строке, не длиннее 200 байт); "
            + "исправьте или уберите его")
    case .badRecord(let path):
      .path(path)
        + Text(
          en: " is damaged or of another version of sluice; "
            + "move it away: the next run starts afresh, without guards",
          ru: " — файл повреждён или создан другой версией sluice; "
            + "уберите его: следующий запуск начнёт заново, без защиты")
    }
  }

  private static func busy(_ pid: Int?, _ folder: Text) -> Text {
    let process = pid.map { Text(en: " (process \($0))", ru: " (процесс \($0))") } ?? .verbatim("")
    return Text(
      en: "another run\(process.en) is at work in \(folder.en); wait until it has ended",
      ru: "в папке \(folder.ru) уже работает другой запуск\(process.ru); дождитесь его окончания")
  }

  private static func shrunk(_ records: Int, _ before: Int, _ limit: String) -> Text {
    Text(
      en: "the feed has \(records) \(plural(records, "record", "records")), last time it had "
        + "\(before): that is more than \(limit) fewer",
      ru: "записей в наборе данных: \(records), а в прошлый раз было \(before): "
        + "пропало больше \(limit)")
  }

  private static func olderVersion(_ version: Text, _ before: Text) -> Text {
    Text(
      en: "the feed has gone back from version \(before.en) to \(version.en)",
      ru: "версия набора данных стала меньше: была \(before.ru), теперь \(version.ru)")
  }

  private static func noCopy(_ input: Text, _ folder: Text) -> Text {
    Text(
      en: "there is no last good copy of \(input.en) in \(folder.en); run sluice sync first, "
        + "or choose another folder: --state DIR",
      ru: "в папке \(folder.ru) нет удачной копии \(input.ru); сначала запустите sluice sync "
        + "или выберите другую папку: --state DIR")
  }
}

extension SyncRecord.Result {
  /// How the run ended.
  var meaning: Text {
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
  fileprivate static let bless = Text(
    en: "; nothing is published: look at it, and if it is right, run once with --accept",
    ru: "; ничего не опубликовано: проверьте и, если всё верно, запустите один раз с --accept")

  static let none = Text(en: "none", ru: "нет")

  /// Says that what was published stays although the source cannot be used.
  static func lastGoodStands(since: Int, because error: PipelineError) -> Text {
    error.text
      + Text(
        en: "; what is published stays, it was right at \(utc(since))",
        ru: "; опубликованное остаётся, оно было верным \(utc(since))")
  }

  /// Says that whoever watches over the runs was not told of this one.
  static func pingUnheard(_ error: PipelineError) -> Text {
    Text(en: "the ping was not heard: ", ru: "служба наблюдения не получила сообщение: ")
      + error.fault.text
  }

  /// Says that the state folder knows of no run.
  static func noRunYet(_ state: String) -> Text {
    Text(en: "no run is known in ", ru: "ни одного запуска в папке ") + .path(state)
  }
}
