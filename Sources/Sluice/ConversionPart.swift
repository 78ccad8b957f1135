/// One table of a run: what reads it, and who takes its rows.
struct ConversionPart {
  let table: Table
  let feed: Feed
  var tally: Tally
  var branches: [Branch] = []
  /// Who hears of the records that are refused.
  var rejects: (any RejectReceiver)?
  /// What its shares are of, where it has some.
  let shares: ShareTotals?

  init(_ feed: Feed, _ table: Table, tally: Tally, rejects: (any RejectReceiver)?) {
    self.table = table
    self.feed = feed.only(table)
    self.tally = tally
    self.rejects = rejects
    shares = ShareTotals(self.feed)
  }
}
