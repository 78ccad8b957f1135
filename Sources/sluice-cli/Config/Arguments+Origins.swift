extension Arguments {
  /// The error together with where the value stands that it is about, if that was not typed.
  func traced(_ error: UsageError) -> UsageError {
    guard let origin = origin(of: error), origin != .flag else { return error }
    return .set(origin, error)
  }

  /// Where the value comes from that an error is about; nil where it is about none.
  private func origin(of error: UsageError) -> Origin? {
    switch error {
    case .badValue(let option, let value): last(option) { $0 == value }
    case .notAChoice(let option, let value, _): last(spelled: option) { $0 == value }
    case .unknownFeed, .feedFile, .feedDocument, .noInput, .noEvents: last(.feed)
    case .filterWithoutField(let text): last(.where) { $0 == text }
    case .unknownField(let field, _, _), .unfilterableField(let field, _), .dayField(let field):
      last(.where) { $0.hasPrefix(field + "=") }
    case .daysReversed: last(.to).flatMap { $0 == .flag ? nil : $0 } ?? last(.from)
    case .unknownScheme: operandOrigin
    case .unknownExtension(let path): last(.output) { $0 == path }
    case .idleFormat: last(.format)
    case .sharedFile(_, let option, let path), .outputIsInput(let option, let path):
      last(spelled: option) { $0 == path }
    case .sharedStandardOutput(_, let option):
      last(spelled: option) { Destination($0) == .standardOutput }
    case .noFileToSync: last(.output) { Destination($0) == .standardOutput }
    default: nil
    }
  }

  private func last(spelled option: String, _ matches: (String) -> Bool) -> Origin? {
    OptionRow.all.first { $0.spellings.contains(option) }
      .flatMap { last($0.name, matches) }
  }

  private func last(_ name: OptionName, _ matches: (String) -> Bool = { _ in true }) -> Origin? {
    options.last { $0.row.name == name && matches($0.value ?? "") }?.origin
  }
}
