import Glibc

extension Text {
  /// Describes a system error by its number (`errno`).
  static func systemError(_ number: Int32) -> Text {
    switch number {
    case ENOENT: Text(en: "no such file or folder", ru: "нет такого файла или папки")
    case EACCES, EPERM: Text(en: "permission denied", ru: "нет прав доступа")
    case EISDIR: Text(en: "it is a folder", ru: "это папка")
    case ENOTDIR:
      Text(en: "part of the path is no folder", ru: "часть пути — не папка")
    case ENOSPC: Text(en: "no space left on the device", ru: "на устройстве нет места")
    case EDQUOT: Text(en: "the disk quota is used up", ru: "исчерпана дисковая квота")
    case EFBIG: Text(en: "the file would be too large", ru: "файл стал бы слишком велик")
    case EROFS: Text(en: "the file system is read-only", ru: "файловая система только для чтения")
    case EIO: Text(en: "the device failed", ru: "ошибка устройства")
    case EBADF: Text(en: "it is closed", ru: "он закрыт")
    case EMFILE, ENFILE: Text(en: "too many open files", ru: "открыто слишком много файлов")
    case ENAMETOOLONG: Text(en: "the name is too long", ru: "слишком длинное имя")
    case ELOOP: Text(en: "too many symbolic links", ru: "слишком длинная цепочка ссылок")
    case ENOMEM: Text(en: "out of memory", ru: "не хватает памяти")
    default:
      // Rare ones: in the system's own words.
      .verbatim(strerror(number).map { String(cString: $0) } ?? "errno \(number)")
    }
  }
}
