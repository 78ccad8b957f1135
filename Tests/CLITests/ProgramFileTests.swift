import Testing

/// The file of the program that people get.
@Suite(.needsProgram)
struct ProgramFileTests {
  /// The debug build finds Swift's own libraries by a path of the toolchain.
  private static let isRelease = BuiltProgram.isRelease && !BuiltProgram.path.contains("/debug/")

  @Test(
    .enabled(if: isRelease, "the program is a debug build: its file is not looked at"),
    .enabled(if: BuiltProgram.has("readelf"), "readelf is not there: the file is not looked at"))
  func `no library is looked for beside the program, and no address can be changed`() throws {
    let run = try BuiltProgram.tool(["readelf", "--dynamic", "--wide", BuiltProgram.path])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("(NEEDED)"))
    #expect(!run.output.contains("RUNPATH") && !run.output.contains("RPATH"), "\(run.output)")
    #expect(run.output.contains("BIND_NOW") || run.output.contains("Flags: NOW"), "\(run.output)")
  }
}
