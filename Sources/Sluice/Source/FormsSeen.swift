import Synchronization

/// Lists the forms that an input turned out to have, from the outside in, for `sluice inspect`.
public final class FormsSeen: Sendable {
  /// A layer of an input.
  public enum Layer: String, Sendable {
    /// The API's answer, base64 text, an archive, JSON, CSV.
    case envelope, base64, zip, json, csv
  }

  private let store = Mutex<[Layer]>([])

  /// The layers, outermost first.
  public var layers: [Layer] { store.withLock { $0 } }

  func note(_ layers: [Layer]) { store.withLock { $0 += layers } }
}
