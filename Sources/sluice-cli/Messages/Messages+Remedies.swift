import Glibc

// What to do about an error, where several errors want the same.

extension Text {
  static let downloadAgain = Text(
    en: "; download the data again", ru: "; скачайте данные заново")
  static let tryLater = Text(en: "; try again later", ru: "; повторите попытку позже")
  static let tellPublisher = Text(
    en: "; download the data again, and if nothing changes, tell its publisher",
    ru: "; скачайте данные заново, а если не поможет, сообщите их издателю")
  static let otherFeed = Text(
    en: "; if the data is another feed's, choose it with --feed NAME",
    ru: "; если это другой набор данных, укажите его: --feed NAME")
  static let otherAnswer = Text(
    en: "; check the URL, or choose another feed with --feed NAME",
    ru: "; проверьте адрес или укажите другой набор данных: --feed NAME")

  /// The same text where nobody said which feed the data is of: it tells so instead of wondering
  /// about another feed.
  func readAsDefault(_ feed: String) -> Text {
    let remedies = [Text.otherFeed, .otherAnswer]
    guard let remedy = remedies.first(where: { en.hasSuffix($0.en) && ru.hasSuffix($0.ru) }) else {
      return self
    }
    return Text(
      en: en.dropLast(remedy.en.count)
        + "; it was read as \(feed), the default feed: choose its own with --feed NAME ('sluice "
        + "feeds' lists them), or make one: 'sluice feeds --new FILE' writes its document",
      ru: ru.dropLast(remedy.ru.count)
        + "; прочитано как \(feed), набор по умолчанию: укажите нужный, --feed NAME (список: "
        + "'sluice feeds'), или создайте свой: 'sluice feeds --new FILE' напишет его описание")
  }

  /// What to do about a text of another encoding than UTF-8; `likely` is what it may be.
  static func convertFirst(from likely: String?) -> Text {
    let line = "iconv -f \(likely ?? "ENCODING") -t UTF-8"
    return Text(
      en: "convert it first: \(line)" + (likely == nil ? "" : " (a guess)"),
      ru: "сначала перекодируйте его: \(line)" + (likely == nil ? "" : " (предположительно)"))
  }

  static let unpackYourself = Text(
    en: "; unpack the archive with another program and convert the file in it",
    ru: "; распакуйте архив другой программой и преобразуйте файл из него")
  static let downloadYourself = Text(
    en: "; check the URL, or download the data with another program and convert the file",
    ru: "; проверьте адрес или скачайте данные другой программой и преобразуйте файл")

  /// What to do about an error of the system, by its number (`errno`).
  static func remedy(_ number: Int32) -> Text {
    switch number {
    case ENOSPC, EDQUOT:
      Text(en: "; free some space and run again", ru: "; освободите место и повторите")
    case EFBIG:
      Text(
        en: "; raise the limit of file sizes: ulimit -f",
        ru: "; поднимите предел размера файлов: ulimit -f")
    case EACCES, EPERM:
      Text(en: "; check owner and permissions", ru: "; проверьте владельца и права доступа")
    case EROFS:
      Text(en: "; choose another folder", ru: "; выберите другую папку")
    case EMFILE, ENFILE:
      Text(
        en: "; raise the limit of open files: ulimit -n",
        ru: "; поднимите предел числа открытых файлов: ulimit -n")
    case ENOMEM:
      Text(en: "; close other programs", ru: "; закройте другие программы")
    case ENOENT, ENOTDIR, ELOOP, EISDIR:
      Text(en: "; check the path", ru: "; проверьте путь")
    case EBADF:
      Text(en: "; redirect it to a file or a pipe", ru: "; направьте его в файл или канал")
    case ENAMETOOLONG:
      Text(en: "; choose a shorter name", ru: "; выберите имя короче")
    default:
      Text(
        en: "; check the disk and its file system", ru: "; проверьте диск и его файловую систему")
    }
  }
}
