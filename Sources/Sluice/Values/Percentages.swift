extension RejectLimit {
  /// Takes `N` or `N%`, the latter up to 100 and with at most four decimals.
  package init?(_ text: String) {
    guard text.last == "%" else {
      guard let count = wholeNumber(text[...]) else { return nil }
      self = .count(count)
      return
    }
    let parts = text.dropLast().split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = wholeNumber(parts[0]), whole <= 100 else { return nil }
    var millionths = whole * 10_000
    if parts.count == 2 {
      let decimals = parts[1]
      guard decimals.count <= 4, let digits = wholeNumber(decimals) else { return nil }
      millionths += (decimals.count..<4).reduce(digits) { value, _ in value * 10 }
    }
    guard millionths <= 1_000_000 else { return nil }
    self = .share(millionths: millionths)
  }
}

extension ShrinkLimit {
  /// Takes `N%`, up to 100 and with at most four decimals.
  package init?(_ text: String) {
    guard case .share(let millionths)? = RejectLimit(text) else { return nil }
    self.init(millionths: millionths)
  }
}
