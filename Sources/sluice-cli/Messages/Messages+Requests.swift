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
  /// What went wrong first, what else is missing, and how to go on: one line.
  var text: Text { first.text(of: name, what) + rest }

  /// What went wrong, where the request says more of it than the answer.
  private var what: Text? {
    if case .normalize(.tooManyRejects(let rejected, let judged, let limit)) = first.fault {
      return FeedFault.tooManyInAnswer(rejected, of: judged, limit.shown)
    }
    guard case .source(.status(let status, let url, _)) = first.fault else { return nil }
    if let variable = variables.first {
      return SourceFault.answer(status, url)
        + Text(en: "; is \(variable) right?", ru: "; правильно ли задан \(variable)?")
    }
    guard case .item(let item) = name, status == 404 else { return nil }
    return SourceFault.answer(status, url)
      + Text(en: "; is it spelled right?", ru: "; верно ли написано?")
      + .verbatim(search.map { " " + $0.command(item) } ?? "")
  }

  /// What else is missing, and how to go on, in brackets behind what went wrong first; nothing where
  /// there is nothing to be said.
  private var rest: Text {
    var parts = isPublished ? standIns : []
    let others = isPublished ? [] : missing.filter { $0 != name }.compactMap(\.text)
    if !others.isEmpty {
      parts.append(Text(en: "missing too: ", ru: "нет и других: ") + .joined(others))
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

  /// What is published in place of what is missing.
  private var standIns: [Text] {
    let old = missing.compactMap { name in
      ages[name].flatMap { age in name.text.map { $0 + .verbatim(", ") + Text.age(age) } }
    }
    let absent = missing.filter { ages[$0] == nil }.compactMap(\.text)
    var parts: [Text] = []
    if !old.isEmpty {
      parts.append(
        Text(en: "published with their last rows: ", ru: "опубликованы прежние строки: ")
          + .joined(old, by: "; "))
    }
    if !absent.isEmpty {
      parts.append(Text(en: "published without: ", ru: "опубликовано без: ") + .joined(absent))
    }
    return parts
  }
}

extension RequestsFault.Search {
  /// The command that searches for a name, to be pasted.
  fileprivate func command(_ name: String) -> String {
    var words = ["sluice", "cities", "search", shellWord(name)]
    if needsDocument { words += ["--feed", "FILE"] }
    if let mirror { words += ["--mirror", shellWord(mirror)] }
    return words.joined(separator: " ")
  }
}

extension Text {
  /// How old something is, in the largest unit that says enough.
  fileprivate static func age(_ seconds: Int) -> Text {
    switch seconds {
    case ..<7200: Text(en: "\(seconds / 60) min old", ru: "\(seconds / 60) мин назад")
    case ..<172_800: Text(en: "\(seconds / 3600) h old", ru: "\(seconds / 3600) ч назад")
    default: Text(en: "\(seconds / 86_400) d old", ru: "\(seconds / 86_400) дн. назад")
    }
  }

  /// The first of some names: one line is enough to say what kind of thing is missing.
  fileprivate static func joined(_ texts: [Text], by separator: String = ", ", limit: Int = 12)
    -> Text
  {
    let more = texts.count > limit ? Text(en: " and others", ru: " и другие") : .verbatim("")
    let shown = texts.prefix(limit)
    return Text(
      en: shown.map(\.en).joined(separator: separator),
      ru: shown.map(\.ru).joined(separator: separator)) + more
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
    case .secret(let url):
      Text(en: "the next page is said to be at ", ru: "следующая страница указана по адресу ")
        + .path(url)
        + Text(
          en: ", with a secret in it that no parameter in the feed's document puts there; add that "
            + "parameter to the document",
          ru: ", и в нём секрет, который не задан параметром в документе набора; добавьте такой "
            + "параметр в документ")
    case .unreadable(let link):
      Text(en: "the Link header cannot be read: ", ru: "заголовок Link не разобрать: ")
        + .quoted(link)
        + Text(
          en: ", so that nobody knows whether the list goes on; tell the publisher of the data",
          ru: ", поэтому неизвестно, продолжается ли список; сообщите издателю данных")
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
    case .unlinked(let total):
      Text(
        en:
          "the link to the next page is missing, although the server tells \(total) "
          + "\(plural(total, "row", "rows")); tell the publisher of the data",
        ru: "нет ссылки на следующую страницу, хотя по словам сервера строк \(total); сообщите "
          + "издателю данных")
    case .pageSize(let rows):
      Text(
        en:
          "rows would be missing or stand there twice: the server gives \(rows) \(plural(rows, "row", "rows")) a "
          + "page; set 'size: \(rows)' in the feed's document",
        ru: "строки пропали бы или повторились: сервер даёт строк на страницу — \(rows); задайте "
          + "size: \(rows) в документе набора")
    case .unfinished:
      Text(
        en: "the list has not come to its end; run it again without --resume",
        ru: "список не дочитан до конца; запустите ещё раз без --resume")
    }
  }
}

extension Text {
  /// Says that some of a list may be missing.
  static func doubtful(_ doubt: ListDoubt) -> Text {
    switch doubt {
    case .changed(let first, let last):
      Text(
        en:
          "the list changed while it was read, from \(first) to \(last) rows: some may be missing "
          + "or stand there twice; run it again",
        ru: "список изменился во время чтения, было строк \(first), стало \(last): каких-то может "
          + "не хватать, а какие-то — повторяться; запустите ещё раз")
    case .count(let said, let came):
      Text(
        en:
          "the server tells \(said) \(plural(said, "row", "rows")) and gives \(came): some may be "
          + "missing or stand there twice; tell the publisher of the data",
        ru: "по словам сервера строк \(said), а пришло \(came): каких-то может не хватать, а "
          + "какие-то — повторяться; сообщите издателю данных")
    }
  }

  /// Says that a run could not go on where another broke off.
  static func begunAnew(_ outdated: Int) -> Text {
    Text(
      en: "--resume: what is kept is too old to go on with (\(outdated) "
        + "\(plural(outdated, "answer", "answers"))); all was asked anew",
      ru: "--resume: сохранённое слишком старо, чтобы продолжать (ответов: \(outdated)); всё "
        + "запрошено заново")
  }
}
