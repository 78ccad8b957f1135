import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves the test or the suite out of `make check`, whose rule the Makefile has.
  static var slow: Self {
    .disabled(if: ProcessInfo.processInfo.environment["SLUICE_CHECK"] != nil, "slow: left out")
  }
}
