/// Reads a whole number of only ASCII digits. Returns nil if there is anything else or if it does
/// not fit. (`Int.init` also accepts signs.)
package func wholeNumber(_ text: Substring) -> Int? {
  guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
  else { return nil }
  return Int(text)
}

/// Reads a whole number of at least one. Returns nil for other texts.
package func positiveCount(_ text: String) -> Int? {
  wholeNumber(text[...]).flatMap { $0 > 0 ? $0 : nil }
}

/// Reads a size of at least one byte: `1000000`, `500K`, `64MiB`, `2G`. The letters K, M, G and T
/// (in either case, with or without `iB`) mean powers of 1024. Returns nil for other texts.
package func byteCount(_ text: String) -> Int? {
  let digits = text.prefix { $0.isASCII && $0.isNumber }
  let power: Int
  switch text.dropFirst(digits.count).lowercased() {
  case "": power = 0
  case "k", "kib": power = 1
  case "m", "mib": power = 2
  case "g", "gib": power = 3
  case "t", "tib": power = 4
  default: return nil
  }
  guard let number = wholeNumber(digits), number > 0 else { return nil }
  let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (10 * power))
  return overflow ? nil : bytes
}

extension Day {
  /// Reads an ISO day, `2020-06-22`. Nil if it is written otherwise or if there is no such day.
  package init?(iso text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], let year = wholeNumber(parts[0]),
      let month = wholeNumber(parts[1]), let day = wholeNumber(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

/// Reads a duration and returns it in seconds: a whole number of at most six digits with a unit,
/// `90s`, `30m`, `3h`, `7d`, `1w`. 0 needs no unit. A day has 24 hours. Returns nil for other
/// texts.
package func seconds(in text: String) -> Int? {
  if text == "0" { return 0 }
  let unit: Int
  switch text.utf8.last {
  case UInt8(ascii: "s"): unit = 1
  case UInt8(ascii: "m"): unit = 60
  case UInt8(ascii: "h"): unit = 3600
  case UInt8(ascii: "d"): unit = 86_400
  case UInt8(ascii: "w"): unit = 604_800
  default: return nil
  }
  guard let amount = wholeNumber(text.dropLast()), (0...999_999).contains(amount),
    text.utf8.count > 1
  else { return nil }
  return amount * unit
}

/// A reminder some time before an event.
package struct Alarm: Equatable, Sendable {
  /// The units of time. The raw value is the letter on the command line.
  package enum Unit: Character, Sendable {
    case minutes = "m"
    case hours = "h"
    case days = "d"
    case weeks = "w"
  }

  package var amount: Int
  package var unit: Unit

  /// Reads a positive whole number of at most six digits with a unit: `30m`, `2h`, `1d`, `1w`. Nil
  /// for other texts.
  package init?(_ text: String) {
    guard let unit = text.last.flatMap(Unit.init), let amount = wholeNumber(text.dropLast()),
      (1...999_999).contains(amount)
    else { return nil }
    self.amount = amount
    self.unit = unit
  }

  /// The time before the event, such as `P1D` (RFC 5545, section 3.3.6).
  ///
  /// A day stays a day: when clocks change, it is not 24 hours.
  package var duration: String {
    switch unit {
    case .minutes: "PT\(amount)M"
    case .hours: "PT\(amount)H"
    case .days: "P\(amount)D"
    case .weeks: "P\(amount)W"
    }
  }
}

/// Division that rounds down, for negative numbers too. The remainder is not negative.
@inline(__always)
func dividingDown(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
  let rest = number % divisor
  let remainder = rest < 0 ? rest + divisor : rest
  return ((number - remainder) / divisor, remainder)
}
