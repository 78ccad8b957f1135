extension Period {
  /// Orders an address's periods: by the first day, then by the last.
  func isBefore(_ other: Period) -> Bool {
    first != other.first ? first < other.first : last < other.last
  }

  /// How far the first days and the last days are apart, in days together.
  func distance(to other: Period) -> Int {
    abs(Int(first.number) - Int(other.first.number))
      + abs(Int(last.number) - Int(other.last.number))
  }
}
