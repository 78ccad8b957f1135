import Sluice

extension ExitCode {
  /// Chooses the code for an error of the pipeline.
  init(_ error: PipelineError) {
    switch error.fault {
    case .source(let fault): self.init(sysexits: fault.exitCode)
    case .sink(let fault): self.init(sysexits: fault.exitCode)
    // The data is not to blame for these two.
    case .envelope(.spool): self = .ioError
    case .normalize(.noEvents): self = .usage
    case .envelope, .base64, .unzip, .json, .normalize: self = .badData
    }
  }

  /// Takes the library's number of a code; one that the contract lacks counts as a failed run.
  private init(sysexits number: Int32) { self = ExitCode(rawValue: number) ?? .ioError }
}
