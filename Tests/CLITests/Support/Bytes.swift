/// Bytes that a failed check shows in short: as an array, a feed of a megabyte would be printed.
struct Bytes: Equatable, CustomStringConvertible {
  let array: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { array = Array(bytes) }

  var count: Int { array.count }
  var text: String { String(decoding: array, as: UTF8.self) }
  /// How many line feeds there are.
  var lines: Int { array.count { $0 == 0x0A } }

  var description: String {
    let hash = array.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return "\(count) bytes (\(String(hash, radix: 16))) from \(text.prefix(40).debugDescription)"
  }
}
