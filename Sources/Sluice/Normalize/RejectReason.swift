/// Why a record was refused: the fixed codes of the rejects file.
public enum RejectReason: String, Error, Sendable, CaseIterable {
  /// An element of the list of records is no object.
  case notAnObject = "not-an-object"
  /// A line of a table has other fields than its first.
  case wrongFieldCount = "wrong-field-count"
  /// A field holds another kind of value than its rule takes.
  case wrongKind = "wrong-kind"
  /// A field stands twice in the record.
  case duplicateKey = "duplicate-key"
  /// A field that must be there is missing, null or empty.
  case missingValue = "missing-value"
  /// A text is no period.
  case notAPeriod = "not-a-period"
  /// A cell holds more than a hundred periods.
  case tooManyPeriods = "too-many-periods"
  /// A date names a day that the calendar has not.
  case noSuchDay = "no-such-day"
  /// A period ends before it starts.
  case endBeforeStart = "end-before-start"
  /// A text is no point in time with an offset from UTC.
  case notAnInstant = "not-an-instant"
  /// A text is no whole number of seconds or milliseconds since 1970, or too great a one.
  case notAUnixTime = "not-a-unix-time"
  /// A text is no number.
  case notADecimal = "not-a-decimal"
  /// A text is no whole number.
  case notAnInteger = "not-an-integer"
  /// A text is no day.
  case notADay = "not-a-day"
  /// A text is neither true nor false.
  case notAFlag = "not-a-flag"
}
