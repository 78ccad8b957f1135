extension SyncRecord.Result {
  /// What an error says of a run.
  init(_ error: PipelineError) {
    switch error.fault {
    case .source(let fault): self = Self.of(fault)
    case .requests(let fault): self.init(fault.first)
    case .sync(let fault): self = fault.isRefusal ? .refused : .failed
    case .ledger, .sink, .envelope(.spool), .normalize(.noEvents),
      .normalize(.noSuchColumn), .normalize(.noSuchTable):
      self = .failed
    case .envelope, .base64, .unzip, .json, .csv, .normalize: self = .badData
    }
  }

  private static func of(_ fault: SourceFault) -> SyncRecord.Result {
    switch fault {
    case .empty, .unknownForm, .notJSON, .paging: .badData
    case .refused, .unresolved, .unconnected, .connectTimeout, .certificate, .tls, .status,
      .contentEncoding, .headersTooLarge, .bodyTooLarge, .cut, .tooSlow, .tooLong, .redirect,
      .transfer:
      .unreachable
    // What no waiting heals.
    case .nothingToAsk, .noFile, .folder, .unreadable, .invalidURL, .certificateFile, .read,
      .changed, .tooLargeToKeep, .spool, .libraryMissing:
      .failed
    }
  }
}
