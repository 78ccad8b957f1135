import Sluice

extension FeedFolder {
  /// Writes the status of each site of a job after a night, from the record.
  ///
  /// It tells when the data was last right, and what has been wrong since. A site that was never
  /// published gets none. Throws if a file cannot be written.
  func writeStatus(of outcome: SyncOutcome, _ job: SyncJob) throws(PipelineError) {
    let sites = job.conversion.sites.filter { OutputSet.isSite($0) }
    guard !sites.isEmpty else { return }
    let input = try settled(InputIdentity(job.conversion.input, of: job.conversion.feed))
    let record = try read(input)
    var status = SiteStatus()
    if let copy = record?.copy {
      status.records = copy.counts.read
      status.rows = copy.counts.rows
      status.rejected = copy.counts.rejected
      status.confirmed = copy.confirmed
    }
    status.ran = record?.ran
    status.next = record?.quietUntil
    if let error = outcome.error {
      let code = "\(error.stage.rawValue): \(error.code)"
      let text = job.publicText?(error) ?? Localized(ru: code, en: code)
      status.error = (code, text)
    }
    for site in sites {
      let set = OutputSet(endsWithItsReaders: false)
      for (name, content) in status.files {
        var writer = try set.open(path: "\(site)\(name)")
        try writer.write(content.span.bytes)
        try writer.finish()
      }
      try set.commit()
    }
  }
}
