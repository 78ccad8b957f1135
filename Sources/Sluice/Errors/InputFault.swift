/// Errors of an input: a file, standard input, or the answer of a server (RFC 9110 for its status
/// and header lines).
///
/// URLs have no userinfo. `path` is nil for standard input. `errno` is the system's error number.
/// `detail` is the text of the library that failed, in English. `received` and `expected` count
/// bytes of the body. `expected` is nil if the server did not announce it.
package enum SourceFault: Error, Equatable, Sendable {
  // The content is not a feed.

  /// The input is empty.
  case empty
  /// The input has none of the supported forms. `looksLike` is the name of a form that is
  /// recognised but not supported, nil if none is. `start` is the first bytes.
  case unknownForm(looksLike: String?, start: [UInt8])

  /// The answer to one of several requests is not a JSON object or array.
  case notJSON(InputFormat)
  /// A list's pages cannot be followed.
  case paging(PagingFault)

  // There is no such input.

  /// The list of items that a feed asks for is empty.
  case nothingToAsk(list: String)
  /// There is no file at this path.
  case noFile(path: String)
  /// The input is a folder.
  case folder(path: String?)
  /// The input cannot be opened.
  case unreadable(path: String?, errno: Int32)
  /// This is not a URL of the schemes `http` and `https`. Anything that could be a password is
  /// removed.
  case invalidURL(String)
  /// The given file of certificates cannot be used.
  case certificateFile(path: String, detail: String)

  // Reading failed on this machine.

  /// Reading failed part way.
  case read(path: String?, errno: Int32)
  /// An input that is read twice had other content the second time.
  case changed(path: String?)
  /// An input that must be read twice is not a file, and has more than this many bytes.
  case tooLargeToKeep(limit: Int)
  /// The name of one of several inputs has no day where the caller says that it has one.
  case noDayInName(path: String)
  /// The temporary copy of such an input cannot be written or read.
  case spool(errno: Int32)
  /// The caller cancelled the run.
  case cancelled

  // The server, and the path to it.

  /// The server has no data. The envelope of its answer has another status than `result`.
  case refused(status: String)
  /// A shared library that URLs need cannot be loaded. `package` is the Debian package with it.
  case libraryMissing(package: String, detail: String)
  /// The name of the host has no address.
  case unresolved(detail: String)
  /// No connection to the host: it refuses, or there is no route to it.
  case unconnected(detail: String)
  /// No connection within this many seconds, including name look-up and TLS.
  case connectTimeout(seconds: Int, detail: String)
  /// The server's certificate is not accepted: its issuer is unknown, it is expired, or it is for
  /// another host.
  case certificate(detail: String)
  /// TLS failed for another reason than the certificate.
  case tls(detail: String)
  /// The server answered with a status other than 200. `retryAfter` is the wait in seconds, from
  /// now, that it asks for before another request. It is nil if the server gave none that lies
  /// ahead (RFC 9110, section 10.2.3).
  case status(Int, url: String, retryAfter: Int?)
  /// The server sent this `Content-Encoding` although none was requested.
  case contentEncoding(String)
  /// The lengths that the server announced differ, or one is not a number of bytes.
  case contentLength(String)
  /// The server sent this `Transfer-Encoding`, which is not `chunked`.
  case transferCoding(String)
  /// The header lines of a response have more than this many bytes.
  case headersTooLarge(limit: Int)
  /// The body has more than `limit` bytes. `expected` is its announced length.
  case bodyTooLarge(limit: Int, expected: Int?)
  /// The connection ended before the body did: a short body, an incomplete chunk, a reset.
  case cut(received: Int, expected: Int?, detail: String)
  /// Fewer bytes per second than `bytesPerSecond` came for `seconds`.
  case tooSlow(bytesPerSecond: Int, seconds: Int, received: Int, expected: Int?)
  /// The transfer took longer than this many seconds.
  case tooLong(seconds: Int, received: Int, expected: Int?)
  /// The run did not get all of its answers within this many seconds.
  case outOfTime(seconds: Int)
  /// All answers together have more than `limit` bytes.
  case answersTooLarge(limit: Int)
  /// A redirect is not followed.
  case redirect(to: String, RedirectRefusal)
  /// The transfer failed in another way. `code` is libcurl's (`CURLcode`).
  case transfer(code: Int, detail: String)

  /// The kind of problem.
  package var `class`: FaultClass {
    switch self {
    case .empty, .unknownForm, .notJSON, .paging, .noDayInName: .badFeed
    case .nothingToAsk, .noFile, .folder, .unreadable, .invalidURL, .certificateFile: .noInput
    case .read, .changed, .tooLargeToKeep, .spool: .cannotRead
    case .cancelled: .cancelled
    case .libraryMissing: .notInstalled
    case .unresolved, .unconnected, .connectTimeout: .unreachable
    case .certificate, .tls: .blocked
    case .status(let status, _, _): Self.class(ofStatus: status)
    case .cut: .connectionLost
    case .tooSlow: .stalled
    case .tooLong, .outOfTime: .timedOut
    case .refused, .contentEncoding, .contentLength, .transferCoding, .headersTooLarge,
      .bodyTooLarge, .answersTooLarge, .redirect, .transfer:
      .badAnswer
    }
  }

  /// Returns the class of a status other than 200 (RFC 9110, section 15; 429 is of RFC 6585).
  private static func `class`(ofStatus status: Int) -> FaultClass {
    switch status {
    case 401: .unauthorized
    case 403: .forbidden
    case 407: .blocked
    case 429, 503: .serverBusy
    case 502, 504: .gatewayFailed
    default: .badAnswer
    }
  }
}

/// Reasons not to follow a redirect (RFC 9110, section 15.4). All but the last are this program's
/// own rules.
package enum RedirectRefusal: Equatable, Sendable {
  /// The limit of redirects had been reached before it.
  case tooMany(limit: Int)
  /// It leads to a scheme other than `http` and `https`.
  case scheme(String)
  /// It leads from `https` to `http`.
  case downgrade
  /// It leads from a public host to this address of an internal network, or to a link-local one.
  case internalAddress(String)
  /// Its `Location` is not a URL.
  case malformed
}

/// Reasons that the pages of a list cannot be followed (RFC 8288 for its links).
package enum PagingFault: Error, Equatable, Sendable {
  /// The link to the next page leads to another server, or is not a URL.
  case elsewhere(String)
  /// The link to the next page leads to an earlier page.
  case repeated(String)
  /// The link to the next page has a secret in a place that the feed's parameters do not explain.
  /// The link cannot be stored with the secret, and cannot be requested without it.
  case secret(String)
  /// The header line `Link` is not a list of links.
  case unreadable(String)
  /// The list has more pages than this.
  case tooMany(limit: Int)
  /// The page is the same as the one before. The server ignores the page number or offset.
  case same
  /// The page has no link to the next one, but the server says that there are this many rows.
  case unlinked(total: Int)
  /// The number of rows on a page that is not the last differs from the step of the offset. `rows`
  /// is the server's number of rows per page.
  case pageSize(rows: Int)
  /// No request is left, but the list has not ended.
  case unfinished
}

/// Names one of several requests, for messages.
package enum RequestName: Equatable, Hashable, Sendable {
  /// The only request.
  case document
  /// The request of this name in the feed's document.
  case named(String)
  /// A page, by its number from 1.
  case page(Int)
  /// The request for this item of a list.
  case item(String)
}

/// The reason that a document of several answers is incomplete.
///
/// The answers that did arrive are kept, so that another run need not ask for them again.
package struct RequestsFault: Equatable, Sendable {
  /// Ways to get the rest.
  package enum Remedy: Equatable, Sendable {
    /// A run that resumes asks only for the rest. Any other run starts over.
    case resume
    /// Every run asks only for answers that are missing or too old.
    case again
  }

  /// A way to search for a name that the server does not know.
  package struct Search: Equatable, Sendable {
    /// The URL used instead of the feed's server, in a form that may be shown; nil if there is
    /// none.
    package var mirror: String?
    /// Whether the feed is a document of the user's own.
    package var needsDocument = false

    /// Makes a way to search.
    package init(mirror: String? = nil, needsDocument: Bool = false) {
      self.mirror = mirror
      self.needsDocument = needsDocument
    }
  }

  /// The first error that occurred.
  package var first: PipelineError
  /// The request with the first error.
  package var name: RequestName
  /// The requests without an answer, in order, as far as they are known. There is at least one.
  package var missing: [RequestName]
  /// Number of answers that are kept.
  package var kept: Int
  /// The way to get the rest.
  package var remedy: Remedy
  /// Age in seconds of the rows used instead of a missing answer, by its request.
  package var ages: [RequestName: Int] = [:]
  /// Whether the outputs were published without the missing answers.
  package var isPublished = false
  /// The environment variables with the credentials, if the server does not know who asks.
  package var variables: [String] = []
  /// The way to search for the name; nil if there is none.
  package var search: Search?

  /// Makes a fault.
  package init(
    first: PipelineError, name: RequestName, missing: [RequestName], kept: Int, remedy: Remedy
  ) {
    self.first = first
    self.name = name
    self.missing = missing
    self.kept = kept
    self.remedy = remedy
  }
}

extension PipelineError {
  /// Makes an error of several requests, with the offset of the first one's error.
  package init(_ fault: RequestsFault) {
    self.init(.requests(fault), at: fault.first.offset)
  }
}

/// Reasons to doubt a list that was read to its end.
package enum ListDoubt: Equatable, Sendable {
  /// It changed while its pages were read. The server gave these numbers of rows with the first
  /// page and with the last.
  case changed(first: Int, last: Int)
  /// The server announced `said` rows, but `came` rows arrived.
  case count(said: Int, came: Int)
}
