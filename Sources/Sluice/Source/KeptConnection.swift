import CCurl

/// Keeps a connection from one request to the next: an easy handle of libcurl that is used again.
///
/// Used by one thread at a time. Only requests that may go anywhere use it, those whose address the
/// caller chose: a connection that is there already is not judged again, so a redirect is followed
/// without one (``RedirectRule``).
final class KeptConnection {
  let handle: UnsafeMutableRawPointer

  /// Makes one that is not connected yet; throws where libcurl is not there.
  init() throws(PipelineError) {
    try CurlLibrary.load()
    guard let handle = ccurl_easy_init() else { fatalError("out of memory") }
    self.handle = handle
  }

  deinit { ccurl_easy_cleanup(handle) }
}
