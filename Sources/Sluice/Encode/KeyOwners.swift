/// Remembers to which address each number belongs: to the first one that had it.
///
/// It takes 20 to 30 bytes for each number.
package struct KeyOwners: ~Copyable {
  private var owners = PairTable(capacity: 1 << 10)

  package init() {}

  /// Returns whether the number belongs to the address with this check. If it belongs to nobody yet,
  /// it does from now on. A check of 0 was not computed, and passes.
  @inline(__always)
  package mutating func claims(_ number: UInt64, _ check: UInt64) -> Bool {
    guard check != 0 else { return true }
    return owners.find(number, check, mask: 0).entry.pointee.value == check
  }

  /// Prefetches the place of a number.
  @inline(__always)
  func expect(_ number: UInt64) { owners.expect(number, 0, mask: 0) }
}
