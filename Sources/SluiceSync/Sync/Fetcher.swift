import Glibc
import Sluice

/// Copies an input into a file of the state folder, as it was sent.
struct Fetcher {
  /// The result of a fetch.
  enum Result: Equatable {
    /// The content is in the file.
    case content(Fingerprint, HTTPValidators)
    /// The server says that the known content is still current. There is no file.
    case notModified(HTTPValidators)
  }

  let conversion: Conversion
  var validators = HTTPValidators()
  var rule = RetryRule()
  var limits = HTTPLimits()
  var clock = SyncClock.system
  /// The collected answers, if the feed has requests of its own.
  var requests: RequestCollection?
  var counters = Counters()

  /// Fetches, with as many tries as the rule allows. Blocks until the end.
  ///
  /// The file gets its name when it is complete and on the disk. Its modification time is that of
  /// the content if it is known, otherwise 1970. It is never the time of the download, which would
  /// date events.
  func fetch(into path: String) throws(PipelineError) -> Result {
    try rule.attempt(clock, counters: counters, until: limits.deadline) {
      (left) throws(PipelineError) in
      try fetchOnce(into: path, within: left)
    }
  }

  private func fetchOnce(
    into path: String, within seconds: Double
  ) throws(PipelineError) -> Result {
    let date = ContentDate()
    let set = OutputSet(endsWithItsReaders: false)
    var stage = FingerprintTap(into: try set.open(path: path))
    var validators = HTTPValidators()
    switch conversion.input {
    case .url(let url):
      let source = HTTPSource(
        url: url, certificateFile: conversion.certificateFile, headers: conversion.headers,
        validators: self.validators, limits: limits.within(seconds))
      switch try source.run(into: &stage, counters: counters, date: date) {
      case .notModified(let newer): return .notModified(newer.keeping(self.validators))
      case .content(let newer): validators = newer
      }
    case .file(let file):
      try DescriptorSource(file: file).run(into: &stage, counters: counters, date: date)
    case .standardInput:
      try DescriptorSource.standardInput().run(into: &stage, counters: counters, date: date)
    case .bytes:
      try conversion.source().run(into: &stage, counters: counters, date: date)
    case .requests:
      try requests?.push(into: &stage, counters: counters, date: date)
    }
    let fingerprint = try stage.end()
    try set.commit()
    try setTime(of: path, to: date)
    return .content(fingerprint, validators)
  }

  private func setTime(of path: String, to date: ContentDate) throws(PipelineError) {
    let time = timespec(tv_sec: date.seconds ?? 0, tv_nsec: 0)
    guard utimensat(AT_FDCWD, path, [time, time], 0) == 0 else {
      throw PipelineError(sink: .write(path: path, errno: errno))
    }
  }
}
