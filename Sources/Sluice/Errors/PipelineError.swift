/// The place in the pipeline where an error arose.
public enum Stage: String, Sendable, CaseIterable {
  case source, envelope, base64, unzip, json, csv, normalize, sink, sync
}

/// Why a run ended early: what is wrong, and where.
///
/// A stage throws only its own errors and never catches those of the next. Texts for people are
/// made from it when it is shown, in their language.
public struct PipelineError: Error, Equatable, Sendable {
  /// What is wrong.
  public var fault: Fault
  /// Where: bytes from the start of the stage's own input.
  public var offset: Int?
  /// Which record, counted from 1 (`normalize` only).
  public var record: Int?
  /// Which field of the record, by the feed's own key (`normalize` only).
  public var field: String?

  /// Makes an error.
  public init(_ fault: Fault, at offset: Int? = nil, record: Int? = nil, field: String? = nil) {
    self.fault = fault
    self.offset = offset
    self.record = record
    self.field = field
  }

  /// The stage that threw.
  public var stage: Stage { fault.stage }

  /// Whether it is the content itself that is wrong, as opposed to how it came and where it goes.
  var isOfContent: Bool { stage == .json || stage == .normalize }
}

/// What can be wrong, by stage.
public enum Fault: Equatable, Sendable {
  case source(SourceFault)
  case envelope(EnvelopeFault)
  case base64(Base64Fault)
  case unzip(ZIPFault)
  case json(JSONFault)
  case csv(CSVFault)
  case normalize(FeedFault)
  case sink(SinkFault)
  case sync(SyncFault)
  case ledger(DatabaseFault)
  indirect case requests(RequestsFault)

  var stage: Stage {
    switch self {
    case .source: .source
    case .envelope: .envelope
    case .base64: .base64
    case .unzip: .unzip
    case .json: .json
    case .csv: .csv
    case .normalize: .normalize
    case .sink: .sink
    case .sync, .ledger: .sync
    case .requests(let fault): fault.first.stage
    }
  }
}
