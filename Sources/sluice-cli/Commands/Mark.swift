import Sluice
import SluiceText

extension Command {
  /// The row of `mark`.
  static let mark = Command(
    name: "mark",
    summary: Text(
      en: "mark a row of a database, or show the marks of a table",
      ru: "отметить строку в базе данных или показать отметки таблицы"),
    operands: [
      Operand(
        value: .file("DB"), isRequired: true,
        help: Text(
          en: "a database that convert or sync made", ru: "база данных от convert или sync")),
      Operand(
        value: .text("TABLE"), isRequired: true,
        help: Text(en: "a table with marks", ru: "таблица с отметками")),
      Operand(
        value: .text("KEY MARK=1..."), isRequired: false, isRepeatable: true,
        help: Text(
          en: """
            the key of a row, each of its columns a word of its own, and marks: MARK=1 sets one, \
            MARK=0 takes it back; without them, the marks of the table are shown
            """,
          ru: """
            ключ строки, каждый столбец ключа отдельным словом, и отметки: MARK=1 ставит отметку, \
            MARK=0 снимает; без них выводятся отметки таблицы
            """)),
    ],
    notes: [
      Text(
        en: """
          It ends with 1 if no row has the key. A sync that writes the same database makes it wait \
          for up to five seconds, then it ends with 75.
          """,
        ru: """
          Если строки с таким ключом нет, код завершения 1. Пока в эту базу пишет sync, команда ждёт \
          до пяти секунд и затем завершается с кодом 75.
          """)
    ],
    examples: [
      Example(
        line: "sluice mark blog.sqlite posts 5 favorite=1",
        meaning: Text(en: "mark a favourite", ru: "добавить запись в избранное")),
      Example(
        line: "sluice mark blog.sqlite posts 7 seen=1 deleted=1",
        meaning: Text(en: "hide a row for good", ru: "скрыть строку навсегда")),
      Example(
        line: "sluice mark blog.sqlite posts",
        meaning: Text(en: "show the marks", ru: "показать отметки")),
    ],
    options: MarkOptions.self)
}

/// The options of `mark`.
struct MarkOptions: CommandOptions {
  /// The path of the database.
  var database: String
  var table: String
  /// The key and the marks; empty to show the marks.
  var words: [String]

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    let operands = arguments.operands
    guard operands.count >= 2 else { throw .missingOperand(operands.isEmpty ? "DB" : "TABLE") }
    database = operands[0]
    table = operands[1]
    words = Array(operands.dropFirst(2))
  }
}

extension MarkOptions {
  /// Sets marks of a row, or shows those of the table.
  func run(_ console: Console) -> ExitCode {
    do throws(MarkFault) {
      let database = try MarkedDatabase(path: database)
      let table = try database.table(table)
      guard words.isEmpty else {
        try database.set(words, in: table)
        return .done
      }
      var lines = ""
      for mark in table.marks {
        lines += "\(escaped(mark)): \(try database.count(mark, in: table))\n"
      }
      return show(lines, console)
    } catch {
      console.error(error.text)
      return error.code
    }
  }
}

extension MarkFault {
  fileprivate var code: ExitCode {
    switch self {
    case .noFile: .noInput
    case .failed(let error): ExitCode(error)
    case .noTable, .noMarks, .wrongKey, .noMark: .usage
    case .noRow: .nothingSelected
    }
  }

  /// The problem and the remedy.
  fileprivate var text: Text {
    switch self {
    case .noFile(let path):
      Text(
        en: "there is no database \(quoted: path); make one: sluice convert -o \(excerpt: path)",
        ru: "нет базы данных \(quoted: path); создать её: sluice convert -o \(excerpt: path)")
    case .failed(let error): error.text
    case .noTable(let name, let tables) where tables.isEmpty:
      Text(
        en:
          "there is no table \(quoted: name), and none has marks; add 'marks' to the feed's document",
        ru:
          "нет таблицы \(quoted: name), и отметок нет ни в одной; добавьте marks в документ набора")
    case .noTable(let name, let tables):
      Text(en: "there is no table \(quoted: name)", ru: "нет таблицы \(quoted: name)")
        + .oneOf(tables, meant: name)
    case .noMarks(let table):
      Text(
        en: """
          the table \(quoted: table) has no marks, or no key that tells its rows apart; add both to the \
          feed's document, and merge
          """,
        ru: """
          в таблице \(quoted: table) нет отметок или ключа, который различает строки; добавьте их в \
          документ набора и обновите базу с --merge
          """)
    case .wrongKey(let table, let key, let marks):
      Text(
        en: """
          a row of \(quoted: table) is named by \(list: key), and then come marks, MARK=1 or MARK=0; \
          its marks: \(list: marks)
          """,
        ru: """
          строку таблицы \(quoted: table) задаёт ключ (\(list: key)), за ним идут отметки, MARK=1 или \
          MARK=0; отметки таблицы: \(list: marks)
          """)
    case .noMark(let name, let marks):
      Text(en: "there is no mark \(quoted: name)", ru: "нет отметки \(quoted: name)")
        + .oneOf(marks, meant: name)
    case .noRow(let key, let nearest) where nearest.isEmpty:
      Text(
        en: "no row has the key \(quoted: key): the table is empty",
        ru: "нет строки с ключом \(quoted: key): таблица пуста")
    case .noRow(let key, let nearest):
      Text(
        en: "no row has the key \(quoted: key); the nearest: \(list: nearest)",
        ru: "нет строки с ключом \(quoted: key); похоже на: \(list: nearest)")
    }
  }
}
