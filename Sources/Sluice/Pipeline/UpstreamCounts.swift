/// What the stages before the records have counted.
struct UpstreamCounts: Equatable, Sendable {
  /// Bytes into and out of a stage.
  struct Flow: Equatable, Sendable {
    var bytesIn = 0
    var bytesOut = 0
  }

  var source = Flow()
  var envelope = Flow()
  var base64 = Flow()
  var unzip = Flow()
}

extension Tally {
  /// What the stages before the records have counted so far; for the thread that they run on.
  var upstream: UpstreamCounts {
    UpstreamCounts(
      source: source.counts, envelope: envelope.counts, base64: base64.counts, unzip: unzip.counts)
  }

  /// What they had counted when they handed on what is being worked on; for the thread that works.
  var upstreamOfWork: UpstreamCounts { handedOn.withLock { $0 } ?? upstream }

  /// Takes back what those stages have counted since.
  func rewind(to counts: UpstreamCounts) {
    source.set(counts.source)
    envelope.set(counts.envelope)
    base64.set(counts.base64)
    unzip.set(counts.unzip)
  }
}

extension Tally.Flow {
  fileprivate var counts: UpstreamCounts.Flow {
    UpstreamCounts.Flow(bytesIn: bytesIn.value, bytesOut: bytesOut.value)
  }

  fileprivate func set(_ counts: UpstreamCounts.Flow) {
    bytesIn.set(counts.bytesIn)
    bytesOut.set(counts.bytesOut)
  }
}
