/// How much of an archive is put up with.
enum ZIPLimits {
  static let entries = 64
  /// Bytes of an entry's name.
  static let name = 1 << 10
  /// The longest symbolic link, in bytes: Linux' PATH_MAX.
  static let link = 4 << 10
  /// How many times its compressed size an entry may inflate to.
  static let ratio = 250
  /// What all entries together may inflate to before the ratio counts, in bytes.
  static let ratioFree = 64 << 20
  /// The newest version of the format (in tenths) that is known: 6.3.
  static let version: UInt8 = 63
}
