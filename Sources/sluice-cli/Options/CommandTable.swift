extension CommandRow {
  /// The table of commands; help lists them in this order.
  static let all: [CommandRow] = [
    CommandRow(
      name: .convert,
      summary: Text(
        en: "read a feed once and write every output in that one pass",
        ru: "прочитать набор данных один раз и за этот же проход записать все файлы"),
      operand: input,
      notes: [
        Text(
          en: """
            Nothing half-done is published: files are put in place only after all of them are \
            complete and the input has been checked to its very end; on failure the old files \
            stay as they were. Standard output cannot be taken back: there a failure shows in \
            the exit code only.
            """,
          ru: """
            Ничего недоделанного не публикуется: файлы встают на место, только когда готовы все \
            и входные данные проверены до самого конца; при сбое прежние файлы остаются \
            нетронутыми. Записанное в стандартный вывод не отозвать: о сбое там скажет только код \
            завершения.
            """)
      ],
      examples: [
        Example(
          line: "sluice convert -o hot-water.csv -o hot-water.ics",
          meaning: Text(
            en: "download the feed; make a table and a calendar of it",
            ru: "скачать набор данных, сделать из него таблицу и календарь")),
        Example(
          line: "sluice convert feed.zip --where street=Непокорённых --where house=15 "
            + "--alarm 1d -o home.ics",
          meaning: Text(
            en: "a calendar for one house, with a reminder the day before",
            ru: "календарь для одного дома с напоминанием за день")),
        Example(
          line: "sluice convert feed.zip --from 2020-07-01 --to 2020-07-31 "
            + "--csv-dialect excel -o july.csv",
          meaning: Text(
            en: "the outages of July, for Excel",
            ru: "июльские отключения для Excel")),
        Example(
          line: "curl -s https://example.org/feed.json "
            + "| sluice convert - --format ndjson | jq -r .street | sort -u",
          meaning: Text(
            en: "as a part of a pipe",
            ru: "в конвейере")),
      ]),
    CommandRow(
      name: .inspect,
      summary: Text(
        en: "say what an input holds: form, entries, records, keys, dates, first rejects",
        ru: "показать, что внутри: формат, файлы архива, записи, ключи, даты, первые отклонённые"),
      operand: input,
      examples: [
        Example(
          line: "sluice inspect feed.zip",
          meaning: Text(en: "look into a file", ru: "заглянуть в файл")),
        Example(
          line: "sluice inspect --feed hot-water",
          meaning: Text(en: "look at what the feed offers now", ru: "узнать, что отдают сейчас")),
      ]),
    CommandRow(
      name: .feeds,
      summary: Text(
        en: "list the feeds, or show the URL, the columns and the rules of one",
        ru: "перечислить наборы данных или показать адрес, столбцы и правила одного из них"),
      operand: Operand(
        value: .feed, isRequired: false,
        help: Text(en: "a feed to describe", ru: "какой набор данных описать")),
      examples: [
        Example(
          line: "sluice feeds",
          meaning: Text(en: "list the feeds", ru: "перечислить наборы данных")),
        Example(
          line: "sluice feeds hot-water",
          meaning: Text(en: "describe one feed", ru: "описать один набор данных")),
      ]),
    CommandRow(
      name: .completions,
      summary: Text(
        en: "print a script that completes commands and options in a shell",
        ru: "вывести скрипт автодополнения команд и параметров для оболочки"),
      operand: Operand(
        value: .choice(of: Shell.self), isRequired: true,
        help: Text(en: "the shell to make it for", ru: "для какой оболочки")),
      examples: [
        Example(
          line: "sluice completions bash > ~/.local/share/bash-completion/completions/sluice",
          meaning: Text(en: "install for bash", ru: "установить для bash")),
        Example(
          line: "source <(sluice completions zsh)",
          meaning: Text(
            en: "load in .zshrc, after compinit", ru: "подключить в .zshrc, после compinit")),
        Example(
          line: "sluice completions fish > ~/.config/fish/completions/sluice.fish",
          meaning: Text(en: "install for fish", ru: "установить для fish")),
      ]),
    CommandRow(
      name: .help,
      summary: Text(en: "show help for a command", ru: "показать справку по команде"),
      operand: Operand(
        value: .command, isRequired: false,
        help: Text(en: "the command to explain", ru: "о какой команде рассказать")),
      examples: [
        Example(
          line: "sluice help convert",
          meaning: Text(en: "explain one command", ru: "рассказать об одной команде"))
      ]),
    CommandRow(
      name: .man, isHidden: true,
      summary: Text(en: "print the man page", ru: "вывести страницу руководства (man)"),
      examples: [
        Example(
          line: "sluice man > ~/.local/share/man/man1/sluice.1",
          meaning: Text(en: "install it", ru: "установить её"))
      ]),
  ]

  private static let input = Operand(
    value: .file("INPUT"), isRequired: false,
    help: Text(
      en: """
        a file, '-' for standard input, or an http(s) URL; default: the feed's own URL; JSON, \
        zip and base64 are told apart by their first bytes
        """,
      ru: """
        файл, «-» (стандартный ввод) или адрес http(s); по умолчанию — собственный адрес набора \
        данных; JSON, zip и base64 различаются по первым байтам
        """))
}
