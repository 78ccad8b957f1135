import Glibc
import Sluice

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
