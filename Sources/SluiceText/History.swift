import Sluice

extension HistoryFault {
  /// The problem and the remedy.
  var message: Message {
    switch self {
    case .noDate(let name):
      Message(
        en: """
          \(path: name) has no date; name it like hot-water-2026-01-05.json, or say where the date \
          is: --pattern '*-{yyyy-MM-dd}.json'
          """,
        ru: """
          у \(path: name) нет даты; назовите его по образцу hot-water-2026-01-05.json или укажите, \
          где дата: --pattern '*-{yyyy-MM-dd}.json'
          """)
    case .noDateOfArchive(let name):
      Message(
        en: """
          \(path: name) has no date; if its files are the nights, choose them with --entry '*.json', \
          otherwise name it like hot-water-2026-01-05.zip
          """,
        ru: """
          у \(path: name) нет даты; если ночи — это файлы в нём, выберите их: --entry '*.json', иначе \
          назовите его по образцу hot-water-2026-01-05.zip
          """)
    case .noSuchDate(let name):
      Message(
        en: "\(path: name) has no date where the pattern expects it; rename it",
        ru: "в имени \(path: name) нет даты там, где её ждёт шаблон; переименуйте его")
    case .sameDate(let name, let other, let day):
      Message(
        en: "\(path: name) is of \(day), and so is \(path: other); name one of them only",
        ru: "\(path: name) — за \(day), как и \(path: other); укажите только один из них")
    case .outOfOrder(let name, let day, let after, let later):
      Message(
        en: """
          \(path: name) is of \(day), and comes after \(path: after) of \(later); unpack the archive, \
          then they are sorted
          """,
        ru: """
          \(path: name) — за \(day), но стоит после \(path: after) за \(later); распакуйте архив, тогда \
          они будут упорядочены
          """)
    case .thirdInput(let name):
      Message(
        en: "\(path: name) is a third input; diff compares two",
        ru: "\(path: name) — уже третий; diff сравнивает два")
    }
  }
}
