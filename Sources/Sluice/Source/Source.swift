/// An input that is ready to be read: what can be known before it is, has been checked.
enum Source: ~Copyable {
  case descriptor(DescriptorSource)
  case http(HTTPSource)

  /// Opens the input. A URL is not asked yet.
  init(_ conversion: Conversion) throws(PipelineError) {
    switch conversion.input {
    case .file(let path): self = .descriptor(try DescriptorSource(file: path))
    case .standardInput: self = .descriptor(try DescriptorSource.standardInput())
    case .url(let url):
      self = .http(
        HTTPSource(
          url: url, certificateFile: conversion.certificateFile, headers: conversion.headers))
    }
  }

  /// Reads to the end, pushes all of it into `stage` and finishes it.
  consuming func push<S: ByteStage & ~Copyable>(into stage: consuming S, tally: Tally)
    throws(PipelineError)
  {
    var stage = stage
    switch self {
    case .descriptor(let source): try source.run(into: &stage, tally: tally)
    case .http(let source): try source.run(into: &stage, tally: tally)
    }
    try stage.finish()
  }
}
