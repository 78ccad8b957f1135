extension SyncRecord.Result {
  /// What an error says of a run.
  init(_ error: PipelineError) {
    switch error.fault {
    case .source(let fault):
      self = fault.exitCode == 69 ? .unreachable : fault.exitCode == 65 ? .badData : .failed
    case .sync(let fault): self = fault.isRefusal ? .refused : .failed
    case .sink, .envelope(.spool), .normalize(.noEvents): self = .failed
    case .envelope, .base64, .unzip, .json, .normalize: self = .badData
    }
  }
}
