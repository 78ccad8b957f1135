import Testing

@testable import sluice_cli

@Suite(.needsProgram)
struct ProgramTests {
  @Test func `version is the name and a number`() throws {
    let run = try BuiltProgram.run(["--version"])
    #expect(run.output == "sluice 0.1.0\n")
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test func `with -v the libraries are named, those inside and the system's`() throws {
    for words in [["--version", "-v"], ["-vV"]] {
      let run = try BuiltProgram.run(words)
      let lines = run.output.split(separator: "\n")
      #expect(lines.count == 3 && lines[0] == "sluice 0.1.0", "\(run.output)")
      #expect(lines[1].hasPrefix("inside the program: SQLite 3."))
      for name in ["zlib 1.", "libdeflate 1.", "libyaml 0.", "libcsv 3."] {
        #expect(lines[1].contains(name), "\(run.output)")
      }
      #expect(lines[2].hasPrefix("of the system, for URLs: libcurl/"))
      #expect(run.code == 0)
    }
  }

  @Test func `a usage error is one line on standard error and exit 64`() throws {
    let run = try BuiltProgram.run(["convert", "--fomat", "csv"])
    #expect(run.code == 64)
    #expect(run.output == "")
    #expect(run.errors == "sluice: error: unknown option --fomat; did you mean --format?\n")
  }

  @Test func `messages speak Russian where the locale does, the prefix never`() throws {
    let run = try BuiltProgram.run([], environment: ["LANG": "ru_RU.UTF-8"])
    #expect(run.errors == "sluice: error: не указана команда; справка: 'sluice --help'\n")
    #expect(run.code == 64)
  }

  @Test func `help of every command goes to standard output`() throws {
    for command in Command.all {
      let run = try BuiltProgram.run([command.name, "--help"])
      #expect(run.output == Help.command(command, .en))
      #expect(run.errors == "" && run.code == 0)
    }
  }

  @Test func `help into a closed pipe is done`() throws {
    let run = try BuiltProgram.shell(
      "{ sleep 0.2; sluice convert --help; echo $? >&2; } | true")
    #expect(run.errors == "0\n")
  }

  @Test func `help onto a full disk is an error`() throws {
    let run = try BuiltProgram.shell("sluice --help > /dev/full")
    #expect(run.code == 74)
    #expect(
      run.errors
        == "sluice: error: cannot write to standard output: no space left on the device\n")
  }

  @Test func `closed descriptors are errors, not crashes`() throws {
    let run = try BuiltProgram.shell("sluice --help >&-")
    #expect(run.code == 74)
    #expect(run.errors == "sluice: error: cannot write to standard output: it is closed\n")
    #expect(try BuiltProgram.shell("sluice --nope 2>&- <&-").code == 64)
  }

  @Test func `a word that is not UTF-8 is refused`() throws {
    let run = try BuiltProgram.shell("sluice convert $'\\xff.json'")
    #expect(run.code == 64)
    #expect(run.errors == "sluice: error: argument 2 is not valid UTF-8; give it in UTF-8\n")
  }

  @Test func `colour needs a terminal and no NO_COLOR`() throws {
    let red = "sluice: \u{1B}[1;31merror:\u{1B}[0m no command"
    let command = "script -qec sluice /dev/null"
    guard try BuiltProgram.shell("command -v script").code == 0 else { return }
    let coloured = try BuiltProgram.shell(command, environment: ["TERM": "xterm"])
    #expect(coloured.output.hasPrefix(red))
    let plain = try BuiltProgram.shell(command, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(plain.output.hasPrefix("sluice: error: no command"))
    let dumb = try BuiltProgram.shell(command, environment: ["TERM": "dumb"])
    #expect(dumb.output.hasPrefix("sluice: error: no command"))
  }
}
