import Synchronization

/// What a run has counted so far: read by progress, by the statistics and after a failure too.
///
/// Stages count in their own variables and publish here once a chunk or a record; every counter
/// has one writer, so relaxed stores are enough.
final class Tally: Sendable {
  /// Bytes that went into and came out of a stage.
  struct Flow: ~Copyable, Sendable {
    let bytesIn = Atomic<Int>(0)
    let bytesOut = Atomic<Int>(0)
  }

  let source = Flow()
  let envelope = Flow()
  let base64 = Flow()
  let unzip = Flow()
  let json = Flow()

  /// When the content was last changed, in seconds since 1970 (UTC); `Int.min` where nobody said.
  let modified = Atomic<Int>(.min)
}

extension Atomic where Value == Int {
  /// Publishes a counter's new value.
  @inline(__always)
  func set(_ value: Int) { store(value, ordering: .relaxed) }
  /// The value published last.
  @inline(__always)
  var value: Int { load(ordering: .relaxed) }
}
