import Sluice

extension ExitCode {
  /// Chooses the code for an error of the pipeline.
  init(_ error: PipelineError) {
    switch error.fault {
    case .source(let fault): self = .of(fault)
    case .sink(let fault): self = .of(fault)
    case .sync(let fault): self = .of(fault)
    case .ledger(let fault): self = .of(fault)
    case .requests(let fault): self.init(fault.first)
    // The data is not to blame for these.
    case .envelope(.spool): self = .ioError
    case .normalize(.noEvents), .normalize(.noSuchColumn), .normalize(.noSuchTable): self = .usage
    case .envelope, .base64, .unzip, .json, .csv, .normalize: self = .badData
    }
  }

  /// Chooses the code for a command line that is not understood, or its configuration file.
  init(_ error: UsageError) {
    switch error {
    case .configFile(let fault), .feedFile(let fault): self = .of(fault)
    case .set(_, let error): self.init(error)
    default: self = .usage
    }
  }

  private static func of(_ fault: SourceFault) -> ExitCode {
    switch fault {
    case .empty, .unknownForm, .notJSON, .paging: .badData
    case .nothingToAsk, .noFile, .folder, .unreadable, .invalidURL, .certificateFile: .noInput
    case .read, .changed, .tooLargeToKeep, .spool: .ioError
    // Everything between here and a server's complete answer.
    case .refused, .libraryMissing, .unresolved, .unconnected, .connectTimeout, .certificate, .tls,
      .status, .contentEncoding, .headersTooLarge, .bodyTooLarge, .cut, .tooSlow, .tooLong,
      .redirect, .transfer:
      .unreachable
    }
  }

  private static func of(_ fault: SinkFault) -> ExitCode {
    switch fault {
    case .folderMissing, .folderNotWritable, .isFolder, .danglingLink, .temporaryInTheWay,
      .create, .notAFile:
      .cannotCreate
    case .database(let fault, _): of(fault)
    case .write, .unfinished, .wrongSize, .readBack, .setMode, .sync, .close, .rename, .changed,
      .notPutBack:
      .ioError
    case .locked: .tryLater
    case .noReaderLeft: .done
    }
  }

  private static func of(_ fault: DatabaseFault) -> ExitCode {
    switch fault {
    case .locked: .tryLater
    case .open: .cannotCreate
    case .noEvents: .usage
    case .access, .corrupt, .notALedger, .newer, .otherFeed, .incomplete, .refused, .output:
      .ioError
    }
  }

  private static func of(_ fault: SyncFault) -> ExitCode {
    switch fault {
    case .busy, .emptied, .shrunk, .olderVersion, .allPast, .ledgerGone: .tryLater
    case .noCopy: .noInput
    case .folder, .lock: .cannotCreate
    case .badRecord, .badNames: .ioError
    }
  }
}
