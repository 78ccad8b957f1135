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
  /// What else is missing, and how to go on: behind what went wrong first.
  var rest: Text {
    var text = Text.verbatim("")
    let others = missing.filter { $0 != name }.compactMap(\.text)
    if !others.isEmpty {
      text =
        text + Text(en: "; missing too: ", ru: "; нет и других: ")
        + Text(
          en: others.map(\.en).joined(separator: ", "),
          ru: others.map(\.ru).joined(separator: ", "))
    }
    switch remedy {
    case .resume where kept == 0: return text
    case .resume:
      return text
        + Text(
          en: "; \(kept) \(plural(kept, "answer is", "answers are")) kept: --resume goes on from "
            + "there",
          ru: "; сохранено ответов: \(kept), продолжить с этого места — --resume")
    case .again:
      return text
        + Text(
          en: "; run it again: only what is missing is asked for",
          ru: "; запустите ещё раз: будет запрошено только недостающее")
    }
  }
}
