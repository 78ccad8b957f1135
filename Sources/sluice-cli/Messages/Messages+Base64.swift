import Sluice

extension Base64Fault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .empty:
      Text(en: "there is no base64 text", ru: "текста base64 нет") + .downloadAgain
    case .urlAlphabet(let byte):
      .byte(byte)
        + Text(
          en: " belongs to URL-safe base64, which is not read; "
            + "replace \"-\" by \"+\" and \"_\" by \"/\"",
          ru: " относится к варианту base64 для URL, он не читается; "
            + "замените «-» на «+», а «_» на «/»")
    case .foreign(let byte):
      .byte(byte) + Text(en: " is not base64", ru: " не относится к base64") + .downloadAgain
    case .truncated:
      Text(
        en: "the base64 text is truncated: it ends within a group of four characters",
        ru: "текст base64 обрезан: он кончается внутри группы из четырёх символов") + .downloadAgain
    case .missingPadding:
      Text(
        en: "the base64 text ends without its padding (\"=\") and is probably truncated",
        ru: "в конце текста base64 нет дополнения («=»), вероятно, он обрезан") + .downloadAgain
    case .earlyPadding:
      Text(
        en: "padding (\"=\") stands behind fewer than two characters of a group",
        ru: "дополнение («=») стоит раньше, чем после двух символов группы") + .tellPublisher
    case .excessPadding:
      Text(
        en: "there is more padding (\"=\") than belongs here",
        ru: "здесь лишнее дополнение («=»)") + .tellPublisher
    case .padBits:
      Text(
        en: "the last character before the padding carries bits that belong to no byte",
        ru: "в последнем символе перед дополнением есть лишние ненулевые биты") + .tellPublisher
    case .dataAfterPadding:
      Text(
        en: "base64 goes on behind its padding (\"=\")",
        ru: "после дополнения («=») base64 продолжается") + .tellPublisher
    }
  }
}
