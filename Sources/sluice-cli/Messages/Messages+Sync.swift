import Sluice

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
