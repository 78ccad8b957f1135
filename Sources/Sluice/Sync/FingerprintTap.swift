/// Takes the fingerprint of bytes, and hands them on where there is somebody to take them.
struct FingerprintTap: ByteStage, ~Copyable {
  private var next: OutputWriter?
  private var fingerprint = Fingerprint()

  init(into next: consuming OutputWriter?) { self.next = next }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    fingerprint.add(bytes)
    try next?.write(bytes)
  }

  consuming func finish() throws(PipelineError) { try next.take()?.finish() }

  /// Finishes and tells the fingerprint.
  consuming func end() throws(PipelineError) -> Fingerprint {
    let fingerprint = fingerprint
    try finish()
    return fingerprint
  }

  /// The fingerprint of a file; nil where it cannot be read.
  static func fingerprint(ofFile path: String) -> Fingerprint? {
    do throws(PipelineError) {
      var tap = FingerprintTap(into: nil)
      try DescriptorSource(file: path).run(into: &tap, tally: Tally())
      return try tap.end()
    } catch {
      return nil
    }
  }
}
