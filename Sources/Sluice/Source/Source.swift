/// An input that is ready to be read: what can be known before it is, has been checked.
enum Source: ByteSource, ~Copyable {
  case descriptor(DescriptorSource)
  case http(HTTPSource)
  case requests(RequestCollection)

  /// Opens the input. A URL is not asked yet.
  init(_ conversion: Conversion) throws(PipelineError) {
    switch conversion.input {
    case .file(let path): self = .descriptor(try DescriptorSource(file: path))
    case .standardInput: self = .descriptor(try DescriptorSource.standardInput())
    case .url(let url):
      self = .http(
        HTTPSource(
          url: url, certificateFile: conversion.certificateFile, headers: conversion.headers))
    case .requests:
      guard let collection = try RequestCollection(conversion) else {
        preconditionFailure("a feed that asks for nothing has no requests")
      }
      self = .requests(collection)
    }
  }

  /// What is asked, where that is a feed's own requests.
  var requests: RequestCollection? {
    switch self {
    case .requests(let collection): collection
    case .descriptor: nil
    case .http: nil
    }
  }

  /// Reads to the end, pushes all of it into `stage` and finishes it.
  consuming func push<S: ByteStage & ~Copyable>(into stage: consuming S, tally: Tally)
    throws(PipelineError)
  {
    var stage = stage
    try run(into: &stage, tally: tally)
    try stage.finish()
  }

  /// Reads to the end and pushes all of it into `stage`, which it does not finish.
  borrowing func run<S: ByteStage & ~Copyable>(into stage: inout S, tally: Tally)
    throws(PipelineError)
  {
    switch self {
    case .descriptor(let source): try source.run(into: &stage, tally: tally)
    case .http(let source): try source.run(into: &stage, tally: tally, tries: .attended)
    case .requests(let collection):
      try collection.collect()
      try collection.push(into: &stage, tally: tally)
    }
  }
}

extension Source {
  /// Where reading begins in a regular file; nil where there is no going back.
  var start: Int? {
    switch self {
    case .descriptor(let source): source.start
    case .http: nil
    case .requests: nil
    }
  }

  /// The file's path; nil where it has none.
  var path: String? {
    switch self {
    case .descriptor(let source): source.path
    case .http: nil
    case .requests: nil
    }
  }

  /// Goes back to a place in a regular file.
  borrowing func rewind(to start: Int) throws(PipelineError) {
    switch self {
    case .descriptor(let source): try source.rewind(to: start)
    case .http: break
    case .requests: break
    }
  }
}
