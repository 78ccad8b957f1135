/// How a run of a program ended.
struct Run {
  /// The exit code; -1 where a signal ended it.
  let code: Int32
  /// The signal that ended it, or 0.
  let signal: Int32
  /// Standard output.
  let bytes: Bytes
  /// Standard error.
  let errors: String

  /// Standard output as text.
  var output: String { bytes.text }
}
