/// Converts the last good copy of an input that `sync` keeps, without asking for the input.
///
/// It takes no lock: a copy that is read stays whole, whatever a run of `sync` does meanwhile.
/// Throws nothing; the outcome's error is ``SyncFault/noCopy(input:folder:)`` where there is none.
public func convertLastGood(_ conversion: Conversion, state: String) -> Outcome {
  var steps = LastGoodSteps(conversion, state: state)
  return convert(conversion, &steps)
}

/// The steps around a conversion of a last good copy.
private struct LastGoodSteps: RunSteps, ~Copyable {
  private let folder: FeedFolder
  private let input: InputIdentity
  private var opened: DescriptorSource?

  init(_ conversion: Conversion, state: String) {
    folder = FeedFolder(of: conversion.feed.name, in: state)
    input = InputIdentity(conversion.input, of: conversion.feed)
  }

  var payload: PayloadFacts? { nil }
  var ledger: LedgerSession? { nil }
  var today: Day { Day(number: 0) }

  mutating func begin() throws(PipelineError) { opened = try open() }

  mutating func source() throws(PipelineError) -> Source {
    if let opened = opened.take() { return .descriptor(opened) }
    return .descriptor(try open())
  }

  mutating func judge(_ statistics: Statistics) {}

  private func open() throws(PipelineError) -> DescriptorSource {
    // Between two looks a run may have put a newer copy beside this one and removed it.
    for _ in 0..<8 {
      guard let copy = try folder.read(input)?.copy else { break }
      do throws(PipelineError) {
        return try DescriptorSource(file: folder.copy(of: input, copy.slot))
      } catch {
        guard case .source(.noFile) = error.fault else { throw error }
      }
    }
    throw PipelineError(sync: .noCopy(input: input.shown, folder: folder.path))
  }
}
