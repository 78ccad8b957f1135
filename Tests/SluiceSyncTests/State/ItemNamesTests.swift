import Foundation
import Testing

@testable import Sluice
@testable import SluiceSync

@Suite final class ItemNamesTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("sluice-items-\(UUID().uuidString)").path
  private let list = ItemList(name: "cities", item: "city", start: ["Минск", "Москва"])

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func names() throws -> ItemNames {
    let feed = try OwnFeed.read(OwnFeed.document("a: a"))
    return ItemNames(list, of: feed, in: folder)
  }

  private func write(_ text: [UInt8]) throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/own", withIntermediateDirectories: true)
    try Data(text).write(to: URL(fileURLWithPath: names().path))
  }

  @Test func `at first the list is the feed's own, and nothing is written`() throws {
    #expect(try names().read() == ["Минск", "Москва"])
    #expect(!FileManager.default.fileExists(atPath: folder))
    #expect(try names().path == "\(folder)/own/cities.txt")
  }

  @Test func `names are added at the end, one a line`() throws {
    #expect(try names().add("  Гродно \t и\u{A0}область ") == .added)
    #expect(try names().add("Брест") == .added)
    let text = try String(contentsOfFile: names().path, encoding: .utf8)
    #expect(text == "Минск\nМосква\nГродно и область\nБрест\n")
    #expect(try names().read().count == 4)
  }

  @Test(arguments: ["минск", " МИНСК ", "Минск"])
  func `a name that is there is not added`(_ name: String) throws {
    #expect(try names().add(name) == .isThere("Минск"))
    #expect(!FileManager.default.fileExists(atPath: try names().path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/own") == [])
  }

  @Test func `case and the letter yo make no other name`() throws {
    #expect(try names().add("Королёв") == .added)
    #expect(try names().add("КОРОЛЕВ") == .isThere("Королёв"))
    #expect(try names().remove("королев") == .removed)
    #expect(try names().read() == ["Минск", "Москва"])
  }

  @Test(arguments: ["", " ", "a\u{1B}b", "a\nb\u{0}", String(repeating: "я", count: 101)])
  func `what is no name is not added`(_ name: String) throws {
    #expect(try names().add(name) == .isNoName)
  }

  @Test func `the last name may be removed`() throws {
    #expect(try names().remove("москва") == .removed)
    #expect(try names().remove("Минск") == .removed)
    #expect(try names().read() == [])
    // An empty list is no reason to begin with the feed's own.
    #expect(try names().add("Брест") == .added)
    #expect(try names().read() == ["Брест"])
  }

  @Test func `an unknown name is not removed, and the nearest are told`() throws {
    #expect(try names().remove("Минсек") == .isMissing(nearest: ["Минск", "Москва"]))
    #expect(try names().read() == ["Минск", "Москва"])
  }

  @Test func `a file that was written by hand is read as it is meant`() throws {
    try write(Array("Минск\r\n\n  Брест \nминск\nГродно".utf8))
    #expect(try names().read() == ["Минск", "Брест", "Гродно"])
    #expect(try names().add("Пинск") == .added)
    #expect(try names().read() == ["Минск", "Брест", "Гродно", "Пинск"])
  }

  @Test func `a file that is no list is an error that names it, and stays`() throws {
    let path = try names().path
    for bytes in [[0xCC, 0xE8, 0x0A], Array("a\u{0}b\n".utf8), Array(repeating: 0x61, count: 300)] {
      try write(bytes)
      #expect(throws: PipelineError(sync: .badNames(path: path))) { try names().read() }
      #expect(throws: PipelineError(sync: .badNames(path: path))) { try names().add("b") }
      #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
    }
  }
}
