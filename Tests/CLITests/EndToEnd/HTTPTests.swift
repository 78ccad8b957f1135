import Foundation
import Testing

extension EndToEnd {
  /// Feeds by HTTP and HTTPS, from a server that answers with faults.
  @Suite(
    .enabled(if: Samples.isThere(Samples.faultServer), "the server of faults is not there"))
  struct HTTPTests {
    private static let hasOpenSSL = BuiltProgram.has("openssl")
    private static let canMount =
      geteuid() == 0 && (try? BuiltProgram.tool(["unshare", "-m", "true"]).code) == 0

    /// Asks for a URL, with old outputs that must survive.
    private func expectFailure(
      _ url: String, _ code: Int32, _ start: String, says: [String] = [], options: [String] = [],
      _ sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let old = try OldOutputs(in: try Scratch())
      let run = try BuiltProgram.run(["convert", url] + old.options + options)
      run.expectFailure(code, start, sourceLocation)
      for text in says {
        #expect(run.errors.contains(text), "\(url): \(run.errors)", sourceLocation: sourceLocation)
      }
      #expect(!run.errors.contains("secret"), sourceLocation: sourceLocation)
      old.expectUntouched(sourceLocation)
    }

    @Test func `good answers give what the file gives`() throws {
      let server = try FaultServer(body: Samples.full)
      let file = try BuiltProgram.run(["convert", Samples.full])
      for path in [
        "ok", "modified", "chunked", "no-length", "identity", "interim", "redirects?1",
        "redirects?5",
        "redirect-relative",
      ] {
        let run = try BuiltProgram.run(["convert", server.url(path)])
        #expect(run.code == 0 && run.errors == "", "\(path): \(run.errors)")
        #expect(run.bytes == file.bytes)
      }
      let inspected = try BuiltProgram.run(["inspect", server.url("ok")])
      #expect(inspected.output.contains("13200 (kept 13200"))
    }

    @Test func `plain JSON is stamped with Last-Modified, or not at all`() throws {
      let folder = try Scratch()
      let server = try FaultServer(
        body: try folder.write("feed.json", SmallFeed.list([SmallFeed.record()])))
      for (path, stamp) in [("modified", "20200625T181310Z"), ("ok", "19700101T000000Z")] {
        let run = try BuiltProgram.run(["convert", server.url(path), "--format", "ics"])
        #expect(run.output.contains("\r\nDTSTAMP:\(stamp)\r\n"))
      }
    }

    @Test func `bodies that end early are told with what came and what was expected`() throws {
      let server = try FaultServer(body: Samples.full)
      let size = "89267"
      try expectFailure(server.url("short-body"), 69, "source: byte 1000: ", says: ["1000", size])
      try expectFailure(server.url("reset"), 69, "source: byte ", says: [size])
      try expectFailure(server.url("cut-chunk"), 69, "source: byte 1000: ", says: ["1000"])
      try expectFailure(server.url("no-last-chunk"), 69, "source: byte 1000: ", says: ["1000"])
      try expectFailure(server.url("no-answer"), 69, "source: ")
      try expectFailure(server.url("cut-head"), 69, "source: ")
      try expectFailure(server.url("empty"), 65, "source: byte 0: ")
      // Only the content can tell.
      try expectFailure(server.url("no-length-cut"), 65, "envelope: byte 44633: ")
    }

    @Test(
      arguments: [
        "flapping-503", "flapping-429", "flapping-short", "flapping-reset", "flapping-no-answer",
      ])
    func `a server that comes back is waited for, and nothing comes twice`(path: String) throws {
      let server = try FaultServer(body: Samples.full)
      let run = try BuiltProgram.run(["convert", server.url(path)])
      #expect(run.code == 0 && run.errors == "")
      #expect(run.bytes == (try BuiltProgram.run(["convert", Samples.full])).bytes)
    }

    @Test func `what was not asked for is refused`() throws {
      let server = try FaultServer(body: Samples.full)
      try expectFailure(server.url("gzip"), 69, "source: ", says: ["gzip"])
      try expectFailure(server.url("gzip-in-name-only"), 69, "source: ", says: ["gzip"])
      for path in ["big-headers", "big-header-line", "endless-headers", "endless-interim"] {
        try expectFailure(server.url(path), 69, "source: ", says: ["64 KiB"])
      }
      try expectFailure(server.url("huge-length"), 69, "source: ", says: ["256 MiB"])
      try expectFailure(server.url("endless-body"), 65, "envelope: byte ")
      for path in ["not-http", "bad-length", "bad-chunk"] {
        try expectFailure(server.url(path), 69, "source: ")
      }
      for status in [201, 204, 206, 300, 304, 401, 404, 500] {
        try expectFailure(server.url("\(status)"), 69, "source: ", says: ["\(status)"])
      }
    }

    @Test func `redirects end at the sixth, and lead nowhere strange`() throws {
      let server = try FaultServer(body: Samples.full)
      try expectFailure(server.url("redirects?6"), 69, "source: ", says: ["5"])
      try expectFailure(server.url("redirect-loop"), 69, "source: ")
      for path in [
        "redirect-nowhere", "redirect-malformed", "redirect-file", "redirect-ftp",
        "redirect-unknown-scheme",
      ] {
        try expectFailure(server.url(path), 69, "source: ")
      }
    }

    @Test func `passwords of a URL are never shown`() throws {
      let server = try FaultServer(body: Samples.full)
      let url = server.url("404").replacing("http://", with: "http://somebody:secret@")
      try expectFailure(url, 69, "source: ", says: ["404"])
      let closed = "http://somebody:secret@127.0.0.1:9/"
      try expectFailure(closed, 69, "source: ")
      let verbose = try BuiltProgram.run(["convert", url, "-v"])
      #expect(!verbose.errors.contains("secret"))
    }

    @Test(.enabled(if: hasOpenSSL, "there is no openssl: TLS is not tested"))
    func `only certificates that can be checked are accepted`() throws {
      let server = try FaultServer(body: Samples.full, isSecure: true)
      let ca = try #require(server.ca)
      let good = try BuiltProgram.run(["convert", server.secure("ok"), "--cacert", ca])
      #expect(good.code == 0 && good.errors == "")
      #expect(good.bytes == (try BuiltProgram.run(["convert", Samples.full])).bytes)
      try expectFailure(server.secure("ok"), 69, "source: ", says: ["certificate"])
      for (fault, url) in server.untrusted {
        try expectFailure(
          url, 69, "source: ", says: ["certificate"], options: ["--cacert", ca])
        #expect(!fault.isEmpty)
      }
      try expectFailure(
        server.secure("redirect-to-http"), 69, "source: ", options: ["--cacert", ca])
      try expectFailure(
        server.secure("short-body"), 69, "source: byte 1000: ", options: ["--cacert", ca])
      try expectFailure(
        server.secure("ok"), 66, "source: ", says: ["/nowhere"], options: ["--cacert", "/nowhere"])
      // No TLS is spoken there.
      let plain = server.url("ok").replacing("http:", with: "https:")
      try expectFailure(plain, 69, "source: ")
    }

    @Test func `nobody there is an error at once, and URLs that are none are no input`() throws {
      try expectFailure("http://127.0.0.1:9/feed", 69, "source: ")
      for url in ["http://", "http://[::1", "http://a b/", "http://127.0.0.1:99999/"] {
        let run = try BuiltProgram.run(["convert", url])
        #expect(run.code == 66 || run.code == 64, "\(url): \(run.errors)")
        run.expectOneLine("sluice: error: ")
      }
    }

    @Test(.enabled(if: canMount, "mounting needs root: a machine without libcurl is not tested"))
    func `a machine without libcurl is told the package`() throws {
      let folder = try Scratch()
      let script = """
        for lib in /lib/*/libcurl.so.4 /usr/lib/*/libcurl.so.4; do
          [ -e "$lib" ] && mount --bind /dev/null "$(readlink -f "$lib")"
        done
        sluice convert http://127.0.0.1:9/ -o a.csv; echo $?
        sluice convert '\(Samples.full)' -o b.csv; echo $?
        """
      let run = try BuiltProgram.tool(["unshare", "-m", "bash", "-c", script], in: folder.path)
      #expect(run.output == "69\n0\n")
      run.expectOneLine("sluice: error: source: ")
      #expect(run.errors.contains("libcurl4"))
      #expect(folder.names == ["b.csv"])
    }

    @Test(.slow)
    func `a server that stalls is given up, and a signal ends the wait`() throws {
      let server = try FaultServer(body: Samples.full)
      let old = try OldOutputs(in: try Scratch())
      let waiting = try BuiltProgram.start(
        [BuiltProgram.path, "convert", server.url("silent")] + old.options)
      for _ in 0..<400 where old.folder.temporaries.count < OldOutputs.names.count {
        usleep(5000)
      }
      #expect(old.folder.temporaries.count == OldOutputs.names.count)
      waiting.send(SIGTERM)
      #expect(waiting.wait().signal == SIGTERM)
      old.expectUntouched()
      // Below 1 KiB a second for 30 seconds.
      let folders = try (0..<2).map { _ in try OldOutputs(in: try Scratch()) }
      let children = try zip(["stall", "drip"], folders).map { path, old in
        try BuiltProgram.start([BuiltProgram.path, "convert", server.url(path)] + old.options)
      }
      for (child, old) in zip(children, folders) {
        child.wait().expectFailure(69, "source: byte ")
        old.expectUntouched()
      }
    }
  }
}
