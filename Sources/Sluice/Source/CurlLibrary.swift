import CCurl

/// Loads libcurl, once, when it is first needed.
enum CurlLibrary {
  /// Debian's package that has the library.
  static let package = "libcurl4"

  private static let failure: PipelineError? = {
    do throws(PipelineError) {
      try load(named: "libcurl.so.4")
      return nil
    } catch {
      return error
    }
  }()

  /// Makes sure that libcurl is there; throws `SourceFault.libraryMissing`.
  static func load() throws(PipelineError) {
    if let failure { throw failure }
  }

  /// Loads the shared library of this name in any case.
  static func load(named name: String) throws(PipelineError) {
    let reason: String? = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { why in
      guard let start = why.baseAddress, !ccurl_load(name, start, why.count) else { return nil }
      return String(cString: start)
    }
    guard let reason else { return }
    throw PipelineError(.source(.libraryMissing(package: package, detail: reason)))
  }
}
