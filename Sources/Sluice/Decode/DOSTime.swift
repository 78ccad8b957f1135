/// A local time as archives keep it, to two seconds (APPNOTE 4.4.6).
struct DOSTime: Equatable, Sendable {
  /// Hours, minutes and half the seconds, from the highest bit: 5, 6, 5 bits.
  var time: UInt16
  /// Years since 1980, month, day, from the highest bit: 7, 4, 5 bits.
  var date: UInt16

  /// Seconds since 1970 (UTC), the local time read at `offset` seconds east; nil where there is no
  /// such day or time.
  func seconds(eastBy offset: Int) -> Int? {
    let (date, time) = (Int(date), Int(time))
    let (hour, minute, second) = (time >> 11, time >> 5 & 0x3F, (time & 0x1F) * 2)
    guard hour < 24, minute < 60, second < 60,
      let day = Day(year: 1980 + date >> 9, month: date >> 5 & 0x0F, day: date & 0x1F)
    else { return nil }
    return Int(day.number) * 86_400 + hour * 3600 + minute * 60 + second - offset
  }
}
