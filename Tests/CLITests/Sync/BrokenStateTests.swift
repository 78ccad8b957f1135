import Foundation
import Testing

/// State folders that a run of `sync` cannot use as they are: one clear line, the right exit code,
/// and outputs that stay.
@Suite(
  .needsProgram,
  .enabled(if: BuiltProgram.has("sqlite3"), "sqlite3 is missing: broken ledgers are not tested"))
struct BrokenStateTests {
  private static let isRoot = geteuid() == 0
  private static let canBeNobody =
    !isRoot || (try? BuiltProgram.tool(["setpriv", "--reuid", "65534", "true"]).code) == 0
  private static let canMount =
    isRoot
    && (try? BuiltProgram.tool(["unshare", "-m", "mount", "-t", "tmpfs", "x", "/mnt"]).code) == 0

  /// Runs a script in the folder of the night; `$ledger` is the ledger, `$events` its folder.
  private func prepare(_ night: KilledNight, _ script: String) throws {
    let run = try BuiltProgram.shell(
      "events=$(echo live/state/*/*.events); ledger=$events/ledger.sqlite; \(script)",
      in: night.folder.path)
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test func `a ledger that cannot be read stops the run before anything is published`() throws {
    let night = try KilledNight()
    let cases: [(damage: String, code: Int32, says: String)] = [
      ("head -c 100 /dev/zero | dd of=$ledger conv=notrunc", 74, "is damaged"),
      // Pages of the tables.
      (
        "head -c 12288 /dev/zero | tr '\\0' x | dd of=$ledger bs=4096 seek=5 conv=notrunc", 74,
        "is damaged"
      ),
      ("truncate -s 20000 $ledger", 74, "is damaged"),
      ("truncate -s 100 $ledger", 74, "is damaged"),
      ("printf hello > $ledger", 74, "is damaged"),
      ("sqlite3 $ledger 'PRAGMA user_version = 99'", 74, "later version of sluice (schema 99"),
      ("sqlite3 $ledger \"UPDATE origin SET feed = 'bonds'\"", 74, "is the ledger of \"bonds\""),
      ("rm $ledger; sqlite3 $ledger 'CREATE TABLE diary(day)'", 74, "is not a ledger of sluice"),
      ("rm $ledger; mkdir $ledger", 73, "it is a folder"),
      ("rm $ledger; ln -s /nonexistent/ledger $ledger", 73, "cannot open"),
    ]
    for (damage, code, says) in cases {
      try night.restore()
      try prepare(night, damage)
      let before = try night.sight()
      let run = try BuiltProgram.run(night.words)
      run.expectLogLine(code, "error: sync: ", says: [says, "ledger.sqlite", "; "])
      let after = try night.sight()
      #expect(after.outputs == night.old.outputs, "\(damage)")
      #expect(after.ledger == before.ledger && after.copy == night.old.copy, "\(damage)")
      #expect(after.record == night.old.record && after.result == "failed", "\(damage)")
      #expect(after.paths == before.paths, "\(damage): \(after.paths.sorted())")
    }
    // What was told is true: with the ledger put back, the run goes through.
    try night.restore()
    try prepare(night, "cp $ledger good; printf hello > $ledger")
    #expect(try BuiltProgram.run(night.words).code == 74)
    try prepare(night, "cp good $ledger")
    try night.expectHealed("ledger put back", after: try night.sight())
  }

  @Test func `a damaged ledger is set aside with --accept, and not deleted`() throws {
    let night = try KilledNight()
    try night.restore()
    try prepare(night, "sqlite3 $ledger 'UPDATE event SET sequence = sequence + 1'")
    let run = try BuiltProgram.run(night.words)
    run.expectLogLine(74, "error: sync: ", says: ["is damaged", "--accept", "; "])
    try BuiltProgram.run(night.words + ["--accept"]).expectSilence()
    try prepare(night, "test -s $ledger.damaged && test -s $ledger")
    try BuiltProgram.run(night.words).expectSilence()
  }

  @Test(arguments: ["rm $events/*", "truncate -s 0 $ledger", "rm -r $events"])
  func `a ledger that has gone is not begun anew without a word`(loss: String) throws {
    let night = try KilledNight()
    try night.restore()
    try prepare(night, loss)
    for _ in 0..<2 {
      let run = try BuiltProgram.run(night.words)
      run.expectLogLine(75, "error: sync: the ledger is missing from ", says: ["--accept"])
      let after = try night.sight()
      #expect(after.outputs == night.old.outputs && after.ledger == "")
      #expect(after.copy == night.old.copy && after.result == "refused")
    }
    try BuiltProgram.run(night.words + ["--accept"]).expectSilence()
    let after = try night.sight()
    #expect(after.outputs["a.csv"] == night.new.outputs["a.csv"] && after.ledger != "")
    try BuiltProgram.run(night.words).expectSilence()
  }

  @Test(.enabled(if: canBeNobody, "nobody cannot be asked: read-only state is not tested"))
  func `a state folder that takes no files stops the run before anything is published`() throws {
    let night = try KilledNight()
    // The program itself must be within nobody's reach.
    _ = try BuiltProgram.tool(["cp", BuiltProgram.path, night.folder("sluice")])
    let nobody = Self.isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    let cases: [(change: String, code: Int32, says: String)] = [
      ("chmod 000 live/state", 73, "cannot create or open the folder"),
      ("rm -r live/state; chmod 555 live", 73, "cannot create or open the folder"),
      ("chmod 444 live/state/hot-water/lock", 73, "cannot lock"),
      ("chmod 555 live/state/hot-water", 73, "cannot create files in the folder"),
      ("chmod 000 $events", 73, "cannot open"),
      ("chmod 000 $ledger", 73, "cannot open"),
      ("chmod 555 $events", 74, "ledger.sqlite"),
      ("chmod 444 $ledger", 74, "ledger.sqlite"),
    ]
    for (change, code, says) in cases {
      try night.restore()
      try prepare(night, "\(Self.isRoot ? "chown -R 65534:65534 live; " : "")\(change)")
      let run = try BuiltProgram.tool(nobody + [night.folder("sluice")] + night.words)
      run.expectLogLine(code, "error: ", says: [says, "permission denied", "; "])
      _ = try BuiltProgram.tool(["chmod", "-R", "u+rwX", night.folder("live")])
      let after = try night.sight()
      #expect(after.outputs == night.old.outputs, "\(change)")
      guard !change.hasPrefix("rm") else { continue }
      #expect(after.ledger == night.old.ledger && after.copy == night.old.copy, "\(change)")
      #expect(after.record == night.old.record, "\(change)")
    }
  }

  @Test(.enabled(if: canMount, "mounting needs root: a full state folder is not tested"))
  func `a state folder that is full loses nothing, and space heals it`() throws {
    let night = try KilledNight()
    // From no room for anything to room for all but the last page, in kilobytes.
    var failed = 0
    for size in [120, 128, 160, 196, 212, 228, 236, 244, 252, 260] {
      try night.restore()
      let script = """
        rm -rf aside; mv live/state aside && mkdir live/state || exit 9
        mount -t tmpfs -o size=\(size)k none live/state && cp -a aside/. live/state || exit 9
        "$@"; echo code $?
        mkdir kept && cp -a live/state/. kept
        umount live/state && rmdir live/state && mv kept live/state
        """
      let run = try BuiltProgram.tool(
        ["unshare", "-m", "bash", "-c", script, "bash", BuiltProgram.path] + night.words,
        in: night.folder.path)
      guard run.output == "code 74\n" else {
        #expect(run.output == "code 0\n" || run.code == 9, "\(size) kB: \(run)")
        continue
      }
      let full = "no space left on the device; free some space"
      run.expectLogLine(0, "error: ", says: [full], output: "code 74\n")
      failed += 1
      let left = try night.expectWhole("\(size) kB")
      #expect(left.record == night.old.record, "\(size) kB")
      try night.expectHealed("\(size) kB", after: left)
    }
    #expect(failed >= 4, "too much room")
  }

  @Test func `the second of two runs does not touch the ledger of the first`() throws {
    let night = try KilledNight()
    try night.restore()
    // The first waits for its feed with the ledger open.
    let feed = try #require(night.folder.bytes("live/feed.json"))
    unlink(night.folder("live/feed.json"))
    _ = try night.folder.pipe("live/feed.json")
    let first = try BuiltProgram.start([BuiltProgram.path] + night.words)
    var writer: Int32 = -1
    for _ in 0..<2000 where writer < 0 {
      writer = open(night.folder("live/feed.json"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if writer < 0 { usleep(5000) }
    }
    try #require(writer >= 0)
    _ = fcntl(writer, F_SETFL, 0)
    let before = try night.sight()
    #expect(before.ledger == night.old.ledger)
    for _ in 0..<3 {
      let second = try BuiltProgram.run(night.words)
      second.expectLogLine(75, "error: sync: another run (process \(first.pid))")
    }
    let after = try night.sight()
    #expect(after == before)
    #expect(feed.array.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) } == feed.count)
    close(writer)
    first.wait().expectSilence()
    let now = try night.sight()
    #expect(now.outputs["a.csv"] == night.new.outputs["a.csv"])
    #expect(now.outputs[KilledNight.changes] == night.new.outputs[KilledNight.changes])
    #expect(now.ledger.hasPrefix("ok\n") && now.result == "published")
  }
}
