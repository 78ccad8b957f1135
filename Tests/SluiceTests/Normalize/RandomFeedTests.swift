import Testing

@testable import Sluice

/// Documents of any shape: whole records, plain values and gaps come to the same as their tokens.
@Suite(.slow) struct RandomFeedTests {
  @Test(arguments: 0..<16 as Range<UInt64>)
  func `whole records, values and gaps come to what their tokens come to`(block: UInt64) throws {
    var rows = 0
    for seed in 40 * block..<40 * (block + 1) {
      let made = RandomFeed(seed: seed)
      var run = FeedRun(feed: try OwnFeed.read(made.document))
      let whole = run(made.json)
      let cut = run(made.json, cut: .pieces(100 + Int(seed) % 7 * 300))
      run.asksForTokensAlone = true
      let tokens = run(made.json)
      #expect(whole.isSame(as: tokens), "seed \(seed): \(made.document)")
      #expect(cut.isSame(as: tokens), "seed \(seed), cut: \(made.document)")
      rows += tokens.rows.count
    }
    #expect(rows > 1000)
  }
}
