import Sluice

/// Identifies an input from run to run, however it is spelled.
struct InputIdentity: Equatable, Sendable {
  /// The name of the input: see ``InputName``. It has no secrets.
  let name: String
  /// The first part of the names of its files, 16 hexadecimal digits.
  private(set) var key: String
  /// The input in a form to show: a URL without secrets (``Redaction/url(_:)``), an absolute path,
  /// or `-`.
  let shown: String
  /// The key that version 0.1 gave to this spelling.
  let earlierKey: String
  /// The key of the file that the input is a link to, or nil if it is no link.
  let targetKey: String?

  /// Identifies an input. The links of a file's folder are followed. A link in the place of the
  /// file is not, because its target may change: `latest.json` is one input every night.
  init(_ input: Input, of feed: Feed? = nil) {
    if case .requests(let asked) = input, let requests = feed?.requests {
      self.init(
        requests.identity(asked), shown: requests.shown(asked),
        earlier: requests.earlierIdentity(asked))
      return
    }
    switch input {
    case .url(let url):
      let secrets = feed?.requests?.secretNames ?? []
      self.init(InputName.url(url, without: secrets), shown: Redaction.url(url), earlier: url)
    case .standardInput, .bytes, .requests: self.init("-", shown: "-", earlier: "-")
    case .file(let path):
      let earlier = InputName.absolute(path)
      let target = InputName.target(of: path)
      let name = InputName.file(path)
      self.init(name, shown: name, earlier: earlier, target: target == name ? nil : target)
    }
  }

  private init(_ name: String, shown: String, earlier: String, target: String? = nil) {
    self.name = name
    self.shown = shown
    key = Fingerprint(of: name).name
    earlierKey = Fingerprint(of: earlier).name
    targetKey = target.map { Fingerprint(of: $0).name }
  }

  /// The same input, with files of another key.
  func keyed(_ key: String) -> InputIdentity {
    var identity = self
    identity.key = key
    return identity
  }
}

extension FeedRequests {
  /// The lines that identify the requests: their URLs and parameters. They have no secrets, nothing
  /// of a list that the user keeps, and not the division of a list into pages, which does not
  /// change the rows.
  fileprivate func identity(_ input: RequestInput) -> String {
    let mirror = input.mirror.map { String($0.prefix { $0 != "?" }) }
    var lines = [mirror.map { InputName.url($0) } ?? "", input.search ?? ""]
    lines += urls.map { InputName.url($0, without: secretNames) }
    lines += parameters.map { parameter in
      let isSecret = secretNames.contains(parameter.name) || Redaction.namesSecret(parameter.name)
      return "\(parameter.name)=\(isSecret ? "" : parameter.value.written)"
    }
    return lines.joined(separator: "\n")
  }

  /// The lines that identified the requests in version 0.1.
  fileprivate func earlierIdentity(_ input: RequestInput) -> String {
    let lines = [input.mirror ?? "", input.search ?? ""] + urls
    return (lines + parameters.map { "\($0.name)=\($0.value.written)" }).joined(separator: "\n")
  }

  /// The parameters whose values come from the environment.
  fileprivate var secretNames: Set<String> {
    Set(parameters.filter { !$0.value.variables.isEmpty }.map(\.name))
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
