/// Reads a length of time as seconds: a whole number of at most six digits with a unit, `90s`,
/// `30m`, `3h`, `7d`, `1w`; 0 needs none. Days are 24 hours.
func seconds(in text: String) -> Int? {
  if text == "0" { return 0 }
  let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
  guard let unit = text.last.flatMap({ units[$0] }), let amount = wholeNumber(text.dropLast()),
    (0...999_999).contains(amount), text.utf8.count > 1
  else { return nil }
  return amount * unit
}
