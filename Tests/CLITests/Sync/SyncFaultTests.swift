import Foundation
import Testing

/// Every fault of a server, the night after a good one: nothing that is published or kept changes.
@Suite(.needsProgram)
struct SyncFaultTests {
  private static let hasOpenSSL = BuiltProgram.has("openssl")

  /// Faults that are over at once, with the exit code of each.
  private static let faults: [(code: Int32, paths: [String])] = [
    (
      69,
      [
        "short-body", "cut-chunk", "no-last-chunk", "reset", "no-answer", "cut-head",
        "cut-redirect",
      ]
    ),
    (69, ["gzip", "gzip-in-name-only", "huge-length"]),
    (69, ["big-headers", "big-header-line", "endless-headers", "endless-interim"]),
    (
      69,
      [
        "redirects?6", "redirect-loop", "redirect-nowhere", "redirect-malformed",
        "redirect-file", "redirect-ftp", "redirect-unknown-scheme",
      ]
    ),
    (69, ["201", "204", "206", "300", "304", "401", "404", "500"]),
    (69, ["429-garbage", "502", "503", "504", "503-much-later"]),
    (69, ["not-http", "bad-length", "bad-chunk"]),
    (65, ["no-length-cut", "empty"]),
  ]

  @Test(arguments: faults.indices)
  func `a fault leaves everything as it was`(index: Int) throws {
    let (code, paths) = Self.faults[index]
    for path in paths {
      let night = try Nightly(asking: "later?\(path)")
      try night.offer(8)
      try night.run().expectSilence()
      let (stamps, copies) = (night.stamps, night.copies)
      let run = try night.run()
      run.expectLogLine(code, "error: ")
      #expect(night.stamps == stamps && night.copies == copies, "\(path)")
      #expect(night.kept == ["KEY.a", "KEY.json", "lock"], "\(path): \(night.kept)")
      #expect(night.folder.temporaries == [], "\(path)")
    }
  }

  @Test(.enabled(if: hasOpenSSL, "there is no openssl: TLS is not tested"))
  func `a certificate that cannot be checked is refused at once`() throws {
    let night = try Nightly(asking: "ok", isSecure: true)
    try night.offer(8)
    let server = try #require(night.server)
    let ca = try #require(server.ca)
    for (fault, url) in server.untrusted {
      let run = try night.run("--cacert", ca, input: url)
      run.expectLogLine(69, "error: source: ", says: ["certificate"])
      #expect(!fault.isEmpty && night.outputs == [nil, nil, nil])
    }
    try night.run("--cacert", ca, input: server.secure("ok")).expectSilence()
    try night.run("--cacert", ca, input: server.secure("redirect-to-http"))
      .expectLogLine(69, "error: source: ")
    #expect(night.houses == 8)
  }
}
