import Foundation
import Testing

@testable import Sluice

/// Runs code on a thread with a network of its own, which has a public address too.
enum PrivateNetwork {
  /// An address that counts as public (RFC 5737 keeps it for examples).
  static let publicAddress = "203.0.113.7"
  /// A name that leads to 127.0.0.1.
  static let innerName = "inner.example"

  /// Whether the system allows one.
  static let isPossible = getuid() == 0 && FaultServer.find("ip") != nil && run { true } == true

  private final class Box<T>: @unchecked Sendable {
    var value: T?
    let done = DispatchSemaphore(value: 0)
  }

  /// Runs `body`; nil where the system does not allow a private network.
  static func run<T: Sendable>(_ body: @escaping @Sendable () -> T) -> T? {
    let box = Box<T>()
    Thread.detachNewThread {
      if enter() { box.value = body() }
      box.done.signal()
    }
    box.done.wait()
    return box.value
  }

  /// Only the calling thread, and what it starts, changes its network and its view of /etc/hosts.
  private static func enter() -> Bool {
    typealias Unshare = @convention(c) (CInt) -> CInt
    typealias Mount =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>?, CUnsignedLong,
        UnsafeRawPointer?
      ) -> CInt
    let newNetwork: CInt = 0x4000_0000
    let newMounts: CInt = 0x0002_0000
    let (bind, recursive, isolated): (CUnsignedLong, CUnsignedLong, CUnsignedLong) =
      (4096, 16384, 1 << 18)
    guard let unshareSymbol = dlsym(nil, "unshare"), let mountSymbol = dlsym(nil, "mount") else {
      return false
    }
    let unshare = unsafeBitCast(unshareSymbol, to: Unshare.self)
    let mount = unsafeBitCast(mountSymbol, to: Mount.self)
    let hosts = FileManager.default.temporaryDirectory
      .appendingPathComponent("sluice-hosts-\(UUID().uuidString)").path
    _ = FileManager.default.createFile(
      atPath: hosts, contents: Data("127.0.0.1 localhost \(innerName)\n".utf8))
    defer { unlink(hosts) }
    return unshare(newNetwork | newMounts) == 0
      && mount("none", "/", nil, recursive | isolated, nil) == 0
      && mount(hosts, "/etc/hosts", nil, bind, nil) == 0
      && ip("link", "set", "lo", "up")
      && ip("address", "add", publicAddress + "/32", "dev", "lo")
  }

  /// Runs the program `ip` from this very thread, whose network it inherits.
  private static func ip(_ arguments: String...) -> Bool {
    guard let program = FaultServer.find("ip")?.path else { return false }
    var texts = ([program] + arguments).map { strdup($0) }
    defer { texts.forEach { free($0) } }
    texts.append(nil)
    var child: pid_t = 0
    guard posix_spawn(&child, program, nil, nil, texts, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      if errno != EINTR { return false }
    }
    return status == 0
  }
}
