import CPosix

/// Looks after the descriptors 0, 1 and 2.
public enum StandardDescriptors {
  /// Fills those that were closed at the start (`>&-`), so that no file opened later becomes
  /// standard output by accident; using them still fails with EBADF. Called once, first of all.
  public static func reserve() {
    cposix_reserve_standard_descriptors()
  }
}
