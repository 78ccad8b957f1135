/// A chunk on its way from one thread to another: one of a few that go back and forth.
final class Parcel<Note> {
  var bytes: ByteBuffer
  /// What the sender says of the chunk.
  var note: Note

  init(capacity: Int, _ note: Note) {
    bytes = ByteBuffer(capacity: capacity)
    self.note = note
  }
}
