/// Tells an event of a calendar from all others: its address's events are numbered within the year
/// in which they first started.
struct EventIdentity: Equatable {
  var year: Int
  /// From 1.
  var number: Int

  /// Appends the UID (RFC 5545, section 3.8.4.7): `c848c36e7b2fe71a-2020-1@hot-water.sluice`.
  ///
  /// `address` is the address's number as text, `domain` is ``domain(of:)``.
  func appendUID(address: UnsafeRawBufferPointer, domain: String, to buffer: inout ByteBuffer) {
    appendNumbers(address: address, to: &buffer)
    buffer.append(string: domain)
  }

  /// Appends what stands before the domain in the UID.
  func appendNumbers(address: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    buffer.append(address)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(decimal: year)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(decimal: number)
  }

  /// What stands behind the number in the UIDs of a feed's events.
  static func domain(of feed: Feed) -> String { "@\(feed.name).sluice" }
}

/// Says how often and when an event was last changed.
struct EventRevision: Equatable {
  /// How often its days or its status changed since it was first published.
  var sequence = 0
  /// When it last changed, in seconds since 1970.
  var stamp: Int
  /// It was published and does not take place.
  var isCancelled = false
}

extension ByteBuffer {
  /// Appends a number that is not negative, in decimal digits.
  mutating func append(decimal value: Int) {
    var width = 1
    var bound = 10
    while width < 19, value >= bound {
      width += 1
      bound = bound &* 10
    }
    let first = end(withRoom: width)
    var rest = UInt(value)
    for index in (0..<width).reversed() {
      first[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    commit(width)
  }
}
