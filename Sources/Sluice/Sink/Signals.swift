import CPosix

/// Settles what signals do to a process that writes outputs.
public enum Signals {
  /// Lets TERM, INT and HUP remove the temporary files and then end the process by that signal,
  /// and ignores SIGPIPE and SIGXFSZ, so that a write fails with an error number instead.
  ///
  /// A signal that was ignored when the program started (`nohup`) stays ignored. Called once, by
  /// the program, before any output is opened; a library has no business with it.
  public static func install() {
    cposix_install_signals()
  }

  /// Runs `body` with TERM, INT and HUP kept back until it is done, on whatever thread they come.
  ///
  /// The list of temporary files and their names change only in here. Sections do not nest.
  static func deferring<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    cposix_guard_enter()
    defer { cposix_guard_leave() }
    return try body()
  }
}
