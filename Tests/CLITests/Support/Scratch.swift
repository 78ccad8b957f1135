import Foundation

/// Owns an empty folder for one test and removes it afterwards.
final class Scratch: Sendable {
  let path: String

  /// Where folders take no time, unless there is no such place: for tests of hundreds of runs,
  /// which wait longer for the disk than they run.
  static let memory = access("/dev/shm", R_OK | W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp"

  init(in place: String = "/tmp") throws {
    var template = Array("\(place)/sluice-e2e-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SetUpFailure(what: "mkdtemp", errno: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // So that runs as another user can come in.
    chmod(path, 0o755)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a name in the folder.
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  @discardableResult
  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
    return self(name)
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }

  /// The bytes of a file; nil where there is none.
  func bytes(_ name: String) -> Bytes? {
    FileManager.default.contents(atPath: self(name)).map { Bytes($0) }
  }

  /// The text of a file; empty where there is none.
  func text(_ name: String) -> String { bytes(name)?.text ?? "" }

  /// The names in the folder, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The names in a folder below it, sorted; none where there is no such folder.
  func entries(_ name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: self(name))) ?? []).sorted()
  }

  /// The temporary files in the folder.
  var temporaries: [String] { names.filter { $0.hasSuffix(".sluice-tmp") } }

  func folder(_ name: String) throws -> String {
    guard mkdir(self(name), 0o755) == 0 else { throw SetUpFailure(what: "mkdir", errno: errno) }
    return self(name)
  }

  func link(_ name: String, to target: String) throws {
    guard symlink(target, self(name)) == 0 else {
      throw SetUpFailure(what: "symlink", errno: errno)
    }
  }

  func pipe(_ name: String) throws -> String {
    guard mkfifo(self(name), 0o600) == 0 else { throw SetUpFailure(what: "mkfifo", errno: errno) }
    return self(name)
  }

  /// What the system knows of a file, links not followed; nil where there is none.
  func status(_ name: String) -> stat? {
    var status = stat()
    return lstat(self(name), &status) == 0 ? status : nil
  }

  /// Sets a file's time of last change, in seconds since 1970.
  func setTime(_ name: String, _ seconds: Int) {
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    utimensat(AT_FDCWD, self(name), [time, time], AT_SYMLINK_NOFOLLOW)
  }
}
