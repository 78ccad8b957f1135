import Sluice

extension RequestName {
  /// What a request is called; nil where there is only one.
  var text: Text? {
    switch self {
    case .document: nil
    case .named(let name): .shown(name)
    case .page(let number): Text(en: "page \(number)", ru: "страница \(number)")
    case .item(let name): .shown(name)
    }
  }
}

extension RequestsFault {
  /// What else is missing, and how to go on, in brackets behind what went wrong first; nothing where
  /// there is nothing to be said.
  var rest: Text {
    var parts: [Text] = []
    let others = missing.filter { $0 != name }.compactMap(\.text)
    if !others.isEmpty {
      parts.append(
        Text(
          en: "missing too: \(others.map(\.en).joined(separator: ", "))",
          ru: "нет и других: \(others.map(\.ru).joined(separator: ", "))"))
    }
    switch remedy {
    case .resume where kept == 0: break
    case .resume:
      parts.append(
        Text(
          en:
            "\(kept) \(plural(kept, "answer is", "answers are")) kept, --resume goes on from there",
          ru: "сохранено ответов: \(kept), продолжить с этого места — --resume"))
    case .again:
      parts.append(
        Text(
          en: "run it again: only what is missing is asked for",
          ru: "запустите ещё раз: будет запрошено только недостающее"))
    }
    guard let first = parts.first else { return .verbatim("") }
    return parts.dropFirst().reduce(.verbatim(" (") + first) { $0 + .verbatim(". ") + $1 }
      + .verbatim(")")
  }
}

extension PagingFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .elsewhere(let url):
      Text(en: "the next page is said to be at ", ru: "следующая страница указана по адресу ")
        + .path(url)
        + Text(
          en: ", on another server; tell the publisher of the data",
          ru: ", на другом сервере; сообщите издателю данных")
    case .repeated(let url):
      Text(en: "the next page is said to be at ", ru: "следующая страница указана по адресу ")
        + .path(url)
        + Text(
          en: ", which was there before; tell the publisher of the data",
          ru: ", который уже был; сообщите издателю данных")
    case .tooMany(let limit):
      Text(
        en:
          "the list goes on after \(limit) \(plural(limit, "page", "pages")); raise 'most' in the "
          + "feed's document, or search for a part",
        ru: "список не кончился, предел страниц — \(limit); увеличьте most в документе набора или "
          + "найдите часть списка")
    case .same:
      Text(
        en:
          "this page is the same as the one beside it; check what tells pages apart in the feed's "
          + "document",
        ru: "эта страница совпадает с соседней; проверьте в документе набора, чем страницы "
          + "различаются")
    }
  }
}

extension Text {
  /// Says that a list changed while its pages were read.
  static func listChanged(_ change: ListChange) -> Text {
    Text(
      en:
        "the list changed while it was read, from \(change.first) to \(change.last) rows: some may "
        + "be missing or stand there twice; run it again",
      ru: "список изменился во время чтения, было строк \(change.first), стало \(change.last): "
        + "каких-то может не хватать, а какие-то — повторяться; запустите ещё раз")
  }
}
