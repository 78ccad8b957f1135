import Sluice

extension Language {
  /// Takes the language of messages from the locale: the first of LC_ALL, LC_MESSAGES and LANG
  /// that is set and not empty decides (POSIX, section 8.2); Russian, or else English.
  init(environment: (String) -> String?) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(environment).first { !$0.isEmpty }
    // `ru`, `ru_RU.UTF-8`, `ru@…`; but not `run`.
    let name = locale?.lowercased().prefix { $0.isLetter }
    self = name == "ru" || name == "russian" ? .ru : .en
  }
}
