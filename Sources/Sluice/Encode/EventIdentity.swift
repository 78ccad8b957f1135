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
    buffer.append(address)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(decimal: year)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(decimal: number)
    buffer.append(string: domain)
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
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
      var index = 20
      var rest = value
      repeat {
        index -= 1
        digits[index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      append(UnsafeRawBufferPointer(rebasing: digits[index...]))
    }
  }
}
