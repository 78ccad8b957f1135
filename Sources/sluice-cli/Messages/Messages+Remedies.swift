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
