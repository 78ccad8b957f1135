import Sluice

extension ShrinkLimit {
  /// Takes `N%`, up to 100 and with at most four decimals.
  init?(_ text: String) {
    guard case .share(let millionths)? = RejectLimit(text) else { return nil }
    self.init(millionths: millionths)
  }

  /// The limit as `--max-shrink` takes it.
  var shown: String { RejectLimit.share(millionths: millionths).shown }
}
