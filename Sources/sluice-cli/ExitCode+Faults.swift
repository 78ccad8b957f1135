import Sluice

extension ExitCode {
  /// Chooses the code for an error of the pipeline.
  init(_ error: PipelineError) {
    switch error.fault {
    case .source(let fault): self.init(fault)
    case .sink(let fault): self.init(fault)
    case .envelope, .base64, .unzip, .json, .normalize: self = .badData
    }
  }

  private init(_ fault: SourceFault) {
    switch fault {
    case .empty: self = .badData
    }
  }

  private init(_ fault: SinkFault) {
    switch fault {
    case .write: self = .ioError
    }
  }
}
