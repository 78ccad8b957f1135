import Glibc
import Synchronization
import Testing

@testable import sluice_cli

@Suite struct ProgressRendererTests {
  /// A terminal that nobody sees: what is written to `screen` can be read from `program`.
  private final class PseudoTerminal {
    let program: Int32
    let screen: Int32

    init?() {
      // What posix_openpt(3), unlockpt(3) and ptsname(3) do; Glibc's module lacks them.
      let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
      let getNumber: UInt = 0x8004_5430  // TIOCGPTN
      var isLocked: Int32 = 0
      var number: Int32 = 0
      program = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      guard program >= 0, ioctl(program, unlock, &isLocked) == 0,
        ioctl(program, getNumber, &number) == 0
      else { return nil }
      screen = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    }

    deinit {
      close(program)
      close(screen)
    }
  }

  @Test func `the line is drawn on a terminal and cleared at the end`() throws {
    let terminal = try #require(PseudoTerminal())
    let console = Console(language: .en, output: Descriptor(number: terminal.screen)) { _ in nil }
    let isRead = Mutex(false)
    withProgress(
      on: console, isAllowed: true,
      read: {
        isRead.withLock { $0 = true }
        return ProgressState(bytesRead: 1_000_000, totalBytes: nil, records: 12)
      },
      {
        while !isRead.withLock({ $0 }) { usleep(1000) }
      })
    // The kernel hands over what was written in its own time, in pieces.
    var shown = ""
    var isReadable = pollfd(fd: terminal.program, events: Int16(POLLIN), revents: 0)
    while !shown.hasSuffix("\r\u{1B}[K"), poll(&isReadable, 1, 5000) == 1 {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(terminal.program, &bytes, bytes.count)
      shown += String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
    #expect(shown.hasPrefix("\rsluice: 1.0 MB, records: 12\u{1B}[K"))
    #expect(shown.hasSuffix("\r\u{1B}[K"))
  }

  @Test func `work of no length draws nothing, and its error arrives`() throws {
    let terminal = try #require(PseudoTerminal())
    let console = Console(language: .en, output: Descriptor(number: terminal.screen)) { _ in nil }
    #expect(throws: UsageError.noCommand) {
      try withProgress(
        on: console, isAllowed: true,
        read: { ProgressState(bytesRead: 0, totalBytes: nil, records: 0) },
        { () throws(UsageError) in throw .noCommand })
    }
    var isReadable = pollfd(fd: terminal.program, events: Int16(POLLIN), revents: 0)
    #expect(poll(&isReadable, 1, 0) == 0)
  }
}
