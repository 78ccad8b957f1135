import Sluice

/// Writes a feed's document to standard output that a sample suggests.
func newFeed(_ input: Input, _ console: Console) -> ExitCode {
  do throws(SketchFault) {
    let sketch = try sketchFeed(input)
    return show(SketchText(sketch, input, console.language).document, console)
  } catch {
    switch error {
    case .unreadable(let error):
      console.error(error.text)
      return ExitCode(error)
    case .noRows(let keys):
      console.error(.noRowsInSample(keys))
      return .badData
    case .wantsFile:
      console.error(.sampleWantsFile)
      return .usage
    }
  }
}
