import Sluice

/// How far a run has come.
struct ProgressState: Equatable, Sendable {
  var bytesRead: Int
  /// The length of the input, where it is known.
  var totalBytes: Int?
  var records: Int
  /// Requests answered, and how many there are where that is known; nil where there is one.
  var requestsDone: Int?
  var requestsInAll: Int?
  /// For how many seconds nothing is asked; nil while something is.
  var secondsToWait: Int?

  /// The line that shows it, cut to `columns`; without a line break.
  func line(_ language: Language, columns: Int) -> String {
    let comma = language == .ru ? "," : "."
    let unit = Text(en: "MB", ru: "МБ")[language]
    func megabytes(_ bytes: Int) -> String {
      let tenths = (max(0, bytes) + 50_000) / 100_000
      return "\(tenths / 10)\(comma)\(tenths % 10)"
    }
    var line = "\(Program.name): \(megabytes(bytesRead))"
    if let totalBytes, totalBytes >= bytesRead, totalBytes > 0 {
      let percent = Int(Double(bytesRead) / Double(totalBytes) * 100)
      line += Text(en: " of ", ru: " из ")[language]
      line += "\(megabytes(totalBytes)) \(unit) (\(percent)\(language == .ru ? "\u{A0}" : "")%)"
    } else {
      line += " \(unit)"
    }
    let count = ProgressState.grouped(records, by: language == .ru ? "\u{A0}" : ",")
    line += Text(en: ", records: \(count)", ru: ", записей: \(count)")[language]
    if let requestsDone {
      let all = requestsInAll.map { Text(en: " of \($0)", ru: " из \($0)")[language] } ?? ""
      line += Text(en: ", requests: ", ru: ", запросов: ")[language] + "\(requestsDone)\(all)"
    }
    if let secondsToWait {
      line +=
        Text(
          en: ", asking again in \(secondsToWait) s", ru: ", новый запрос через \(secondsToWait) с")[
          language]
    }
    return String(line.prefix(max(0, columns)))
  }

  /// A number with its digits in groups of three.
  private static func grouped(_ number: Int, by separator: String) -> String {
    let digits = String(number)
    return digits.enumerated().reduce(into: "") { result, digit in
      if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { result += separator }
      result.append(digit.element)
    }
  }
}
