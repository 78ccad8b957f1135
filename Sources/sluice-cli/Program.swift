import Sluice

/// The program's own name and version.
enum Program {
  static let name = "sluice"
  static let version = Release.version
  /// The day of the version, as the man page writes it.
  static let manualDate = "November 20, 2026"
}
