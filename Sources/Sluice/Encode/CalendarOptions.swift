/// What the user asks of a calendar.
struct CalendarOptions {
  var language: Language
  /// Its name; nil for the feed's own.
  var name: String?
  /// Reminders: how long before the event, as RFC 5545 durations without a sign.
  var alarms: [String] = []
  /// When the content was last changed, in seconds since 1970, where the user says so.
  var stamp: Int?
}
