/// What this release is called.
public enum Release {
  /// The version, as semver.org has it.
  public static let version = "0.1.0"
}
