import Glibc
import Testing

/// Runs one program, with its output caught and a limit to its time: a hang is a failure.
///
/// It starts without Foundation, whose wait can miss the end of a child; in a process group of its
/// own, so that nothing it started outlives a test.
final class Child {
  /// What a child reads.
  enum Source {
    case nothing
    case bytes([UInt8])
    /// A pipe, open until ``closeInput()``.
    case pipe
  }

  let pid: pid_t
  private let words: [String]
  private var input: Int32 = -1
  private var pipes: [Int32]
  private var caught: [[UInt8]] = [[], []]
  private let deadline: ContinuousClock.Instant
  private var isOver = false

  /// Starts a program found along PATH.
  init(
    _ words: [String], environment: [String: String], reading source: Source = .nothing,
    in folder: String? = nil, limit: Duration = .seconds(60)
  ) throws {
    self.words = words
    deadline = .now + limit
    let (output, errors) = (try Self.makePipe(), try Self.makePipe())
    var standardInput: Int32
    switch source {
    case .nothing: standardInput = open("/dev/null", O_RDONLY | O_CLOEXEC)
    case .bytes(let bytes):
      let name = "/tmp/sluice-input-\(UInt64.random(in: 0 ... .max))"
      standardInput = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      unlink(name)
      var done = 0
      while done < bytes.count {
        done += bytes[done...].withUnsafeBytes { write(standardInput, $0.baseAddress, $0.count) }
      }
      lseek(standardInput, 0, SEEK_SET)
    case .pipe:
      let ends = try Self.makePipe()
      (standardInput, input) = (ends.read, ends.write)
    }
    defer { for end in [standardInput, output.write, errors.write] { close(end) } }
    pipes = [output.read, errors.read]

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
    posix_spawn_file_actions_adddup2(&actions, output.write, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ, SIGTERM, SIGINT, SIGHUP, SIGQUIT] {
      sigaddset(&signals, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let mover = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
    let arguments = (mover + words).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid = pid_t()
    let code = posix_spawnp(
      &pid, mover.first ?? words[0], &actions, &attributes, arguments, variables)
    self.pid = pid
    guard code == 0 else {
      isOver = true
      throw SetUpFailure(what: "cannot start \(words[0])", errno: code)
    }
  }

  deinit {
    if !isOver {
      kill(-pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    for end in pipes + [input] where end >= 0 { close(end) }
  }

  /// Sends a signal to the child alone.
  func send(_ signal: Int32) { kill(pid, signal) }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Waits for the first line of the child's output.
  func firstLine() -> String? {
    while true {
      if let end = caught[0].firstIndex(of: UInt8(ascii: "\n")) {
        return String(decoding: caught[0][..<end], as: UTF8.self)
      }
      guard catchSome() else { return nil }
    }
  }

  /// Waits for the child's end and for that of all its output.
  func wait() -> Run {
    while catchSome() {}
    var status: Int32 = 0
    while waitpid(pid, &status, WNOHANG) == 0 {
      if ContinuousClock.now > deadline { break }
      usleep(500)
    }
    if ContinuousClock.now > deadline {
      kill(-pid, SIGKILL)
      waitpid(pid, &status, 0)
      Issue.record("this hung: \(words.joined(separator: " "))")
    }
    isOver = true
    return Run(
      code: status & 0x7F == 0 ? status >> 8 & 0xFF : -1, signal: status & 0x7F,
      bytes: Bytes(caught[0]), errors: String(decoding: caught[1], as: UTF8.self))
  }

  /// Takes what there is to read; false at the end of both pipes and at the end of the time.
  private func catchSome() -> Bool {
    var polled = pipes.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard pipes.contains(where: { $0 >= 0 }), ContinuousClock.now < deadline else { return false }
    poll(&polled, 2, 100)
    for index in pipes.indices where polled[index].revents != 0 {
      let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { piece in
        let count = read(pipes[index], piece.baseAddress, piece.count)
        if count > 0 { caught[index].append(contentsOf: piece.prefix(count)) }
        return count
      }
      if count > 0 || count < 0 && errno == EINTR { continue }
      close(pipes[index])
      pipes[index] = -1
    }
    return true
  }

  /// In one step, so that no child started at the same time inherits an end; `Glibc` hides it.
  private typealias Pipe2 = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32

  private static func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard let pipe2 = dlsym(nil, "pipe2").map({ unsafeBitCast($0, to: Pipe2.self) }),
      pipe2(&ends, O_CLOEXEC) == 0
    else { throw SetUpFailure(what: "pipe", errno: errno) }
    return (ends[0], ends[1])
  }
}
