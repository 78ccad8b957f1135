import Foundation
import Testing

extension EndToEnd {
  /// Outputs that cannot be made, or fail while they are.
  @Suite struct FailingSinkTests {
    private static let isRoot = geteuid() == 0
    /// As nobody, which root may become; everyone else is somebody already.
    private static let canBeNobody =
      !isRoot || (try? BuiltProgram.tool(["setpriv", "--reuid", "65534", "true"]).code) == 0
    static let canMount =
      isRoot
      && (try? BuiltProgram.tool(["unshare", "-m", "mount", "-t", "tmpfs", "x", "/mnt"]).code) == 0

    @Test func `a full device is an error of its output, and the others stay old`() throws {
      let old = try OldOutputs(in: try Scratch())
      let full = try old.folder.write("x", "") + ".csv"
      try old.folder.link("x.csv", to: "/dev/full")
      let run = try BuiltProgram.run(["convert", Samples.full, "-o", full] + old.options)
      run.expectFailure(74, "sink: byte 0: ")
      #expect(run.errors.contains("no space left on the device"))
      old.expectUntouched()
      let standard = try BuiltProgram.shell(
        "sluice convert \(Samples.full) -o - \(old.options.joined(separator: " ")) > /dev/full")
      standard.expectFailure(74, "sink: byte 0: ")
      old.expectUntouched()
    }

    @Test func `a limit to the size of files is an error, not a signal`() throws {
      let old = try OldOutputs(in: try Scratch())
      // In kilobytes. The calendar is the largest.
      for (limit, place) in [(1, 1024), (700, 700 * 1024)] {
        let run = try BuiltProgram.shell(
          "ulimit -f \(limit); exec sluice convert \(Samples.full) "
            + old.options.joined(separator: " "))
        run.expectFailure(74, "sink: byte \(place): ")
        #expect(run.errors.contains("too large"))
        old.expectUntouched()
      }
    }

    @Test(.enabled(if: canMount, "mounting needs root: a full disk is not tested"))
    func `a full disk is an error`() throws {
      let folder = try Scratch()
      _ = try folder.folder("disk")
      let script = """
        mount -t tmpfs -o size=512k none disk && cd disk
        for n in a.csv b.ndjson c.ics d.xlsx; do echo old > $n; done
        sluice convert \(Samples.full) -o a.csv -o b.ndjson -o c.ics -o d.xlsx; echo code $?
        cat a.csv b.ndjson c.ics d.xlsx; ls -A
        """
      let run = try BuiltProgram.tool(["unshare", "-m", "bash", "-c", script], in: folder.path)
      #expect(run.output == "code 74\nold\nold\nold\nold\na.csv\nb.ndjson\nc.ics\nd.xlsx\n")
      run.expectOneLine("sluice: error: sink: byte ")
      #expect(run.errors.contains("no space left on the device"))
    }

    @Test(.enabled(if: canBeNobody, "nobody cannot be asked: read-only folders are not tested"))
    func `a folder that takes no files is an error before any reading`() throws {
      let folder = try Scratch()
      for name in ["shut", "open"] { _ = try folder.folder(name) }
      try folder.write("shut/a.csv", "old")
      chmod(folder("shut"), 0o555)
      chmod(folder("open"), 0o777)
      defer { chmod(folder("shut"), 0o755) }
      // The program itself must be within nobody's reach. (Written by ourselves, it could still be
      // open for writing in some other test's child.)
      _ = try BuiltProgram.tool(["cp", BuiltProgram.path, folder("sluice")])
      let words = [folder("sluice"), "convert", "http://127.0.0.1:9/", "-o", folder("open/b.csv")]
      for output in ["shut/a.csv", "shut/new.csv"] {
        let run = try BuiltProgram.tool(asNobody + words + ["-o", folder(output)])
        run.expectFailure(73, "sink: ")
        #expect(run.errors.contains(folder("shut")))
      }
      #expect(folder.text("shut/a.csv") == "old")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder("shut")) == ["a.csv"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder("open")) == [])
    }

    private var asNobody: [String] {
      Self.isRoot ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : []
    }

    @Test func `what can be no output is refused before any reading`() throws {
      let old = try OldOutputs(in: try Scratch())
      let folder = old.folder
      _ = try folder.folder("d.csv")
      try folder.link("dangling.csv", to: "nowhere/x.csv")
      try folder.link("loop.csv", to: "loop.csv")
      for name in ["d.csv", "dangling.csv", "loop.csv", "none/x.csv", "a.csv/x.csv", "none/x/"] {
        // Where nobody listens: to try it would be another error.
        let run = try BuiltProgram.run(
          ["convert", "http://127.0.0.1:9/", "--format", "csv"] + old.options + [
            "-o", folder(name),
          ])
        run.expectFailure(73, "sink: ")
        old.expectUntouched()
      }
    }

    @Test func `something strange in the temporary file's place is not touched`() throws {
      let folder = try Scratch()
      try folder.write("victim", "precious")
      try folder.link(".a.csv.sluice-tmp", to: folder("victim"))
      _ = try folder.folder(".b.csv.sluice-tmp")
      _ = try folder.pipe(".c.csv.sluice-tmp")
      for name in ["a.csv", "b.csv", "c.csv"] {
        let run = try BuiltProgram.run([
          "convert", Samples.bonds, "--feed", "bonds", "-o", folder(name),
        ])
        run.expectFailure(73, "sink: ")
        #expect(run.errors.contains(".sluice-tmp"))
      }
      #expect(folder.text("victim") == "precious")
      #expect(folder.names.count == 4)
    }

    @Test func `links and modes are kept`() throws {
      let folder = try Scratch()
      _ = try folder.folder("there")
      try folder.write("there/real.csv", "old")
      chmod(folder("there/real.csv"), 0o640)
      try folder.link("one.csv", to: "there/real.csv")
      try folder.link("two.csv", to: "one.csv")
      let run = try BuiltProgram.run(
        [
          "convert", Samples.bonds, "--feed", "bonds", "-o", folder("two.csv"), "-o",
          folder("new.csv"),
        ])
      run.expectSilence()
      #expect(folder.text("there/real.csv").hasPrefix("isin,"))
      #expect(folder.text("there/real.csv") == folder.text("new.csv"))
      #expect(folder.status("there/real.csv")?.st_mode == S_IFREG | 0o640)
      for link in ["one.csv", "two.csv"] {
        #expect((folder.status(link)?.st_mode ?? 0) & S_IFMT == S_IFLNK)
      }
      let mask = try BuiltProgram.shell(
        "umask 027; sluice convert \(Samples.bonds) --feed bonds -o masked.csv; stat -c %a masked.csv",
        in: folder.path)
      #expect(mask.output == "640\n")
      #expect(folder.names == ["masked.csv", "new.csv", "one.csv", "there", "two.csv"])
    }
  }
}
