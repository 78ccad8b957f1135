import Sluice

extension ShrinkLimit {
  /// The limit as `--max-shrink` takes it.
  var shown: String { RejectLimit.share(millionths: millionths).shown }
}
