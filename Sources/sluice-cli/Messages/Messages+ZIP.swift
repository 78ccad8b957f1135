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
