/// Writes a text that was asked for to standard output. A reader that goes away, as `head` does,
/// has what it wanted.
func show(_ text: String, _ console: Console) -> ExitCode {
  do throws(Descriptor.Failure) {
    try Descriptor.standardOutput.write(text)
    return .done
  } catch {
    if error.isClosedPipe { return .done }
    console.error(.cannotWriteOutput(error.errno))
    return .ioError
  }
}
