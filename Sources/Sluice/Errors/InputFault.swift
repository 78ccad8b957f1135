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

/// Why a redirect is not followed.
public enum RedirectRefusal: Equatable, Sendable {
  /// The response before it was the last that may be followed.
  case tooMany(limit: Int)
  /// It leads to a scheme other than `http` and `https`.
  case scheme(String)
  /// It leads from `https` to `http`.
  case downgrade
  /// It leads from a public host to this address, which only an inner network can reach.
  case internalAddress(String)
  /// Its `Location` is no URL.
  case malformed
}

/// Why a list cannot be followed from page to page.
public enum PagingFault: Error, Equatable, Sendable {
  /// The link to the next page leads to another server, or is no URL.
  case elsewhere(String)
  /// The link to the next page leads to one that was there before.
  case repeated(String)
  /// The link to the next page holds a secret where no parameter of the feed's puts it: it can
  /// neither be kept nor be asked without.
  case secret(String)
  /// What should tell the next page is no list of links.
  case unreadable(String)
  /// The list has more pages than this.
  case tooMany(limit: Int)
  /// The page is the same as the one before: the server takes no notice of what tells pages apart.
  case same
  /// The page has no link to the next, although the server says that there are so many rows.
  case unlinked(total: Int)
  /// By offset, a page has other rows than are passed over for it, and is not the last: the server
  /// gives so many a page.
  case pageSize(rows: Int)
  /// Nothing is left to be asked, and the list has not come to its end.
  case unfinished
}

/// What one of several requests is called in messages.
public enum RequestName: Equatable, Hashable, Sendable {
  /// The only one.
  case document
  /// The one of this name in the feed's document.
  case named(String)
  /// A page, by its number from 1.
  case page(Int)
  /// The one for this item of a list.
  case item(String)
}

/// Why a document of several answers is not complete.
///
/// What did arrive is kept, so that another run need not ask for it again.
public struct RequestsFault: Equatable, Sendable {
  /// How to go on.
  public enum Remedy: Equatable, Sendable {
    /// A run that is told to resume asks only for the rest; another begins anew.
    case resume
    /// Every run asks only for what is missing or too old.
    case again
  }

  /// How a name that the server does not know can be searched for.
  public struct Search: Equatable, Sendable {
    /// The URL that stands in for the feed's server, as it may be shown; nil where none does.
    public var mirror: String?
    /// The feed is named by a document of the user's own.
    public var needsDocument = false

    /// Makes a way to search.
    public init(mirror: String? = nil, needsDocument: Bool = false) {
      self.mirror = mirror
      self.needsDocument = needsDocument
    }
  }

  /// What went wrong first.
  public var first: PipelineError
  /// The request that it went wrong with.
  public var name: RequestName
  /// What is missing, as far as it was to be asked for, in order; at least the first.
  public var missing: [RequestName]
  /// How many answers are kept.
  public var kept: Int
  /// How to go on.
  public var remedy: Remedy
  /// How old the rows are, in seconds, that stand in for what is missing.
  public var ages: [RequestName: Int] = [:]
  /// The outputs are published all the same.
  public var isPublished = false
  /// Where the server does not know who asks: the variables that tell it.
  public var variables: [String] = []
  /// How the name can be searched for; nil where it cannot.
  public var search: Search?

  /// Makes a fault.
  public init(
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
  /// Makes an error of what several requests came to: where it arose is where its first one did.
  init(_ fault: RequestsFault) {
    self.init(.requests(fault), at: fault.first.offset)
  }
}

/// What is doubtful about a list that was read to its end.
public enum ListDoubt: Equatable, Sendable {
  /// It changed while its pages were read: the server said first that there were so many rows, and
  /// at last so many.
  case changed(first: Int, last: Int)
  /// The server said that there were so many rows, and so many came.
  case count(said: Int, came: Int)
}
