extension PipelineError {
  /// It is about the server or the way to it, not about what was asked, or about where answers are
  /// kept: another request would fare no better.
  var concernsServer: Bool {
    if isLocal { return true }
    guard case .source(let fault) = fault else { return false }
    return switch fault {
    case .status(let status, _, _): [401, 407, 429, 503].contains(status)
    case .unresolved, .unconnected, .connectTimeout, .certificate, .tls, .libraryMissing: true
    default: false
    }
  }

  /// What came could not be kept.
  var isLocal: Bool {
    switch fault {
    case .sink: true
    case .requests(let fault): fault.first.isLocal
    default: false
    }
  }

  /// The server listens and gives no whole answer. Once that may be about what was asked.
  var isBrokenServer: Bool {
    guard case .source(let fault) = fault else { return false }
    return switch fault {
    case .cut, .tooSlow, .tooLong: true
    default: false
    }
  }

  /// The server knows who asks, and does not want to answer: for this only, or for nothing.
  var isForbidden: Bool {
    if case .source(.status(403, _, _)) = fault { true } else { false }
  }
}
