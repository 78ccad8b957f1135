import Glibc
import Sluice
import SluiceText

/// What a broken input among several does to the run.
enum BrokenInputs: String, CaseIterable {
  case stop, skip
}

/// The names of several inputs: those on the command line, then those of a list. A folder stands
/// for the files in it, in the order of their names.
///
///     sluice convert a.json nights/ --files-from list
///
///     a.json
///     nights/2026-01-05.json, nights/2026-01-06.json
///     every line of list
struct InputNames {
  /// The most bytes of a list.
  private static let longestList = 64 << 20

  private(set) var names: [String] = []
  private let isRecursive: Bool

  /// Reads the names. Returns nil if at most one is given, and it is no folder.
  init?(_ arguments: Arguments) throws(UsageError) {
    isRecursive = arguments.has(.recursive)
    guard let list = arguments[.filesFrom] else {
      if arguments.has(.null) { throw .inputs(.noList) }
      guard arguments.operands.count > 1 || arguments.operands.contains(where: Self.isFolder) else {
        return nil
      }
      try add(arguments.operands)
      return
    }
    try add(arguments.operands)
    try add(try Self.read(list, endedBy: arguments.has(.null) ? 0 : UInt8(ascii: "\n")))
    if names.isEmpty { throw .inputs(.emptyList(list)) }
  }

  private mutating func add(_ given: [String]) throws(UsageError) {
    for name in given {
      if name.isEmpty { throw .emptyOperand("INPUT") }
      if Self.isFolder(name) {
        let before = names.count
        try addFolder(name)
        if names.count == before { throw .inputs(.emptyFolder(name)) }
      } else {
        names.append(name)
      }
    }
  }

  /// Adds the files of a folder. Hidden ones, whose names begin with a dot, are left out.
  private mutating func addFolder(_ path: String) throws(UsageError) {
    guard let entries = Folder.names(in: path) else {
      throw .inputs(.unreadable(.unreadable(path: path, errno: errno)))
    }
    let sorted = entries.filter { !$0.hasPrefix(".") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for entry in sorted {
      let name = path.hasSuffix("/") ? path + entry : "\(path)/\(entry)"
      if !Self.isFolder(name) {
        if !Self.isSpecial(name) { names.append(name) }
      } else if isRecursive, !Self.isLink(name) {
        try addFolder(name)
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Nobody may ever write to a pipe that lies in a folder.
  private static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// A link to a folder inside could lead around in a circle.
  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Reads a list of names. An empty one is none.
  private static func read(
    _ path: String, endedBy end: UInt8
  ) throws(UsageError) -> [String] {
    let bytes: [UInt8]
    do throws(SourceFault) {
      bytes = try SmallFile.read(path == "-" ? "/dev/stdin" : path, limit: longestList)
    } catch {
      throw .inputs(.unreadable(error))
    }
    guard bytes.count <= longestList else { throw .inputs(.longList(path, limit: longestList)) }
    var names: [String] = []
    for (index, line) in bytes.split(separator: end, omittingEmptySubsequences: false).enumerated()
    {
      // A list that was written on Windows.
      let name = end != 0 && line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard !name.isEmpty else { continue }
      guard let text = String(validating: name, as: UTF8.self) else {
        throw .inputs(.notUTF8(path, line: index + 1))
      }
      names.append(text)
    }
    return names
  }
}

/// The errors of the names of several inputs.
enum InputNamesError: Error, Equatable, Sendable {
  /// The list, or a folder, cannot be read.
  case unreadable(SourceFault)
  /// The list has no names.
  case emptyList(String)
  /// The list has more bytes than this.
  case longList(String, limit: Int)
  /// A name of the list is not UTF-8.
  case notUTF8(String, line: Int)
  /// `--null` without a list.
  case noList
  /// The folder has no files.
  case emptyFolder(String)
  /// The pattern of days in names cannot be read.
  case badPattern(String)
  /// A name does not fit the pattern.
  case noDate(String, pattern: String)
  /// The feed has a column of the name that one about the input would get.
  case columnTaken(String)
  /// Standard input is one of several inputs.
  case standardInputAmongOthers
  /// The feed's own requests would be one of several inputs.
  case serverAmongOthers(feed: String)
  /// `--offline` with several inputs.
  case offline
}

extension InputNamesError {
  /// The option that it is about, if it is one.
  var option: OptionName? {
    switch self {
    case .emptyList, .longList, .notUTF8: .filesFrom
    case .noList: .null
    case .badPattern, .noDate: .inputDate
    case .columnTaken: .withInput
    case .unreadable, .emptyFolder, .standardInputAmongOthers, .serverAmongOthers: nil
    case .offline: .offline
    }
  }

  /// The sentence.
  var text: Text {
    switch self {
    case .unreadable(let fault): PipelineError(.source(fault)).text
    case .emptyList(let path):
      Text(
        en: "--files-from \(quoted: path) names no file; put one name on each line",
        ru: "--files-from \(quoted: path) не содержит имён; запишите по имени на строке")
    case .longList(let path, let limit):
      Text(
        en: "--files-from \(quoted: path) has more than \(limit) bytes; split it",
        ru: "--files-from \(quoted: path) больше \(limit) байт; разделите его")
    case .notUTF8(let path, let line):
      Text(
        en: "--files-from \(quoted: path): name \(line) is not UTF-8; rename the file",
        ru: "--files-from \(quoted: path): имя \(line) не в UTF-8; переименуйте файл")
    case .noList:
      Text(
        en: "--null is about a list of names; name it: --files-from LIST",
        ru: "--null относится к списку имён; укажите его: --files-from LIST")
    case .emptyFolder(let path):
      Text(
        en: "there is no file in \(quoted: path); -r reads the folders in it too",
        ru: "в \(quoted: path) нет файлов; -r читает и вложенные папки")
    case .badPattern(let pattern):
      Text(
        en: """
          --input-date \(quoted: pattern) has no format of a day in braces; write it like \
          '*-{yyyy-MM-dd}.json'
          """,
        ru: """
          в --input-date \(quoted: pattern) нет формата дня в скобках; запишите его так: \
          '*-{yyyy-MM-dd}.json'
          """)
    case .noDate(let name, let pattern):
      Text(
        en: "\(path: name) has no day where --input-date \(quoted: pattern) expects it; rename it",
        ru: """
          в имени \(path: name) нет дня там, где его ждёт --input-date \(quoted: pattern); \
          переименуйте файл
          """)
    case .columnTaken(let name):
      Text(
        en: "the feed has a column \(quoted: name) of its own; use $input in its document instead",
        ru: "в наборе данных уже есть столбец \(quoted: name); используйте $input в его документе")
    case .standardInputAmongOthers:
      Text(
        en: "'-' cannot be one of several inputs; save it to a file first",
        ru: "«-» не может быть одним из нескольких входных файлов; сначала сохраните данные в файл")
    case .serverAmongOthers(let feed):
      Text(
        en: "the answers of \(feed) are one input of their own; name files only",
        ru: "ответы сервера \(feed) — отдельные входные данные; укажите только файлы")
    case .offline:
      Text(
        en: "--offline is about the last copy of one input; name one input, or leave it out",
        ru:
          "--offline относится к последней копии одних входных данных; укажите один файл или уберите её"
      )
    }
  }
}
