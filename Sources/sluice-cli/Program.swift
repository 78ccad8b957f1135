/// The program's own name and version.
enum Program {
  static let name = "sluice"
  static let version = "0.1.0"
  /// The day of the version, as the man page writes it.
  static let manualDate = "November 20, 2026"
}
