/// Stages for the forms that an input may have.
protocol FormRoutes: ~Copyable {
  /// Makes the stages for a form, or throws where the form is of no use here.
  mutating func open(_ form: Form) throws(PipelineError)
  /// The error for an input, or the start of one, that has none of the forms.
  func refusal(_ looksLike: String?, _ start: UnsafeRawBufferPointer) -> PipelineError
  /// Takes the next bytes, after ``open(_:)``.
  mutating func write(_ bytes: RawSpan) throws(PipelineError)
  /// Says that the input has ended, after ``open(_:)``.
  consuming func finish() throws(PipelineError)
}

/// Holds an input's first bytes until they tell its form, then sends all of it that form's way.
struct FormRouter<Routes: FormRoutes & ~Copyable>: ByteStage, ~Copyable {
  /// First bytes of an unknown form that a message may quote.
  private static var quoted: Int { 64 }
  private var routes: Routes
  private var isOpen = false
  private var start = ByteBuffer(capacity: 64)

  init(_ routes: consuming Routes) { self.routes = routes }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    guard !isOpen else { return try routes.write(bytes) }
    start.append(bytes)
    try decide(isWhole: false)
  }

  consuming func finish() throws(PipelineError) {
    if !isOpen { try decide(isWhole: true) }
    try routes.finish()
  }

  private mutating func decide(isWhole: Bool) throws(PipelineError) {
    switch Form.sniff(start.contents, isWhole: isWhole) {
    case .undecided: break
    case .unknown(let name):
      // The same bytes are looked at and quoted however the input was cut.
      let first = Form.start(of: start.contents)
      if isWhole || start.count >= min(first + Self.quoted, Form.reach) {
        let quote = start.contents.prefix(Form.reach).dropFirst(first).prefix(Self.quoted)
        throw routes.refusal(name, UnsafeRawBufferPointer(rebasing: quote))
      }
    case .form(let form):
      isOpen = true
      try routes.open(form)
      try routes.write(RawSpan(_unsafeStart: start.start, byteCount: start.count))
      start = ByteBuffer(capacity: 1)
    }
  }
}
