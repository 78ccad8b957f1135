/// A chunk on its way from one thread to another: one of a few that go back and forth.
final class Parcel {
  var bytes: ByteBuffer
  /// What the stages before had counted when they handed the chunk on.
  var counts = UpstreamCounts()

  init(capacity: Int) { bytes = ByteBuffer(capacity: capacity) }
}
