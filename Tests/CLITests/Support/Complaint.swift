import Testing

extension Run {
  /// The run failed as the contract says: this exit code, nothing on standard output, and one line
  /// on standard error that begins, after the prefix, with `start` and is safe to show.
  func expectFailure(
    _ code: Int32, _ start: String, output: String = "",
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.code == code, "\(errors)", sourceLocation: sourceLocation)
    #expect(signal == 0, sourceLocation: sourceLocation)
    #expect(self.output == output, sourceLocation: sourceLocation)
    expectOneLine("sluice: error: \(start)", sourceLocation)
  }

  /// Standard error is one line that begins so and holds no control characters.
  func expectOneLine(_ start: String, _ sourceLocation: SourceLocation = #_sourceLocation) {
    let isOneLine = errors.unicodeScalars.filter { $0 == "\n" }.count == 1 && errors.hasSuffix("\n")
    #expect(isOneLine, "not one line: \(errors)", sourceLocation: sourceLocation)
    #expect(
      errors.hasPrefix(start), "\(errors.debugDescription) begins otherwise than \(start)",
      sourceLocation: sourceLocation)
    let isSafe = !errors.unicodeScalars.dropLast().contains {
      $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
    }
    #expect(
      isSafe, "control characters: \(errors.debugDescription)", sourceLocation: sourceLocation)
    // What to do follows what is wrong, and no line is a page.
    #expect(errors.utf8.count < 1000, "too long: \(errors)", sourceLocation: sourceLocation)
  }

  /// The run did all and said nothing, as in a nightly job.
  func expectSilence(code: Int32 = 0, _ sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(self.code == code, "\(errors)", sourceLocation: sourceLocation)
    #expect(errors == "", sourceLocation: sourceLocation)
    #expect(output == "", sourceLocation: sourceLocation)
  }
}
