import Sluice

extension CommandRow {
  /// The table of commands; help lists them in this order.
  static let all = aboutData + aboutFeeds + aboutTheProgram

  private static let aboutData: [CommandRow] = [
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
          line: "sluice convert --feed photos --search officia -o photos.ndjson",
          meaning: Text(
            en: "a search in a list that comes in pages",
            ru: "поиск в списке, который отдают по страницам")),
        Example(
          line: "curl -s https://example.org/feed.json "
            + "| sluice convert - --format ndjson | jq -r .street | sort -u",
          meaning: Text(
            en: "as a part of a pipe",
            ru: "в конвейере")),
      ]),
    CommandRow(
      name: .sync,
      summary: Text(
        en: "keep published files up to date, night after night: download, judge, publish",
        ru: "поддерживать опубликованные файлы в порядке каждую ночь: скачать, проверить, "
          + "опубликовать"),
      operand: input,
      notes: [
        Text(
          en: """
            Says nothing when all is well. What is published stays as it is when the source cannot \
            be reached or sends nonsense, and when a guard refuses the change: a feed that is \
            suddenly empty, much shorter or older than last time, or whose days all lie in the \
            past. Whoever has looked at such a change and finds it right runs sync once with \
            --accept.
            """,
          ru: """
            Если всё хорошо, ничего не сообщает. Опубликованное остаётся как есть, когда источник \
            недоступен или отдаёт не то, а также когда изменение отклоняет защита: данные вдруг \
            пусты, намного короче или старее, чем в прошлый раз, или все дни в них прошли. Если \
            посмотреть и убедиться, что изменение верно, достаточно один раз запустить sync с \
            --accept.
            """),
        Text(
          en: """
            A URL is asked again only after --max-age, and then only for what has changed; the \
            files are made anew from the last good copy all the same, so that changed options \
            take effect. Equal files are left alone.
            """,
          ru: """
            Адрес запрашивается снова только по истечении --max-age и только об изменениях; файлы \
            всё равно создаются заново из последней удачной копии, чтобы новые параметры \
            подействовали. Если файл не изменился, он остаётся нетронутым.
            """),
      ],
      examples: [
        Example(
          line: "sluice sync -o /srv/www/outages.csv -o /srv/www/outages.ics "
            + "--state /var/lib/sluice",
          meaning: Text(
            en: "publish a table and a calendar, in a nightly job",
            ru: "опубликовать таблицу и календарь в ночном задании")),
        Example(
          line: "sluice sync --config /etc/sluice/hot-water.yaml",
          meaning: Text(
            en: "the same, as a configuration file says", ru: "то же по файлу настроек")),
        Example(
          line: "sluice sync -o /srv/www/outages.ics --stale-ok 7d",
          meaning: Text(
            en: "put up with a source that is away for up to a week",
            ru: "терпеть, если источник недоступен не дольше недели")),
        Example(
          line: "sluice sync -o /srv/www/outages.ics --accept",
          meaning: Text(
            en: "accept a change that a guard has refused",
            ru: "принять изменение, которое отклонила защита")),
      ]),
    CommandRow(
      name: .status,
      summary: Text(
        en: "show what sync has done last: run, last good copy, next request, counts",
        ru: "показать, что сделал sync: запуск, последняя удачная копия, следующий запрос, счёт"),
      examples: [
        Example(
          line: "sluice status --state /var/lib/sluice",
          meaning: Text(en: "look at a nightly job", ru: "проверить ночное задание"))
      ]),
    CommandRow(
      name: .config,
      summary: Text(
        en: "show every setting of sync, and where it comes from",
        ru: "показать все настройки sync и откуда взята каждая"),
      operand: input,
      notes: [
        Text(
          en: """
            A configuration file is YAML: one mapping, its keys the long names of options and \
            'input'. An option that may be repeated takes a list, a flag takes true or false. \
            Keys of options that a command does not take are left aside, so that one file serves \
            convert, sync and status. Relative paths count from the working folder.
            """,
          ru: """
            Файл настроек — это YAML: одно отображение, ключи — длинные имена параметров и \
            «input». Параметр, который можно указать несколько раз, принимает список, \
            переключатель — true или false. Ключи параметров, которых у команды нет, \
            пропускаются: один файл годится для convert, sync и status. Относительные пути \
            считаются от текущей папки.
            """),
        Text(
          en: """
            What is typed counts first, then the environment, then the file, then the default; a \
            list replaces that of a lower level. Variables are called SLUICE_ and the name in \
            capitals, SLUICE_MAX_AGE for --max-age; a list has one item a line. What may only \
            be typed: --accept. Secrets in headers and URLs are shown as ***.
            """,
          ru: """
            Сначала учитывается командная строка, потом окружение, потом файл, потом значение по \
            умолчанию; список целиком заменяет список уровнем ниже. Переменная называется SLUICE_ \
            и имя прописными буквами, SLUICE_MAX_AGE для --max-age; в списке по одному значению \
            на строку. Только в командной строке можно указать --accept. Секреты в заголовках и \
            адресах показываются как ***.
            """),
      ],
      examples: [
        Example(
          line: "sluice config --config /etc/sluice/hot-water.yaml",
          meaning: Text(en: "check a configuration file", ru: "проверить файл настроек"))
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
  ]

  private static let aboutTheProgram: [CommandRow] = [
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

  /// What the commands take that read data.
  static let input = Operand(
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

extension CommandRow {
  /// The kinds of columns.
  private static let kinds = Rule.allCases.map(\.rawValue).joined(separator: ", ")

  /// The commands that show feeds and keep what they are asked for.
  static let aboutFeeds: [CommandRow] = [
    CommandRow(
      name: .searches,
      summary: Text(
        en: "show what feeds were searched for, newest first; or forget it",
        ru: "показать, что искали в наборах данных, начиная с последнего, или забыть это"),
      notes: [
        Text(
          en: """
            Without --feed, the searches of all feeds are meant. They are kept in the state folder, \
            a hundred for each feed.
            """,
          ru: """
            Без --feed имеются в виду поиски во всех наборах. Они хранятся в папке состояния, по \
            сто для каждого набора.
            """)
      ],
      examples: [
        Example(
          line: "sluice searches --feed photos",
          meaning: Text(en: "what was searched for", ru: "что искали")),
        Example(
          line: "sluice searches --clear",
          meaning: Text(en: "forget all searches", ru: "забыть все поиски")),
      ]),
    CommandRow(
      name: .feeds,
      summary: Text(
        en: "list the feeds, show one, or help with a feed of your own",
        ru: "перечислить наборы данных, показать один из них или помочь составить свой"),
      operand: Operand(
        value: .feed, isRequired: false,
        help: Text(
          en: "a feed to describe, or its document's path; with --check, a SAMPLE of its data",
          ru: "какой набор описать: имя или путь к документу; с --check — образец данных (SAMPLE)")),
      notes: [
        Text(
          en: """
            A feed is a YAML (or JSON) document: where the data is, where its rows are, what is a \
            column and of which kind (\(kinds)), and what makes a row an event. Begin with --new, \
            look at --document hot-water, check with --check, and use it anywhere by its path \
            (--feed ./waste.yaml).
            """,
          ru: """
            Набор данных описывается документом YAML (или JSON): где данные, где в них строки, что \
            становится столбцом и какого вида (\(kinds)) и что делает строку событием. Начните с \
            --new, посмотрите на --document hot-water, проверяйте с --check и указывайте по пути \
            (--feed ./waste.yaml).
            """)
      ],
      examples: [
        Example(
          line: "sluice feeds",
          meaning: Text(en: "list the feeds", ru: "перечислить наборы данных")),
        Example(
          line: "sluice feeds hot-water",
          meaning: Text(en: "describe one feed", ru: "описать один набор данных")),
        Example(
          line: "sluice feeds --new sample.json > waste.yaml",
          meaning: Text(
            en: "begin a feed of your own with what the data suggests",
            ru: "начать свой набор с того, что подсказывают данные")),
        Example(
          line: "sluice feeds --check waste.yaml sample.json",
          meaning: Text(
            en: "check it, and see what becomes of the data",
            ru: "проверить его и увидеть, что станет с данными")),
        Example(
          line: "sluice convert sample.json --feed ./waste.yaml -o waste.ics",
          meaning: Text(
            en: "make a calendar with it", ru: "сделать с ним календарь")),
      ]),
    CommandRow(
      name: .cities,
      summary: Text(
        en: "keep the list of cities, or of whatever else a feed asks for one by one",
        ru: "вести список городов или чего угодно, что набор данных запрашивает поштучно"),
      action: Operand(
        value: .choice(of: ListOptions.Word.self), isRequired: false,
        help: Text(
          en: "what to do; default: list",
          ru: "что сделать; по умолчанию list (показать)")),
      operand: Operand(
        value: .text("TEXT"), isRequired: false,
        help: Text(
          en: "the name to add or to remove, or what to search for",
          ru: "название, которое добавить или убрать, или что искать")),
      notes: [
        Text(
          en: """
            The list belongs to the feed: without --feed to the built-in one that has such a list. \
            It is a text file in the state folder, one name a line. The next run asks for what was \
            added and drops the rows of what was removed. Names are the same whatever their case. \
            What search prints can be added as it is.
            """,
          ru: """
            Список принадлежит набору данных: без --feed — встроенному, у которого такой список \
            есть. Это текстовый файл в папке состояния, по названию на строке. Следующий запуск \
            запросит добавленное и уберёт строки удалённого. Регистр букв в названиях не важен. \
            То, что выводит search, можно добавлять как есть.
            """)
      ],
      examples: [
        Example(
          line: "sluice cities add Гродно",
          meaning: Text(
            en: "add a city; the next run asks for its weather too",
            ru: "добавить город: следующий запуск запросит погоду и для него")),
        Example(
          line: "sluice cities search Новосиб",
          meaning: Text(en: "ask how a name is spelled", ru: "узнать, как пишется название")),
        Example(
          line: "sluice cities --mirror http://127.0.0.1:8080",
          meaning: Text(
            en: "what such a mirror has answered, and not the feed's own server",
            ru: "что ответило такое зеркало, а не собственный сервер набора")),
        Example(
          line: "sluice cities",
          meaning: Text(
            en: "show the list, and when each was answered last",
            ru: "показать список и когда по каждому был ответ")),
        Example(
          line: "sluice cities remove Москва --feed ./stations.yaml",
          meaning: Text(
            en: "the same for the list of another feed", ru: "то же для списка другого набора")),
      ]),
  ]
}

/// A row of the table of commands.
struct CommandRow: Sendable {
  /// What a command takes beside options: at most one thing, and perhaps a word before it that says
  /// what to do.
  struct Operand: Sendable {
    let value: ValueKind
    let isRequired: Bool
    let help: Text

    /// The operand in a usage line: `[INPUT]`.
    var usage: String { isRequired ? value.placeholder : "[\(value.placeholder)]" }
  }

  /// A command line that one can paste, and what it does.
  struct Example: Sendable {
    let line: String
    let meaning: Text
  }

  let name: CommandName
  /// Hidden commands are not listed.
  var isHidden = false
  let summary: Text
  var action: Operand?
  var operand: Operand?
  /// What one has to know beside the options, one paragraph each.
  var notes: [Text] = []
  var examples: [Example] = []

  /// The commands that help lists.
  static let visible = all.filter { !$0.isHidden }

  /// What it takes beside options, in order.
  var operands: [Operand] { [action, operand].compactMap(\.self) }

  /// The row of a command.
  static func of(_ name: CommandName) -> CommandRow? { all.first { $0.name == name } }

  /// The line that shows how the command is called.
  func usage(_ language: Language) -> String {
    let options =
      OptionRow.of(name).contains { $0.commands != nil } ? " \(Text.options[language])" : ""
    let operands = operands.map { " " + $0.usage }.joined()
    return "\(Program.name) \(name.rawValue)\(operands)\(options)"
  }
}

/// A command, by its name. ``CommandRow/all`` says the rest.
enum CommandName: String, CaseIterable, Sendable {
  case convert, sync, status, config, inspect, searches, feeds, cities, completions, help, man
}

/// What the program is asked to do, with every value read and checked.
enum Command: Equatable, Sendable {
  case convert(ConvertOptions)
  case sync(SyncOptions)
  case status(StatusOptions)
  /// Shows what every option of `sync` would be.
  case config(ConfigOptions)
  case inspect(InspectOptions)
  /// Shows what a feed was searched for, or forgets it.
  case searches(SearchesOptions)
  /// Describes feeds, checks documents, makes new ones.
  case feeds(FeedsOptions)
  /// Keeps the list of a feed's items.
  case cities(ListOptions)
  case completions(Shell)
  /// Explains one command, or the program.
  case help(CommandName?)
  case version
  case man
}
