import Foundation
import Testing

/// Runs `house.py --check`: arrows between rooms and targets point down.
@Suite struct HouseTests {
  /// The folder of the repository.
  private static let checkout = (0..<3).reduce(URL(filePath: #filePath)) { path, _ in
    path.deletingLastPathComponent()
  }

  /// Checks a tree; returns whether it passed, and what was printed.
  private func check(_ tree: URL) throws -> (passed: Bool, output: String) {
    let script = Self.checkout.appending(path: "Tests/House/house.py").path
    // Foundation's processes take a minute to end when several run.
    let pipe = try #require(
      popen("PYTHONUTF8=1 exec python3 -B '\(script)' --check '\(tree.path)' 2>&1", "r"))
    var output: [UInt8] = []
    while case let byte = getc(pipe), byte != EOF { output.append(UInt8(byte)) }
    return (pclose(pipe) == 0, String(decoding: output, as: UTF8.self))
  }

  /// Checks a tree of these files, by their paths in `Sources`.
  private func check(_ files: [String: String]) throws -> (passed: Bool, output: String) {
    let tree = FileManager.default.temporaryDirectory.appending(path: "house-\(UUID())")
    defer { try? FileManager.default.removeItem(at: tree) }
    for (path, text) in files {
      let file = tree.appending(path: "Sources/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return try check(tree)
  }

  @Test func `every arrow of the tree points down, and no rooms form a cycle`() throws {
    let (passed, output) = try check(Self.checkout)
    #expect(passed, "\(output)")
  }

  @Test func `arrows down pass`() throws {
    let (passed, output) = try check([
      "Sluice/Base/Day.swift": "public struct Day {}\nfunc seconds(in text: String) {}\n",
      "Sluice/Feed/Feed.swift": "struct Feed { var day: Day }\nextension Day {}\n",
      "Sluice/Convert.swift": "func convert(_ feed: Feed) { seconds(in: \"\") }\n",
      "SluiceSync/Ledger/Ledger.swift": "import Sluice\nstruct Ledger { var day: Sluice.Day }\n",
      "sluice-cli/main.swift": "import Sluice\nimport SluiceSync\nlet ledger = Ledger()\n",
    ])
    #expect(passed, "\(output)")
  }

  @Test func `an arrow up between rooms is named with its file and type`() throws {
    let (passed, output) = try check([
      "Sluice/Base/Day.swift": "struct Day { let feed: [Feed] }\n",
      "Sluice/Feed/Feed.swift": "struct Feed {}\n",
    ])
    #expect(!passed)
    #expect(
      output == """
        arrow up: Base → Feed: Sources/Sluice/Base/Day.swift uses Feed of \
        Sources/Sluice/Feed/Feed.swift

        """)
  }

  @Test func `a cycle of three rooms is named with what makes it`() throws {
    let (passed, output) = try check([
      "Sluice/Base/Day.swift": "struct Day { func f() { opened(1) } }\n",
      "Sluice/Feed/Feed.swift": "typealias Field = Day\n",
      "Sluice/Sink/Files.swift": "extension Field {}\nfunc opened(_ number: Int) {}\n",
    ])
    #expect(!passed)
    #expect(
      output == """
        cycle: Base → Sink → Feed → Base
          Sources/Sluice/Base/Day.swift uses opened of Sources/Sluice/Sink/Files.swift
          Sources/Sluice/Sink/Files.swift uses Field of Sources/Sluice/Feed/Feed.swift
          Sources/Sluice/Feed/Feed.swift uses Day of Sources/Sluice/Base/Day.swift
        arrow up: Base → Sink: Sources/Sluice/Base/Day.swift uses opened of \
        Sources/Sluice/Sink/Files.swift

        """)
  }

  @Test(arguments: ["Sluice/Ledger/Ledger.swift", "SluiceSync/Ledger/Ledger.swift"])
  func `the engine must not know the ledger, wherever that is`(_ path: String) throws {
    let isApart = path.hasPrefix("SluiceSync")
    let (passed, output) = try check([
      path: "public struct Ledger {}\n",
      "Sluice/Convert.swift": (isApart ? "import SluiceSync\n" : "") + "let ledger: Ledger?\n",
    ])
    #expect(!passed)
    #expect(
      output.hasPrefix(
        "arrow up: Sluice → SluiceSync: Sources/Sluice/Convert.swift uses Ledger of Sources/\(path)"
      ))
    #expect(output.contains("imports it") == isApart)
  }

  @Test func `what only looks like a name of another room is none`() throws {
    let (passed, output) = try check([
      "Sluice/Base/Day.swift": #"""
      // Feed
      /* Feed /* Feed */ Feed */
      struct Day<Field> {
        let text = "Feed \"Feed\" \(Day.name) " + #"Feed \(Feed)"# + """
          Feed "Feed"
          """
        let kind: Field
        enum Table { case opened(Int) }
        let table = Table.opened(1), other: Kinds.Feed
      }
      private struct Kinds { struct Feed {} }
      """#,
      "Sluice/Feed/Feed.swift": """
      struct Feed {}
      struct Field {}
      private struct Day {}
      enum Table {}
      func opened(_ number: Int) {}
      """,
    ])
    #expect(passed, "\(output)")
  }

  @Test func `code in texts is read, and a new room needs a place in the order`() throws {
    let (passed, output) = try check([
      "Sluice/Base/Day.swift": ##"let text = "\(name(Feed("a")))" + #"\#(Field.b)"#"##,
      "Sluice/Feed/Feed.swift": "struct Feed {}\nenum Field {}\n",
      "Sluice/Attic/Box.swift": "struct Box {}\n",
    ])
    #expect(!passed)
    #expect(output.hasPrefix("without a place in the order: Attic\n"))
    #expect(output.contains("Day.swift uses Feed of"))
    #expect(output.contains("Day.swift uses Field of"))
  }
}
