/// Reads a length of time as seconds: a whole number of at most six digits with a unit, `90s`,
/// `30m`, `3h`, `7d`, `1w`; 0 needs none. Days are 24 hours.
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
