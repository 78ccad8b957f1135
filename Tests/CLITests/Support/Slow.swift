import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// The test, or each test of the suite, takes more than two seconds: `make check` leaves it out,
  /// `make test` does not.
  static var slow: Self {
    .disabled(if: ProcessInfo.processInfo.environment["SLUICE_CHECK"] != nil, "slow: left out")
  }
}
