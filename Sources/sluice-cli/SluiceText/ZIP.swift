import Sluice

extension ZIPFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .truncated:
      Text(en: "the archive is truncated", ru: "архив обрезан") + .downloadAgain
    case .notZip(let first):
      ZIPFault.notZip(first) + .downloadAgain
    case .notContent(let looksLike, let start):
      ForeignForm.content.text(looksLike, start: start)
    case .severalDisks:
      Text(en: "the archive is one of several parts", ru: "это только часть многотомного архива")
        + .unpackYourself
    case .unknownRecord(let found):
      Text(en: "no record of an archive begins with ", ru: "это не запись архива, в начале — ")
        + .start(found) + .downloadAgain
    case .directoryMissing:
      Text(
        en: "the archive ends without a list of its entries",
        ru: "в конце архива нет оглавления") + .downloadAgain
    case .trailingData:
      Text(en: "bytes follow the end of the archive", ru: "после конца архива есть лишние байты")
        + .downloadAgain
    case .nameTooLong(let length, let limit):
      Text(
        en: "the name of an entry has \(Text.bytes(length).en), the limit is \(limit)",
        ru: "имя файла в архиве занимает \(Text.bytes(length).ru), предел — \(limit)")
        + .unpackYourself
    case .tooManyEntries(let limit):
      Text(
        en: "the archive has more than \(limit) \(plural(limit, "entry", "entries"))",
        ru: "в архиве слишком много файлов (предел — \(limit))") + .unpackYourself
    case .endRecord(let field, let declared, let actual):
      Text(
        en: "the archive's end says that \(field.noun.en) is \(declared), and it is \(actual)",
        ru: "в конце архива указано: \(field.noun.ru) — \(declared), на самом деле — \(actual)")
        + .downloadAgain
    case .noEntry(let names):
      ZIPFault.noEntry(names) + .tellPublisher
    case .severalEntries(let names):
      Text(en: "the archive has several files: ", ru: "в архиве несколько файлов: ")
        + .list(names) + Text(en: "; choose one: --entry NAME", ru: "; выберите один: --entry NAME")
    case .noSuchEntry(let wanted, let names) where names.isEmpty:
      Text(
        en: "the archive has no file with data, so none of the name ",
        ru: "в архиве нет файлов с данными, в том числе ")
        + .quoted(wanted) + .tellPublisher
    case .noSuchEntry(let wanted, let names):
      Text(en: "the archive has no file ", ru: "в архиве нет файла ") + .quoted(wanted)
        + Text(en: ", but it has ", ru: ", а есть ") + .list(names)
        + Text(en: "; choose with --entry NAME", ru: "; укажите нужный: --entry NAME")
    case .encrypted, .patchData, .method, .version, .storedWithDescriptor, .zip64Missing,
      .duplicateName, .tooLarge, .ratio, .moreThanDeclared, .deflate, .deflateUnfinished,
      .bytesAfterDeflate, .size, .compressedSize, .crc, .descriptor, .headersDisagree, .noEntryAt,
      .overlap, .notListed, .linkTooLong:
      entryText
    }
  }

  private static func notZip(_ first: [UInt8]) -> Text {
    let start = first.isEmpty ? nil : Text.start(first)
    return Text(
      en: "this is not a zip archive" + (start.map { ": it starts with \($0.en)" } ?? ""),
      ru: "это не архив zip" + (start.map { ": в начале — \($0.ru)" } ?? ""))
  }

  private static func noEntry(_ names: [EntryName]) -> Text {
    guard !names.isEmpty else { return Text(en: "the archive is empty", ru: "архив пуст") }
    let list = Text.list(names)
    return Text(
      en: "the archive has no file with data, only \(list.en)",
      ru: "в архиве нет файла с данными, есть только \(list.ru)")
  }
}

extension ZIPFault.EndField {
  /// What the end of an archive speaks of.
  var noun: Text {
    switch self {
    case .entriesOnDisk:
      Text(en: "the count of entries in this part", ru: "число файлов в этом томе")
    case .entries:
      Text(en: "the count of entries", ru: "число файлов")
    case .directorySize:
      Text(en: "the size of the central directory", ru: "размер оглавления")
    case .directoryOffset:
      Text(en: "the place of the central directory", ru: "место оглавления")
    case .zip64RecordSize:
      Text(en: "the size of the ZIP64 end record", ru: "размер конечной записи ZIP64")
    case .zip64RecordOffset:
      Text(en: "the place of the ZIP64 end record", ru: "место конечной записи ZIP64")
    }
  }
}

extension ZIPFault {
  /// What is wrong with one entry of an archive, and what to do.
  var entryText: Text {
    switch self {
    case .encrypted(let entry):
      entry.subject + Text(en: " is encrypted", ru: " зашифрован") + .unpackYourself
    case .patchData(let entry):
      entry.subject
        + Text(
          en: " is a patch, not a file", ru: " — не сами данные, а изменения к ним (patch data)")
        + .tellPublisher
    case .method(let method, let entry):
      entry.subject
        + Text(
          en: " is packed by method \(method), only 0 (stored) and 8 (deflate) are read",
          ru: " сжат методом \(method), а читаются только 0 (без сжатия) и 8 (deflate)")
        + .unpackYourself
    case .version(let version, let entry):
      entry.subject
        + Text(
          en: " needs version \(version / 10).\(version % 10) of the zip format, which is unknown",
          ru: " требует неизвестной версии формата zip: \(version / 10).\(version % 10)")
        + .downloadAgain
    case .storedWithDescriptor(let entry):
      entry.subject
        + Text(
          en: " is stored without compression and its size only follows, so its end is unknown",
          ru: " сохранён без сжатия, а размер указан лишь после него: где конец, неизвестно")
        + .unpackYourself
    case .zip64Missing(let entry):
      entry.subject
        + Text(
          en: " has no ZIP64 field, where its sizes should be",
          ru: " не имеет поля ZIP64, в котором должны быть его размеры") + .downloadAgain
    case .duplicateName(let entry):
      Text(en: "the archive has two entries ", ru: "в архиве два файла с именем ") + .quoted(entry)
        + .unpackYourself
    case .tooLarge(let entry, let limit):
      entry.subject
        + Text(
          en: " is larger than \(Text.size(limit).en); raise the limit: --max-size BYTES",
          ru: " больше предела (\(Text.size(limit).ru)); поднимите предел: --max-size BYTES")
    case .ratio(let entry, let limit):
      entry.subject
        + Text(
          en: " grows more than \(limit) times when unpacked, as a zip bomb does",
          ru: " при распаковке увеличивается больше чем в \(limit) "
            + "\(plural(limit, "раз", "раза", "раз")), как zip-бомба") + .unpackIfTrusted
    case .moreThanDeclared(let entry, let declared):
      entry.subject
        + Text(
          en: " is larger than the \(Text.bytes(declared).en) that it declares",
          ru: " больше объявленного размера: \(Text.bytes(declared).ru)") + .downloadAgain
    case .headersDisagree(let entry, let field):
      Text(en: "the two headers of ", ru: "два заголовка файла ") + .quoted(entry)
        + Text(en: " disagree about \(field.noun.en)", ru: " расходятся: \(field.noun.ru)")
        + .downloadAgain
    case .noEntryAt(let offset, let entry):
      Text(
        en: "the directory places \(Text.quoted(entry).en) at byte \(offset), "
          + "where no entry begins",
        ru: "по оглавлению файл \(Text.quoted(entry).ru) начинается с байта \(offset), "
          + "но там нет начала файла") + .downloadAgain
    case .overlap(let entry, let other):
      Text(
        en: "the directory lists the bytes of \(Text.quoted(other).en) again "
          + "as \(Text.quoted(entry).en)",
        ru: "в оглавлении байты файла \(Text.quoted(other).ru) указаны ещё раз "
          + "как \(Text.quoted(entry).ru)") + .downloadAgain
    case .notListed(let entry):
      entry.subject
        + Text(en: " is not in the archive's directory", ru: " не указан в оглавлении архива")
        + .downloadAgain
    case .linkTooLong(let entry):
      Text(en: "the symbolic link ", ru: "символическая ссылка ") + .quoted(entry)
        + Text(en: " is longer than a path can be", ru: " длиннее любого возможного пути")
        + .unpackYourself
    case .deflate, .deflateUnfinished, .bytesAfterDeflate, .size, .compressedSize, .crc,
      .descriptor:
      damageText + .downloadAgain
    case .truncated, .notZip, .notContent, .severalDisks, .unknownRecord, .directoryMissing,
      .trailingData, .nameTooLong, .tooManyEntries, .endRecord, .noEntry, .severalEntries,
      .noSuchEntry:
      // These have their texts in ``text``.
      .verbatim("")
    }
  }

  /// How one can see that the data of an entry is damaged.
  private var damageText: Text {
    switch self {
    case .deflate(let entry):
      entry.subject
        + Text(
          en: " is damaged: its deflate data cannot be unpacked",
          ru: " повреждён: данные deflate не распаковываются")
    case .deflateUnfinished(let entry):
      entry.subject
        + Text(
          en: " is damaged: its deflate data does not end where it should",
          ru: " повреждён: данные deflate не кончаются там, где должны")
    case .bytesAfterDeflate(let entry, let count):
      entry.subject
        + Text(
          en: " is damaged: \(Text.bytes(count).en) too many behind its deflate data",
          ru: " повреждён: после данных deflate лишнее — \(Text.bytes(count).ru)")
    case .size(let entry, let declared, let actual):
      entry.subject
        + Text(
          en: " has a size of \(Text.bytes(actual).en), but declares \(declared)",
          ru: " занимает \(Text.bytes(actual).ru), а объявлено \(declared)")
    case .compressedSize(let entry, let declared, let actual):
      entry.subject
        + Text(
          en: " has a compressed size of \(Text.bytes(actual).en), but declares \(declared)",
          ru: " в сжатом виде занимает \(Text.bytes(actual).ru), а объявлено \(declared)")
    case .crc(let entry, let declared, let actual):
      entry.subject
        + Text(
          en: " is damaged: its CRC-32 is \(hex(actual)), but it declares \(hex(declared))",
          ru:
            " повреждён: его контрольная сумма (CRC-32) — \(hex(actual)), а объявлена \(hex(declared))"
        )
    case .descriptor(let entry):
      entry.subject
        + Text(
          en: " is damaged: no data descriptor follows its data",
          ru: " повреждён: после его данных нет дескриптора (data descriptor)")
    default:
      .verbatim("")
    }
  }
}

extension EntryName {
  /// The entry as a sentence's subject.
  fileprivate var subject: Text {
    Text(en: "the entry ", ru: "файл ") + .quoted(self)
  }
}

extension ZIPFault.HeaderField {
  /// What the headers of an entry speak of.
  var noun: Text {
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

extension Text {
  fileprivate static let unpackIfTrusted = Text(
    en: "; if you trust it, unpack it with another program and convert the file in it",
    ru: "; если ему можно доверять, распакуйте его другой программой и преобразуйте файл из него")
}

private func hex(_ number: UInt32) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 8 - digits.count) + digits
}
