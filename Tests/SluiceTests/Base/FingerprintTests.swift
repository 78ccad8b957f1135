import Testing

@testable import Sluice

@Suite struct FingerprintTests {
  private func fingerprint(_ pieces: String...) -> Fingerprint {
    pieces.reduce(into: Fingerprint()) { $0.add(Array($1.utf8).span.bytes) }
  }

  @Test func `it is the length, the CRC-32 and the FNV-1a hash`() {
    // Check values of the two functions: "123456789" and the test vector of the FNV draft.
    #expect("\(fingerprint("123456789"))".hasPrefix("9-cbf43926-"))
    #expect("\(fingerprint("foobar"))".hasSuffix("-85944171f73967e8"))
    #expect("\(Fingerprint())" == "0-00000000-cbf29ce484222325")
  }

  @Test func `it does not depend on how the content is cut`() {
    #expect(fingerprint("foobar") == fingerprint("f", "", "oob", "ar"))
    #expect(fingerprint("foobar") != fingerprint("foobaR"))
    #expect(Fingerprint(of: "foobar") == fingerprint("foobar"))
  }
}
