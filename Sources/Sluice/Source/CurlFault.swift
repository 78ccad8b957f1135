import CCurl

extension SourceFault {
  /// Says what an error of libcurl means.
  init(
    _ code: CURLcode, detail: String, received: Int, expected: Int?, headIsComplete: Bool,
    certificateFile: String?, limits: HTTPLimits
  ) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      self = .unresolved(detail: detail)
    case CURLE_COULDNT_CONNECT:
      self = .unconnected(detail: detail)
    case CURLE_OPERATION_TIMEDOUT:
      // The only time that libcurl watches itself; the others are ours.
      self = .connectTimeout(seconds: limits.connectSeconds, detail: detail)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      self = .certificate(detail: detail)
    case CURLE_SSL_CACERT_BADFILE:
      self =
        certificateFile.map { .certificateFile(path: $0, detail: detail) } ?? .tls(detail: detail)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED:
      self = .tls(detail: detail)
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      self = .cut(received: received, expected: expected, detail: detail)
    case CURLE_OUT_OF_MEMORY where !headIsComplete, Self.tooLarge where !headIsComplete:
      // How libcurl calls one header line above 100 KB: until 8.5, and since.
      self = .headersTooLarge(limit: limits.headerBytes)
    default:
      self = .transfer(code: Int(code.rawValue), detail: detail)
    }
  }

  /// CURLE_TOO_LARGE, which older headers do not have.
  private static let tooLarge = CURLcode(rawValue: 100)
}
