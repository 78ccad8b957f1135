import Sluice
import SluiceSync

/// A day or a time as people name it in `--from`, `--to` and conditions.
///
///     2020-07-27  27.07.2020              a day
///     today  tomorrow  yesterday          a day by the feed's clock; in Russian too
///     +7d  -3d  +2w                       so many days or weeks from today
///     2018-10-01T10:00                    a time by the feed's clock, or with Z or an offset
enum SelectedTime: Equatable, Sendable {
  case day(Day)
  /// Seconds since 1970.
  case instant(Int)

  /// Reads a text. Nil if it is neither a day nor a time. `zone` is that of the feed's
  /// clock.
  init?(_ text: String, today: Day, in zone: Zone) {
    if let day = Self.day(text, today) {
      self = .day(day)
    } else if let seconds = InstantText.seconds(typed: text, in: zone) {
      self = .instant(seconds)
    } else {
      return nil
    }
  }

  private static func day(_ text: String, _ today: Day) -> Day? {
    switch text.lowercased() {
    case "today", "сегодня": return today
    case "tomorrow", "завтра": return today.moved(by: 1)
    case "yesterday", "вчера": return today.moved(by: -1)
    default: break
    }
    if text.hasPrefix("+") || text.hasPrefix("-") {
      let days = text.hasSuffix("d") ? 1 : text.hasSuffix("w") ? 7 : 0
      guard days > 0, let count = wholeNumber(text.dropFirst().dropLast()), count < 100_000 else {
        return nil
      }
      return today.moved(by: (text.hasPrefix("-") ? -1 : 1) * days * count)
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 3, parts[2].utf8.count == 4, let day = wholeNumber(parts[0]),
      let month = wholeNumber(parts[1]), let year = wholeNumber(parts[2])
    {
      return Day(year: year, month: month, day: day)
    }
    return Day(iso: text)
  }
}

extension Day {
  /// Returns the day so many days later.
  fileprivate func moved(by days: Int) -> Day { Day(number: Int32(clamping: Int(number) + days)) }
}

extension Feed {
  /// Today by the feed's clock.
  var today: Day { today(at: SyncClock.system.now()) }

  /// The day by the feed's clock. `seconds` are since 1970.
  private func today(at seconds: Int) -> Day { localZone.day(at: seconds) }

  /// The day from which `+7d` counts: that of `--today`, else that of `SOURCE_DATE_EPOCH`, else
  /// today.
  func today(_ arguments: Arguments) throws(UsageError) -> Day {
    if let day = try arguments.value(.today, { Day(iso: $0) }) { return day }
    let epoch = Environment.value("SOURCE_DATE_EPOCH").flatMap { wholeNumber($0[...]) }
    return epoch.map { self.today(at: $0) } ?? self.today
  }
}
