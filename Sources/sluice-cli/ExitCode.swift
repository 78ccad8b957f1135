/// What the program says to its caller when it ends: the contract's codes (those from 64 on are
/// the ones of sysexits.h).
enum ExitCode: Int32, CaseIterable, Sendable {
  /// Done, or the reader of standard output went away.
  case done = 0
  /// The outputs are written; some records were rejected, within the limit, or some parts are
  /// missing or stale.
  case someRejected = 3
  /// The command line cannot be understood.
  case usage = 64
  /// The data is broken, or the rejects are over the limit: nothing was published.
  case badData = 65
  /// There is no such input.
  case noInput = 66
  /// The source could not be reached.
  case unreachable = 69
  /// An output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case ioError = 74
  /// Worth another try later: another run holds the lock, or a guard refused.
  case tryLater = 75
}
