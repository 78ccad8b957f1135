/// Collects what can be known of an envelope's payload without understanding it.
///
/// One pass fills it; it is read when that pass is over.
final class PayloadFacts {
  private var collected = Fingerprint()
  /// The payload's version as its publisher numbers it.
  private(set) var version: String?

  /// The payload's fingerprint; nil where the input had no envelope, or nothing in it.
  var fingerprint: Fingerprint? { collected.length > 0 ? collected : nil }

  /// Takes the next bytes of the payload.
  func add(_ bytes: RawSpan) { collected.add(bytes) }

  /// Takes the payload's version.
  func note(version: String) { self.version = version }
}
