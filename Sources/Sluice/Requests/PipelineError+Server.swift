extension PipelineError {
  /// It is about the server or the way to it, not about what was asked: another request would fare
  /// no better.
  var concernsServer: Bool {
    guard case .source(let fault) = fault else { return false }
    return switch fault {
    case .status(let status, _, _): [401, 403, 407, 429, 503].contains(status)
    case .unresolved, .unconnected, .connectTimeout, .certificate, .tls, .libraryMissing: true
    default: false
    }
  }

  /// The server listens and gives no whole answer, or one that says that it is none. Once that may
  /// be about what was asked.
  var isBrokenServer: Bool {
    guard case .source(let fault) = fault else { return false }
    return switch fault {
    case .cut, .tooSlow, .tooLong, .refused: true
    default: false
    }
  }
}
