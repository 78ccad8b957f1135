import Glibc
import Sluice

/// Identifies an input from run to run.
struct InputIdentity: Equatable, Sendable {
  /// The first part of the names of its files, 16 hexadecimal digits.
  let key: String
  /// The input in a form to show: a URL without secrets (``Redaction/url(_:)``), an absolute path,
  /// or `-`.
  let shown: String

  /// Identifies an input. Links are not followed, because their target may change.
  init(_ input: Input, of feed: Feed? = nil) {
    if case .requests(let asked) = input, let requests = feed?.requests {
      let name = requests.identity(asked)
      key = Fingerprint(of: name).name
      shown = requests.shown(asked)
      return
    }
    let name: String
    switch input {
    case .url(let url): name = url
    case .standardInput, .bytes, .requests: name = "-"
    case .file(let path): name = path.hasPrefix("/") ? path : "\(Self.workingFolder)/\(path)"
    }
    key = Fingerprint(of: name).name
    if case .url = input { shown = Redaction.url(name) } else { shown = name }
  }

  private static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }
}

extension FeedRequests {
  /// The lines that identify the requests: their URLs and parameters. They have no secrets, nothing
  /// of a list that the user keeps, and not the division of a list into pages, which does not
  /// change the rows.
  fileprivate func identity(_ input: RequestInput) -> String {
    var lines = [input.mirror ?? "", input.search ?? ""] + urls
    lines += parameters.map { "\($0.name)=\($0.value.written)" }
    return lines.joined(separator: "\n")
  }

  /// The requests in a form to show.
  fileprivate func shown(_ input: RequestInput) -> String {
    let maker = RequestURLMaker(parameters: [], mirror: input.mirror, secrets: input.secrets)
    let urls = urls.map { maker.url($0).shown }.joined(separator: " ")
    guard let search = search?.parameter, let term = input.search else { return urls }
    return "\(urls) \(search)=\(term)"
  }
}

/// Computes the fingerprint of bytes, and passes them on if there is a next stage.
struct FingerprintTap: ByteStage, ~Copyable {
  private var next: OutputWriter?
  private var fingerprint = Fingerprint()

  init(into next: consuming OutputWriter?) { self.next = next }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    fingerprint.add(bytes)
    try next?.write(bytes)
  }

  consuming func finish() throws(PipelineError) { try next.take()?.finish() }

  /// Finishes the next stage and returns the fingerprint.
  consuming func end() throws(PipelineError) -> Fingerprint {
    let fingerprint = fingerprint
    try finish()
    return fingerprint
  }

  /// Returns the fingerprint of a file, or nil if the file cannot be read.
  static func fingerprint(ofFile path: String) -> Fingerprint? {
    do throws(PipelineError) {
      var tap = FingerprintTap(into: nil)
      try DescriptorSource(file: path).run(into: &tap, counters: Counters())
      return try tap.end()
    } catch {
      return nil
    }
  }
}
