/// Holds back what it is given, and can drop the last of it.
protocol Rewindable: AnyObject {
  /// How much is held back.
  var position: Int { get }
  /// Drops what came after `position`.
  func rewind(to position: Int)
}
