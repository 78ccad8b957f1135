/// The place in the pipeline where an error arose.
///
/// The raw value is the stage's name in messages, in either language.
public enum Stage: String, Sendable, CaseIterable {
  case source, envelope, base64, unzip, json, csv, normalize, sink, sync
}

/// The reason that a run ended early, and the place.
///
/// A stage throws only its own errors and never catches those of the next. ``fault`` is the
/// problem, ``class`` is its kind, and ``description`` is one line for a log. Sentences for people
/// are made elsewhere, in their language.
public struct PipelineError: Error, Equatable, Sendable {
  /// The problem.
  package var fault: Fault
  /// The input that has the problem, by its path or its URL without secrets, if the run has
  /// several; otherwise nil.
  public var input: String?
  /// The offset in bytes; nil if unknown.
  ///
  /// It is counted from 0 at the start of the stage's own input:
  ///
  /// - `source`: the body
  /// - `envelope`: the answer around the payload
  /// - `base64`: the base64 text
  /// - `unzip`: the archive
  /// - `json`, `csv`, `normalize`: the unpacked text
  ///
  /// In `sink` it is the number of bytes written.
  public var offset: Int?
  /// The record, counted from 1 in the order of the input; nil if the fault is not in a single
  /// record. Only `normalize` sets it.
  public var record: Int?
  /// The field of the record, by the feed's own key; nil if the fault is not in a single field.
  /// Only `normalize` sets it.
  public var field: String?

  /// Makes an error.
  package init(_ fault: Fault, at offset: Int? = nil, record: Int? = nil, field: String? = nil) {
    self.fault = fault
    self.offset = offset
    self.record = record
    self.field = field
  }

  /// The stage that threw the error.
  public var stage: Stage { fault.stage }

  /// The kind of problem. It decides the exit code, retries and all other consequences.
  public var `class`: FaultClass { fault.class }

  /// The stable name of the fault; see ``Fault/code``.
  public var code: String { fault.code }

  /// Whether the content itself is wrong, and not its transport, its packing or an output.
  var isOfContent: Bool { stage == .json || stage == .normalize }
}

extension PipelineError: CustomStringConvertible {
  /// One line: stage, byte, record, field and code, without the parts that are unknown.
  ///
  ///     json: byte 12: too-deep
  ///     normalize: byte 4096: record 3: field "street": too-many-rejects
  ///
  /// It holds no data and no address, so it may be logged. For a sentence, switch over ``fault``.
  public var description: String {
    // The position is that of the first request that failed.
    if case .requests(let several) = fault { return several.first.description }
    var parts = [stage.rawValue]
    if let offset { parts.append("byte \(offset)") }
    if let record { parts.append("record \(record)") }
    if let field { parts.append("field \(String(reflecting: field))") }
    parts.append(code)
    return parts.joined(separator: ": ")
  }
}

/// All faults, by stage.
///
/// Each fault type has its class beside its cases, so that a new case does not compile without one.
package enum Fault: Equatable, Sendable {
  /// An input cannot be read, or a server gives no usable answer.
  case source(SourceFault)
  /// The JSON around the payload does not match the feed's document.
  case envelope(EnvelopeFault)
  /// The text is not base64.
  case base64(Base64Fault)
  /// The archive is not valid, or not of a supported kind.
  case unzip(ZIPFault)
  /// The text is not JSON.
  case json(JSONFault)
  /// The text is not CSV.
  case csv(CSVFault)
  /// The document is not the expected feed.
  case normalize(FeedFault)
  /// A text does not select one place of the feed.
  case place(PlaceFault)
  /// The inputs are not the nights of a history.
  case history(HistoryFault)
  /// An output cannot be written.
  case sink(SinkFault)
  /// A sync must not publish, or its state is not usable.
  case sync(SyncFault)
  /// The ledger of a feed's events is not usable.
  case ledger(DatabaseFault)
  /// Some of a feed's several requests failed.
  indirect case requests(RequestsFault)

  /// The stage that throws the fault.
  package var stage: Stage {
    switch self {
    case .source, .history: .source
    case .envelope: .envelope
    case .base64: .base64
    case .unzip: .unzip
    case .json: .json
    case .csv: .csv
    case .normalize, .place: .normalize
    case .sink: .sink
    case .sync, .ledger: .sync
    case .requests(let fault): fault.first.stage
    }
  }

  /// The kind of problem. Several requests have the class of the first that failed.
  package var `class`: FaultClass {
    switch self {
    case .source(let fault): fault.class
    case .envelope(let fault): fault.class
    case .base64(let fault): fault.class
    case .unzip(let fault): fault.class
    case .json(let fault): fault.class
    case .csv(let fault): fault.class
    case .normalize(let fault): fault.class
    case .place(let fault): fault.class
    case .history(let fault): fault.class
    case .sink(let fault): fault.class
    case .sync(let fault): fault.class
    case .ledger(let fault): fault.class
    case .requests(let fault): fault.first.class
    }
  }

  /// The stable name of the fault within its stage: its case in kebab case, `not-utf8`.
  ///
  /// If the fault wraps another, the other's name follows: `paging-same`, `json-truncated`. A
  /// program may compare it. Values such as paths and limits are in the fault only. Several
  /// requests have the code of the first that failed.
  package var code: String {
    switch self {
    case .source(let fault): fault.code
    case .envelope(let fault): fault.code
    case .base64(let fault): fault.code
    case .unzip(let fault): fault.code
    case .json(let fault): fault.code
    case .csv(let fault): fault.code
    case .normalize(let fault): fault.code
    case .place(let fault): fault.code
    case .history(let fault): fault.code
    case .sink(let fault): fault.code
    case .sync(let fault): fault.code
    case .ledger(let fault): fault.code
    case .requests(let fault): fault.first.code
    }
  }
}

/// A kind of problem: faults with the same consequences.
///
/// Each consequence of a fault is one table over the classes: the exit code (`ExitCode`), the
/// record of a night (`SyncRecord.Result`), another try (`RetryRule`) and whether to go on asking
/// the same server (`ServerBlame`). Two faults with a different row in any of them are of different
/// classes.
public enum FaultClass: Sendable, CaseIterable {
  // The data.

  /// The bytes break the rules of their format.
  case badData
  /// The content is not the expected feed, or not a feed at all.
  case badFeed

  // The request of the caller.

  /// The caller asks for something that the feed does not have.
  case usage
  /// The caller asks for one place, and the feed does not have it.
  case nothingFound
  /// There is no such input, or it cannot be opened.
  case noInput

  // This machine.

  /// Reading failed part way, or the copy that reading needs could not be kept.
  case cannotRead
  /// An output or a folder of the state cannot be created.
  case cannotCreate
  /// Writing an output or the state failed.
  case cannotWrite
  /// A file that an earlier run left is damaged, belongs to another feed, or is of a later version.
  case badState
  /// Another run holds the lock.
  case busy
  /// A guard refused to publish. A person can allow the change.
  case guarded
  /// The readers of all outputs are gone. This ends a run and is not a problem.
  case readerGone
  /// The caller cancelled the run. Nothing was published.
  case cancelled
  /// A shared library that URLs need is not installed.
  case notInstalled

  // The server, and the path to it.

  /// No server answers: its name has no address, or a connection fails.
  case unreachable
  /// No exchange is possible until somebody changes something: TLS fails, or a proxy wants a
  /// password.
  case blocked
  /// The connection broke off during the answer.
  case connectionLost
  /// The answer comes too slowly.
  case stalled
  /// The whole answer took longer than allowed.
  case timedOut
  /// The server asks for a pause (429, 503).
  case serverBusy
  /// The server answers as a gateway, and its upstream server does not answer (502, 504).
  case gatewayFailed
  /// The server does not know who asks (401).
  case unauthorized
  /// The server knows who asks, and denies access (403).
  case forbidden
  /// The server answers with something else than the content: another status, a redirect that is
  /// not followed, or too much data.
  case badAnswer
}

/// A fault type, or part of one, whose cases are named in codes.
protocol Coded {}

extension Coded {
  /// The name of the case in kebab case, followed by the name of a fault that it wraps.
  ///
  /// It is read from the metadata that the compiler keeps for reflection, in all builds.
  var code: String {
    let payload = Mirror(reflecting: self).children.first
    let name = kebabCase(payload?.label ?? String(describing: self))
    guard let payload else { return name }
    let values = Mirror(reflecting: payload.value)
    let wrapped =
      payload.value as? any Coded
      ?? (values.displayStyle == .tuple
        ? values.children.lazy.compactMap { $0.value as? any Coded }.first : nil)
    return wrapped.map { "\(name)-\($0.code)" } ?? name
  }
}

/// Converts `camelCase` to `camel-case`. A row of capitals is one word, as in `not-utf8`.
private func kebabCase(_ name: String) -> String {
  let letters = Array(name)
  var text = ""
  for (index, letter) in letters.enumerated() {
    if letter.isUppercase, index > 0,
      !letters[index - 1].isUppercase || letters.dropFirst(index + 1).first?.isLowercase == true
    {
      text += "-"
    }
    text += letter.lowercased()
  }
  return text
}

extension SourceFault: Coded {}
extension PagingFault: Coded {}
extension RedirectRefusal: Coded {}
extension EnvelopeFault: Coded {}
extension Base64Fault: Coded {}
extension ZIPFault: Coded {}
extension JSONFault: Coded {}
extension CSVFault: Coded {}
extension FeedFault: Coded {}
extension ShareFault: Coded {}
extension PlaceFault: Coded {}
extension HistoryFault: Coded {}
extension SinkFault: Coded {}
extension SyncFault: Coded {}
extension DatabaseFault: Coded {}
