extension InspectOptions {
  /// Does what `inspect` is asked to do.
  func run(_ console: Console) -> ExitCode {
    // The library is connected here.
    console.error(.notBuilt(.inspect))
    return .ioError
  }
}
