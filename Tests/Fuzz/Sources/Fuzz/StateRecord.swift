@testable import Sluice
@testable import SluiceSync

/// Records of the state folder.
enum StateRecord {
  /// Returns a record as it is written again, or nothing if it is refused. What was written must be
  /// read again as it was.
  static func rewritten(_ bytes: [UInt8]) -> [UInt8] {
    guard let fields = FlatFields(bytes), let record = SyncRecord(fields) else { return [] }
    let written = Array(record.encoded.contents)
    guard let again = FlatFields(written).flatMap(SyncRecord.init), again == record else {
      fatalError("a record changed when it was written: \(record)")
    }
    return written + Array("\(record.quietUntil ?? 0)".utf8)
  }
}
