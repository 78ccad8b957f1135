/// Days and times in the forms that calendars use (RFC 5545).
package enum CalendarTime {
  /// The last day that a DATE can name: 9999-12-31.
  static let lastDay = Day(number: 2_932_896)

  /// Returns a local time, as seconds since the clock's own 1970, as a DATE-TIME without a zone
  /// (RFC 5545, section 3.3.5): `20200625T211310`.
  static func local(_ seconds: Int) -> String { String(utc(seconds).dropLast()) }

  /// Returns seconds since 1970 as a UTC DATE-TIME (RFC 5545, section 3.3.5), such as
  /// `20200625T181310Z`. Times before the year 1 or after the year 9999 have no DATE-TIME, and the
  /// nearest valid one is returned.
  static func utc(_ seconds: Int) -> String {
    let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
    let (days, rest) = dividingDown(seconds, by: 86_400)
    let day = Day(number: Int32(clamping: days))
    var text = ByteBuffer(capacity: 16)
    day.append(to: &text, isBasic: true)
    let time = rest / 3600 * 10_000 + rest / 60 % 60 * 100 + rest % 60
    let digits = String(time)
    let padding = String(repeating: "0", count: 6 - digits.count)
    return String(decoding: text.contents, as: UTF8.self) + "T" + padding + digits + "Z"
  }
}
