/// A format of numbers and single signs, as most formats of days are.
///
///     dd.MM.yyyy     day 2 ─ "." ─ month 2 ─ "." ─ year 4
///     d/M/yy H:mm    day 1 or 2 ─ "/" ─ month 1 or 2 ─ "/" ─ year 2 ─ " " ─ hour 1 or 2 ─ ":" ─ minute 2
///
/// It reads what is written just so. Any other text is left to the ``FormatReader``, which also
/// knows why one does not fit.
struct DigitFormat: BitwiseCopyable {
  /// A number of `least` to `most` digits, or a sign if `most` is 0.
  private struct Step: BitwiseCopyable {
    var least: UInt8 = 0
    var most: UInt8 = 0
    /// The sign, or the place of the number among year, month, day, hour, minute and second.
    var value: UInt8 = 0
    var isShortYear = false
  }

  private var steps = InlineArray<16, Step>(repeating: Step())
  private var count = 0
  private var firstYear: Int?
  private var hasTime = false

  /// Whether there is no such format.
  var isNone: Bool { count == 0 }

  /// Makes the format that a rule tries first, if it is of this form.
  init(_ rule: TimeRule?) {
    guard let rule, case .formats(let formats) = rule.source, let format = formats.first,
      format.steps.count <= steps.count
    else { return }
    firstYear = rule.firstYear
    for step in format.steps {
      guard let step = Self.step(step), !step.isShortYear || firstYear != nil else {
        count = 0
        return
      }
      steps[count] = step
      count += 1
      if step.most > 0, step.value == Self.place(of: .hour) { hasTime = true }
    }
  }

  private static func step(_ step: TimeFormat.Step) -> Step? {
    switch step {
    case .byte(let byte): return Step(value: byte)
    case .blank: return Step(value: UInt8(ascii: " "))
    case .shortYear: return Step(least: 2, most: 2, isShortYear: true)
    case .number(let number, let least, let most, let after):
      guard after == 0, let place = place(of: number) else { return nil }
      return Step(least: UInt8(least), most: UInt8(most), value: place)
    case .name, .ordinal, .fraction, .offset, .utc: return nil
    }
  }

  private static func place(of number: TimeFormat.Number) -> UInt8? {
    switch number {
    case .year: 0
    case .month: 1
    case .day: 2
    case .hour: 3
    case .minute: 4
    case .second: 5
    case .hourFromOne, .halfHour, .halfHourFromZero: nil
    }
  }

  /// Reads a text; nil if it is not written just so, or if there is no such time.
  func read(_ text: UnsafeRawBufferPointer) -> WrittenInstant? {
    var numbers: InlineArray<6, Int> = [1, 1, 1, 0, 0, 0]
    var index = 0
    for place in 0..<count {
      let step = steps[place]
      guard step.most > 0 else {
        guard index < text.count, text[index] == step.value else { return nil }
        index += 1
        continue
      }
      let start = index
      let end = min(text.count, start + Int(step.most))
      var number = 0
      while index < end, text[index] &- UInt8(ascii: "0") < 10 {
        number = number * 10 + Int(text[index] &- UInt8(ascii: "0"))
        index += 1
      }
      guard index - start >= Int(step.least) else { return nil }
      if step.isShortYear {
        guard let year = TimeRule.year(ofTwoDigits: number, from: firstYear) else { return nil }
        number = year
      }
      numbers[Int(step.value)] = number
    }
    // The last hour and the last second of a day may be 24 and 60. The reader knows when.
    guard index == text.count, numbers[3] < 24, numbers[4] < 60, numbers[5] < 60,
      let day = Day(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return nil }
    var written = WrittenInstant(
      day: day, time: (numbers[3] * 60 + numbers[4]) * 60 + numbers[5])
    written.hasTime = hasTime
    return written
  }
}
