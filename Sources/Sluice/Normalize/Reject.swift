/// A record that was refused, with what a person needs to find and mend it.
public struct Reject: Sendable, Equatable {
  /// Which record, counted from 1.
  public var record: Int
  /// Where it begins, in bytes of the JSON.
  public var offset: Int
  /// The field, by the feed's own key; nil where the whole record is at fault.
  public var field: String?
  /// The field's text as it came, its first 64 KiB; nil where there is none.
  public var value: [UInt8]?
  /// Why.
  public var reason: RejectReason
  /// The record as it came, its first 64 KiB.
  public var raw: [UInt8]
}

/// Takes the records that were refused, in order.
protocol RejectReceiver: AnyObject {
  /// Takes the next one.
  func receive(_ reject: Reject) throws(PipelineError)
}
