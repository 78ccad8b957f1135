extension EnvelopeReader where Next: ~Copyable {
  /// Checks that the payload was found and that the answer says that it is one.
  func checkEnd() throws(PipelineError) {
    if status == nil, let test = envelope.status { throw missing(test.path) }
    if let late { throw late }
    guard !isFound else { return }
    if let fault = way.missing(keys) { throw self.fault(fault, at: nil) }
    guard let test = envelope.match else { throw missing(envelope.payload) }
    let name = test.path.lastKey
    if marks.isEmpty, let found = markless {
      throw fault(.missing(field: name, keys: found), at: nil)
    }
    throw fault(.noMatch(field: name, value: test.value, found: marks), at: nil)
  }

  /// The first key on a path that was not there, and those that were.
  private func missing(_ path: Path) -> PipelineError {
    var depth = 1
    for case .key(let key) in path.steps {
      let found = keys.at(depth: depth)
      if !found.contains(key) { return fault(.missing(field: key, keys: found), at: nil) }
      depth += 1
    }
    return fault(.missing(field: path.description, keys: keys.at(depth: depth)), at: nil)
  }
}
