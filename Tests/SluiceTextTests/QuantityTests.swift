import Sluice
import Testing

@testable import SluiceText
@testable import sluice_cli

@Suite struct QuantityTests {
  @Test func `a Russian noun follows its count`() {
    let counts = [0, 1, 2, 4, 5, 11, 12, 14, 15, 21, 22, 25, 101, 111, 112, 1002, -1]
    let words = counts.map { Text.bytes($0).ru.split(separator: " ")[1] }
    #expect(
      words == [
        "байт", "байт", "байта", "байта", "байт", "байт", "байт", "байт", "байт", "байт", "байта",
        "байт", "байт", "байт", "байт", "байта", "байт",
      ])
    #expect(
      [1, 3, 7, 11, 61].map { Text.seconds($0).ru } == [
        "1 секунду", "3 секунды", "7 секунд", "11 секунд", "61 секунду",
      ])
    #expect(Text.bytes(UInt64.max).ru == "18446744073709551615 байт")
    #expect(Text.bytes(Int.min).ru == "-9223372036854775808 байт")
  }

  @Test func `an English noun follows its count`() {
    #expect([0, 1, 2].map { Text.bytes($0).en } == ["0 bytes", "1 byte", "2 bytes"])
  }

  @Test func `a limit is shown in the unit in which it is whole`() {
    let sizes = [0, 1, 1023, 1024, 1500, 1 << 20, 1536 << 10, 2 << 30, 1 << 40].map(Text.size)
    #expect(
      sizes.map(\.en) == [
        "0 bytes", "1 byte", "1023 bytes", "1 KiB", "1500 bytes", "1 MiB", "1536 KiB", "2 GiB",
        "1 TiB",
      ])
    #expect(Text.size(256 << 20).ru == "256 МиБ")
  }

  @Test func `a limit of rejects is shown as it is given`() {
    let limits: [Sluice.RejectLimit] = [
      .count(0), .count(50), .standard, .share(millionths: 5_000), .share(millionths: 123_450),
      .share(millionths: 10), .share(millionths: 0), .share(millionths: 1_000_000),
    ]
    #expect(
      limits.map(\.shown) == ["0", "50", "10%", "0.5%", "12.345%", "0.001%", "0%", "100%"])
  }
}
