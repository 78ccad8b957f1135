/// What can be wrong with an output.
public enum SinkFault: Equatable, Sendable {
  /// Writing failed, with the system's error number.
  case write(path: String, errno: Int32)
}
