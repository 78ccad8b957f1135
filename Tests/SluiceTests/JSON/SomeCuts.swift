@testable import Sluice

/// Chooses cuts for tests with so many inputs that not each can go through all.
enum SomeCuts {
  /// One piece, small pieces and those around the scanner's sixteen bytes, and each split near
  /// `place`.
  static func around(_ place: Int, of count: Int) -> [ChunkCutter.Cut] {
    [.whole] + [1, 2, 3, 5, 15, 16, 17, 31].map { .pieces(of: $0) }
      + (max(0, place - 2)...min(count, place + 7)).map { .split(at: $0) }
  }
}
