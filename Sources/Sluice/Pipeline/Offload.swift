/// Runs the stages behind it on a second thread, once there is enough to do.
///
///     this thread:  read, base64, inflate, CRC ─▶ Offload ─┐ a few chunks at a time
///     the other:                                           └▶ tokenize, normalize, encode, write
///
/// The stage before drives. Until the ``OffloadRule`` applies, and where no thread is to be had,
/// chunks go straight on. They are never cut anew: the stages behind get the same calls on either
/// thread. An error of theirs is thrown at a later write, or at the end; ``Offloading`` then makes
/// the run's outcome that of one thread.
///
/// The stages behind are only lent to the thread: this one has made them, and finishes them. Of an
/// abandoned ``Offload``, they take what was sent, as they would have on one thread, and are
/// dropped unfinished when their thread is gone.
struct Offload<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  /// The stages behind, while they are on this thread.
  private var next: Next?
  /// The stages behind, while they are on the other.
  private var far: FarSide<Next>?
  /// What may start the thread, until that is decided.
  private var offloading: Offloading?
  private var passed = 0

  /// Makes the stage; without an `offloading` there is one thread.
  init(into next: consuming Next, _ offloading: Offloading?) {
    self.next = consume next
    self.offloading = offloading
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    startIfDue(bytes.byteCount)
    guard let far else {
      try next?.write(bytes)
      return
    }
    guard bytes.byteCount > 0 else { return }
    var copy = ByteBuffer(capacity: bytes.byteCount)
    copy.append(bytes)
    try far.take(&copy)
  }

  mutating func take(_ buffer: inout ByteBuffer) throws(PipelineError) {
    startIfDue(buffer.count)
    guard let far else {
      try next?.take(&buffer)
      return
    }
    if buffer.count > 0 { try far.take(&buffer) }
  }

  consuming func finish() throws(PipelineError) {
    if let far { next = try far.end() }
    try next.take()?.finish()
  }

  @inline(__always)
  private mutating func startIfDue(_ count: Int) {
    if offloading != nil { decide(count) }
  }

  private mutating func decide(_ count: Int) {
    guard let waiting = offloading, let threshold = waiting.rule.threshold else { return }
    guard passed >= threshold else {
      passed += count
      return
    }
    // Now or never.
    offloading = nil
    guard waiting.rule.hasProcessors, let next = next.take() else { return }
    let far = FarSide(next, waiting)
    if far.start() {
      self.far = far
    } else {
      self.next = far.takeBack()
    }
  }
}
