/// Keeps the three values nearest to one that was looked for in vain, by edit distance between
/// folded texts.
struct NearestValues {
  private struct Candidate {
    var distance: Int
    var key: [UInt32]
    var text: String
  }

  private static let kept = 3
  /// What is longer than four times this many scalars, or in bytes than any such text can be, is no
  /// likely typing error.
  private static let longest = 64
  private let wanted: [UInt32]
  private var candidates: [Candidate] = []
  private var lastText: ContiguousArray<UInt8> = []

  init(to key: ContiguousArray<UInt8>) {
    wanted = Self.scalars(key)
  }

  /// The values kept, the nearest first.
  var texts: [String] { candidates.map(\.text) }

  /// Takes a value that is there; a missing one does not count.
  mutating func consider(_ text: UnsafeRawBufferPointer) {
    guard text.count > 0, text.count <= 16 * Self.longest, !lastText.elementsEqual(text) else {
      return
    }
    lastText = ContiguousArray(text)
    // Folding hardly changes a text's length: what is far from it in length is far from it.
    let worst = candidates.count == Self.kept ? candidates[Self.kept - 1].distance : Int.max
    guard abs(text.count / 2 - wanted.count) <= worst || text.count < 2 * Self.longest else {
      return
    }
    let key = Self.scalars(Fold.key(ofTidy: text))
    guard key.count <= Self.longest * 4, !candidates.contains(where: { $0.key == key }) else {
      return
    }
    let distance = editDistance(wanted, key)
    guard distance < worst else { return }
    let place = candidates.firstIndex { $0.distance > distance } ?? candidates.count
    let shown = String(decoding: text, as: UTF8.self)
    candidates.insert(Candidate(distance: distance, key: key, text: shown), at: place)
    if candidates.count > Self.kept { candidates.removeLast() }
  }

  private static func scalars(_ key: ContiguousArray<UInt8>) -> [UInt32] {
    String(decoding: key, as: UTF8.self).unicodeScalars.map(\.value)
  }
}
