import Sluice

extension PipelineError {
  /// The error as the contract words it, without the prefix:
  /// `STAGE: byte N: record R, field F: what is wrong; what to do`. Parts that are not known are
  /// left out.
  var text: Text {
    if case .requests(let fault) = fault { return fault.text }
    return text(of: nil)
  }

  /// The same of an error that one of several requests met; `what` is wrong, where there is more to
  /// say of that than the error knows.
  func text(of request: RequestName?, _ what: Text? = nil) -> Text {
    var text = Text.verbatim("\(stage.rawValue): ")
    if let offset { text = text + .verbatim("byte \(offset): ") }
    var place: [Text] = []
    if let name = request?.text { place.append(name) }
    if let record { place.append(Text(en: "record \(record)", ru: "запись \(record)")) }
    if let field, !fault.namesField {
      place.append(Text(en: "field ", ru: "поле ") + .quoted(field))
    }
    if let first = place.first {
      text = place.dropFirst().reduce(text + first) { $0 + .verbatim(", ") + $1 } + .verbatim(": ")
    }
    return text + (what ?? fault.text)
  }
}

extension Fault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .source(let fault): fault.text
    case .envelope(let fault): fault.text
    case .base64(let fault): fault.text
    case .unzip(let fault): fault.text
    case .json(let fault): fault.text
    case .csv(let fault): fault.text
    case .normalize(let fault): fault.text
    case .sink(let fault): fault.text
    case .sync(let fault): fault.text
    case .ledger(let fault): fault.text
    case .requests(let fault): fault.text
    }
  }

  /// Whether the text itself names the field that the error is about.
  fileprivate var namesField: Bool {
    if case .normalize(.afterItsRows) = self { true } else { false }
  }
}
