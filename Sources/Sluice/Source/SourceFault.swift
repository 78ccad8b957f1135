/// What can be wrong with a source.
///
/// URLs in it carry no userinfo. `detail` is the text of the library that failed, in English;
/// `received` and `expected` count bytes of the body, and `expected` is nil where the server did
/// not say.
public enum SourceFault: Error, Equatable, Sendable {
  // Data: 65.

  /// The input is empty.
  case empty
  /// The input has none of the forms that are read; `looksLike` names one that is recognised but
  /// not read, and `start` is the first bytes.
  case unknownForm(looksLike: String?, start: [UInt8])

  /// The answer of a feed that asks several requests is no JSON object or array.
  case notJSON(Form)
  /// A list cannot be followed from page to page.
  case paging(PagingFault)

  // No such input: 66.

  /// The list of what a feed asks for is empty.
  case nothingToAsk(list: String)
  /// There is no file at this path.
  case noFile(path: String)
  /// The path is a folder's; nil is standard input.
  case folder(path: String?)
  /// The file cannot be opened, with the system's error number; nil is standard input.
  case unreadable(path: String?, errno: Int32)
  /// This is no URL of the schemes `http` and `https`; all that could be a password is cut out.
  case invalidURL(String)
  /// The file of certificates that was asked for cannot be used.
  case certificateFile(path: String, detail: String)

  // Read error: 74.

  /// Reading failed part way, with the system's error number; nil is standard input.
  case read(path: String?, errno: Int32)
  /// An input that is read twice says something else the second time; nil is standard input.
  case changed(path: String?)
  /// An input that is read twice is no file, and longer than what is kept of such.
  case tooLargeToKeep(limit: Int)
  /// The copy that is kept of it cannot be written or read, with the system's error number.
  case spool(errno: Int32)

  // Could not be reached: 69.

  /// The source answers that it has no data: its envelope has another status than `result`.
  case refused(status: String)
  /// A shared library that URLs need cannot be loaded; `package` is Debian's that has it.
  case libraryMissing(package: String, detail: String)
  /// The host's name has no address.
  case unresolved(detail: String)
  /// No connection: refused, or no way to the host.
  case unconnected(detail: String)
  /// No connection within the time for it, name look-up and TLS included.
  case connectTimeout(seconds: Int, detail: String)
  /// The server's certificate is not accepted: unknown issuer, expired, or another host's.
  case certificate(detail: String)
  /// TLS failed for another reason than the certificate.
  case tls(detail: String)
  /// The server answered with a status other than 200. `retryAfter` is the time, in seconds from
  /// now, at which it asks to be asked again; nil where it gave none that lies ahead.
  case status(Int, url: String, retryAfter: Int?)
  /// The server encoded the body although it was asked not to.
  case contentEncoding(String)
  /// The headers of a response are longer than allowed.
  case headersTooLarge(limit: Int)
  /// The body is longer than allowed; `expected` where that was known before it came.
  case bodyTooLarge(limit: Int, expected: Int?)
  /// The connection ended before the body did: a short body, a cut chunk, a reset.
  case cut(received: Int, expected: Int?, detail: String)
  /// Fewer bytes a second than `bytesPerSecond` came for `seconds`.
  case tooSlow(bytesPerSecond: Int, seconds: Int, received: Int, expected: Int?)
  /// The transfer took longer than allowed.
  case tooLong(seconds: Int, received: Int, expected: Int?)
  /// A redirect is not followed.
  case redirect(to: String, RedirectRefusal)
  /// The transfer failed in another way; `code` is libcurl's.
  case transfer(code: Int, detail: String)
}
