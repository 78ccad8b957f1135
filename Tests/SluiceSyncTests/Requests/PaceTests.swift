import Testing

@testable import Sluice
@testable import SluiceSync

/// Requests keep their distance, and all of them leave a server alone that asks for it.
@Suite struct PaceTests {
  private let clock = TestClock()

  @Test func `requests begin one interval apart`() {
    let pace = Pace(perSecond: 4, clock: clock.clock)
    for _ in 0..<5 { pace.admit() }
    #expect(clock.waited == [0.25, 0.25, 0.25, 0.25])
  }

  @Test func `after a pause there is no burst`() {
    let pace = Pace(perSecond: 4, clock: clock.clock)
    pace.admit()
    clock.clock.wait(10)
    pace.admit()
    pace.admit()
    #expect(clock.waited == [10, 0.25])
  }

  @Test func `who is asked to come back later is asked for all`() {
    let pace = Pace(perSecond: 4, clock: clock.clock)
    pace.admit()
    pace.hold(for: 60)
    pace.hold(for: 5)
    pace.admit()
    pace.admit()
    #expect(clock.waited == [60, 0.25])
  }

  @Test func `a hold that comes while one waits holds it back too`() {
    var inner = clock.clock
    let (waits, hold) = (clock, Hold())
    inner.wait = { seconds in
      waits.clock.wait(seconds)
      hold.run()
    }
    let pace = Pace(perSecond: 1, clock: inner)
    hold.set { pace.hold(for: 30) }
    pace.admit()
    pace.admit()
    #expect(clock.waited == [1, 30])
  }
}

/// Does something once, later.
private final class Hold: @unchecked Sendable {
  private var body: (() -> Void)?
  func set(_ body: @escaping () -> Void) { self.body = body }
  func run() {
    let body = body
    self.body = nil
    body?()
  }
}
