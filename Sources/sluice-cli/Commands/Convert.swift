extension ConvertOptions {
  /// Does what `convert` is asked to do.
  func run(_ console: Console) -> ExitCode {
    // The library is connected here.
    console.error(.notBuilt(.convert))
    return .ioError
  }
}
