import Sluice

extension ZIPFault {
  /// The problem and the remedy.
  var message: Message {
    switch self {
    // The archive as a whole.

    case .truncated:
      Message(en: "the archive is truncated", ru: "архив обрезан", .downloadAgain)
    case .notZip(first: []):
      Message(en: "this is not a zip archive", ru: "это не архив zip", .downloadAgain)
    case .notZip(let first):
      Message(
        en: "this is not a zip archive: it starts with \(start: first)",
        ru: "это не архив zip: в начале — \(start: first)", .downloadAgain)
    case .notContent(let looksLike, let start):
      ForeignForm.content.message(looksLike, start: start)
    case .severalDisks:
      Message(
        en: "the archive is one part of several", ru: "это только часть многотомного архива",
        .unpackYourself)
    case .unknownRecord(let found):
      Message(
        en: "the archive has an unknown record, which starts with \(start: found)",
        ru: "неизвестная запись в архиве, в начале — \(start: found)", .downloadAgain)
    case .directoryMissing:
      Message(
        en: "the archive ends without a list of its entries", ru: "в конце архива нет оглавления",
        .downloadAgain)
    case .trailingData:
      Message(
        en: "data follows the end of the archive", ru: "после конца архива есть лишние байты",
        .downloadAgain)
    case .nameTooLong(let length, let limit):
      Message(
        en: "the name of an entry has \(bytes: length), the limit is \(limit)",
        ru: "имя файла в архиве занимает \(bytes: length), предел — \(limit)", .unpackYourself)
    case .tooManyEntries(let limit):
      Message(
        en:
          "the archive has more than \(count: limit, "entry", "entries"); unpack it, and convert the "
          + "files in it (convert reads up to 65535 with a pattern: --entry '*')",
        ru:
          "в архиве слишком много файлов (предел — \(limit)); распакуйте его и преобразуйте файлы из "
          + "него (с образцом convert читает до 65535: --entry '*')")
    case .endRecord(let field, let declared, let actual):
      Message(
        en: "the end of the archive declares \(field.noun) as \(declared), but it is \(actual)",
        ru: "в конце архива указано: \(field.noun) — \(declared), на самом деле — \(actual)",
        .downloadAgain)

    // Which of its files to read.

    case .noEntry(names: []):
      Message(en: "the archive is empty", ru: "архив пуст", .tellPublisher)
    case .noEntry(let names):
      Message(
        en: "the archive has no file with data, only \(list: names)",
        ru: "в архиве нет файла с данными, есть только \(list: names)", .tellPublisher)
    case .severalEntries(let names):
      Message(
        en: "the archive has several files: \(list: names); choose one: --entry NAME "
          + "(convert reads all that fit a pattern: --entry '*')",
        ru: "в архиве несколько файлов: \(list: names); выберите один: --entry NAME "
          + "(convert читает все, что подходят под образец: --entry '*')")
    case .noSuchEntry(let wanted, names: []):
      Message(
        en: "the archive has no file \(quoted: wanted), nor any other file with data",
        ru: "в архиве нет файла \(quoted: wanted) и других файлов с данными", .tellPublisher)
    case .noSuchEntry(let wanted, let names):
      Message(
        en: "the archive has no file \(quoted: wanted), but it has \(list: names); choose with "
          + "--entry NAME",
        ru: "в архиве нет файла \(quoted: wanted), а есть \(list: names); укажите нужный: "
          + "--entry NAME")

    // Entries that are not read.

    case .encrypted(let entry):
      Message(
        en: "the entry \(quoted: entry) is encrypted", ru: "файл \(quoted: entry) зашифрован",
        .unpackYourself)
    case .patchData(let entry):
      Message(
        en: "the entry \(quoted: entry) is a patch, not a file",
        ru: "файл \(quoted: entry) — не сами данные, а изменения к ним (patch data)",
        .tellPublisher)
    case .method(let method, let entry):
      Message(
        en: "the entry \(quoted: entry) is compressed with method \(method), only 0 (stored) and "
          + "8 (deflate) are supported",
        ru: "файл \(quoted: entry) сжат методом \(method), а поддерживаются только 0 (без сжатия) "
          + "и 8 (deflate)",
        .unpackYourself)
    case .version(let version, let entry):
      Message(
        en: "the entry \(quoted: entry) needs version \(version / 10).\(version % 10) of the zip "
          + "format, which is not supported",
        ru: "файл \(quoted: entry) требует неизвестной версии формата zip: "
          + "\(version / 10).\(version % 10)",
        .downloadAgain)
    case .storedWithDescriptor(let entry):
      Message(
        en: "the entry \(quoted: entry) is stored without compression and has its size after the "
          + "data, so its end is unknown",
        ru: "файл \(quoted: entry) сохранён без сжатия, а размер указан лишь после него: где "
          + "конец, неизвестно",
        .unpackYourself)
    case .linkChosen(let entry):
      Message(
        en: "the entry \(quoted: entry) is a symbolic link; choose a pattern that it does not fit: "
          + "--entry NAME",
        ru: "\(quoted: entry) в архиве — символическая ссылка; выберите образец, под который она "
          + "не подходит: --entry NAME")
    case .duplicateName(let entry):
      Message(
        en: "the archive has two entries named \(quoted: entry)",
        ru: "в архиве два файла с именем \(quoted: entry)", .unpackYourself)
    case .linkTooLong(let entry):
      Message(
        en: "the symbolic link \(quoted: entry) is longer than any path",
        ru: "символическая ссылка \(quoted: entry) длиннее любого возможного пути",
        .unpackYourself)

    // Entries that unpack to too much.

    case .tooLarge(let entry, let limit):
      Message(
        en: "the entry \(quoted: entry) is larger than \(size: limit); raise the limit: "
          + "--max-size BYTES",
        ru: "файл \(quoted: entry) больше предела (\(size: limit)); увеличьте предел: "
          + "--max-size BYTES")
    case .tooLargeTogether(let entry, let limit):
      Message(
        en: "the entries up to \(quoted: entry) are together larger than \(size: limit); raise the "
          + "limit: --max-size BYTES",
        ru: "файлы до \(quoted: entry) вместе больше предела (\(size: limit)); увеличьте предел: "
          + "--max-size BYTES")
    case .ratio(let entry, let limit):
      Message(
        en: "the entry \(quoted: entry) grows more than \(count: limit, "time", "times") when "
          + "unpacked, like a zip bomb; if you trust it, unpack it with another program and "
          + "convert the file in it",
        ru: "файл \(quoted: entry) при распаковке увеличивается больше чем в "
          + "\(count: limit, "раз", "раза", "раз"), как zip-бомба; если ему можно доверять, "
          + "распакуйте его другой программой и преобразуйте файл из него")
    case .moreThanDeclared(let entry, let declared):
      Message(
        en: "the entry \(quoted: entry) is larger than its declared size of \(bytes: declared)",
        ru: "файл \(quoted: entry) больше объявленного размера: \(bytes: declared)",
        .downloadAgain)

    // Damaged entries.

    case .deflate(let entry):
      Message(
        en: "the entry \(quoted: entry) is damaged: its deflate data cannot be unpacked",
        ru: "файл \(quoted: entry) повреждён: данные deflate не распаковываются", .downloadAgain)
    case .deflateUnfinished(let entry):
      Message(
        en: "the entry \(quoted: entry) is damaged: its deflate data does not end where it should",
        ru: "файл \(quoted: entry) повреждён: данные deflate не кончаются там, где должны",
        .downloadAgain)
    case .bytesAfterDeflate(let entry, let count):
      Message(
        en: "the entry \(quoted: entry) is damaged: \(bytes: count) too many after its deflate "
          + "data",
        ru: "файл \(quoted: entry) повреждён: после данных deflate лишнее — \(bytes: count)",
        .downloadAgain)
    case .size(let entry, let declared, let actual):
      Message(
        en: "the entry \(quoted: entry) has a size of \(bytes: actual), but declares \(declared)",
        ru: "файл \(quoted: entry) занимает \(bytes: actual), а объявлено \(declared)",
        .downloadAgain)
    case .compressedSize(let entry, let declared, let actual):
      Message(
        en: "the entry \(quoted: entry) has a compressed size of \(bytes: actual), but declares "
          + "\(declared)",
        ru: "файл \(quoted: entry) в сжатом виде занимает \(bytes: actual), а объявлено "
          + "\(declared)",
        .downloadAgain)
    case .crc(let entry, let declared, let actual):
      Message(
        en: "the entry \(quoted: entry) is damaged: its CRC-32 is \(crc: actual), but it declares "
          + "\(crc: declared)",
        ru: "файл \(quoted: entry) повреждён: его контрольная сумма (CRC-32) — \(crc: actual), "
          + "а объявлена \(crc: declared)",
        .downloadAgain)
    case .descriptor(let entry):
      Message(
        en: "the entry \(quoted: entry) is damaged: no data descriptor follows its data",
        ru: "файл \(quoted: entry) повреждён: после его данных нет дескриптора (data descriptor)",
        .downloadAgain)

    // Records that contradict each other.

    case .zip64Missing(let entry):
      Message(
        en: "the entry \(quoted: entry) has no ZIP64 field for its sizes",
        ru: "файл \(quoted: entry) не имеет поля ZIP64, в котором должны быть его размеры",
        .downloadAgain)
    case .headersDisagree(let entry, let field):
      Message(
        en: "the two headers of \(quoted: entry) disagree on \(field.noun)",
        ru: "два заголовка файла \(quoted: entry) расходятся: \(field.noun)", .downloadAgain)
    case .noEntryAt(let offset, let entry):
      Message(
        en: "the directory places \(quoted: entry) at byte \(offset), where no entry begins",
        ru: "по оглавлению файл \(quoted: entry) начинается с байта \(offset), но там нет начала "
          + "файла",
        .downloadAgain)
    case .overlap(let entry, let other):
      Message(
        en: "the directory lists the bytes of \(quoted: other) again as \(quoted: entry)",
        ru: "в оглавлении байты файла \(quoted: other) указаны ещё раз как \(quoted: entry)",
        .downloadAgain)
    case .notListed(let entry):
      Message(
        en: "the entry \(quoted: entry) is not in the archive's directory",
        ru: "файл \(quoted: entry) не указан в оглавлении архива", .downloadAgain)
    }
  }
}

extension ZIPFault.EndField {
  /// The field in words.
  fileprivate var noun: Text {
    switch self {
    case .entriesOnDisk:
      Text(en: "the number of entries in this part", ru: "число файлов в этом томе")
    case .entries:
      Text(en: "the number of entries", ru: "число файлов")
    case .directorySize:
      Text(en: "the size of the central directory", ru: "размер оглавления")
    case .directoryOffset:
      Text(en: "the offset of the central directory", ru: "место оглавления")
    case .zip64RecordSize:
      Text(en: "the size of the ZIP64 end record", ru: "размер конечной записи ZIP64")
    case .zip64RecordOffset:
      Text(en: "the offset of the ZIP64 end record", ru: "место конечной записи ZIP64")
    }
  }
}

extension ZIPFault.HeaderField {
  /// The field in words. In Russian, also how its values differ.
  fileprivate var noun: Text {
    switch self {
    case .name: Text(en: "its name", ru: "разные имена")
    case .flags: Text(en: "its flags", ru: "разные флаги")
    case .method: Text(en: "its compression method", ru: "разные методы сжатия")
    case .time: Text(en: "its time", ru: "разное время изменения")
    case .crc: Text(en: "its CRC-32", ru: "разные CRC-32")
    case .compressedSize: Text(en: "its compressed size", ru: "разный размер в сжатом виде")
    case .size: Text(en: "its size", ru: "разный размер")
    }
  }
}

extension Sentence.StringInterpolation {
  /// A checksum in eight hexadecimal digits.
  fileprivate mutating func appendInterpolation(crc: UInt32) {
    let digits = String(crc, radix: 16)
    appendLiteral(String(repeating: "0", count: 8 - digits.count) + digits)
  }
}
