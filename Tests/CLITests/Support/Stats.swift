/// What `--stats` says, as far as tests ask.
struct Stats: Decodable {
  let read, kept, filtered, skipped, rejected, rows, events, calendar_bytes: Int
  let first_day, last_day: String?
  let reject_reasons: [String: Int]
  let same_number: Int

  /// Every record went one way.
  var addsUp: Bool {
    read == kept + filtered + skipped + rejected && rejected == reject_reasons.values.reduce(0, +)
  }
}
