extension CalendarTime {
  private static let russianMonths = [
    "января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября",
    "ноября", "декабря",
  ]
  private static let englishMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// Returns a day as text for people: `22 июня 2020`, `22 June 2020`.
  package static func text(_ day: Day, _ language: Language) -> String {
    let (year, month, date) = day.parts
    let months =
      switch language {
      case .ru: russianMonths
      case .en: englishMonths
      }
    return "\(date) \(months[month - 1]) \(year)"
  }
}
