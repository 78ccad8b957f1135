import Glibc

/// Two pages of memory in front of one that traps.
final class Fence {
  let size = 2 * Int(getpagesize())
  let memory: UnsafeMutablePointer<UInt8>
  let end: UnsafeMutablePointer<UInt8>

  init() {
    let page = Int(getpagesize())
    let all = mmap(
      nil, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let all, all != MAP_FAILED, mprotect(all + size, page, PROT_NONE) == 0 else {
      fatalError("no memory to test with")
    }
    memory = all.assumingMemoryBound(to: UInt8.self)
    end = memory + size
  }

  deinit { munmap(memory, size + Int(getpagesize())) }

  /// Puts bytes so that `room` more can be read behind them, and nothing after that.
  @discardableResult
  func place(_ bytes: [UInt8], room: Int = 0) -> UnsafeMutablePointer<UInt8> {
    let start = end - room - bytes.count
    start.update(from: bytes, count: bytes.count)
    return start
  }
}
