/// Accepts the rows of a feed.
///
/// The normalizer drives. A record lives only for the call: its bytes are reused for the next.
/// After a throw nobody calls the stage again.
protocol RecordStage: ~Copyable {
  /// Whether there is anything to be gained from ``expect(_:)``.
  static var looksAhead: Bool { get }
  /// Hears of a row that it is given next, when the others have had it: what lies far off in memory
  /// can be on its way by then.
  mutating func expect(_ record: borrowing Record)
  /// Takes a row that is wanted.
  mutating func write(_ record: borrowing Record) throws(PipelineError)
  /// Takes a row that lies outside of the days asked for: not to be written, but it counts where
  /// rows are numbered.
  mutating func passOver(_ record: borrowing Record)
  /// Hears of a record that cannot be read, with its address where that can be: what it would have
  /// said is not known.
  mutating func refuse(address: UInt64?)
  /// Says that the rows are complete: writes what ends the output and finishes its sink.
  consuming func finish() throws(PipelineError)
}

extension RecordStage where Self: ~Copyable {
  static var looksAhead: Bool { false }
  mutating func expect(_ record: borrowing Record) {}
  mutating func passOver(_ record: borrowing Record) {}
  mutating func refuse(address: UInt64?) {}
}
