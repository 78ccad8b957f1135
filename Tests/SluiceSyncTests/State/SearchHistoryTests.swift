import Foundation
import Testing

@testable import Sluice
@testable import SluiceSync

/// Searches are remembered: the last first, each once, and only so many.
@Suite struct SearchHistoryTests {
  private let folder: ScratchFolder
  private let history: SearchHistory

  init() throws {
    folder = try ScratchFolder()
    try FeedFolder(of: "photos", in: folder.path).make()
    history = SearchHistory(FeedFolder(of: "photos", in: folder.path))
  }

  @Test func `the last comes first, and a term stands there once`() throws {
    #expect(try history.read() == [])
    for (at, term) in ["a", "b\n\"c\"", "a"].enumerated() {
      try history.note(PastSearch(term: term, at: at))
    }
    #expect(
      try history.read() == [PastSearch(term: "a", at: 2), PastSearch(term: "b\n\"c\"", at: 1)])
    #expect(try searchedFeeds(state: folder.path) == ["photos"])
    try history.clear()
    try history.clear()
    #expect(try history.read() == [] && searchedFeeds(state: folder.path) == [])
  }

  @Test func `the oldest are forgotten`() throws {
    for at in 0...SearchHistory.most { try history.note(PastSearch(term: "\(at)", at: at)) }
    let past = try history.read()
    #expect(past.count == SearchHistory.most && past.last?.term == "1")
  }

  @Test func `a line that is damaged is left out`() throws {
    try history.note(PastSearch(term: "a", at: 1))
    let path = folder("photos/searches")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try ("{\"at\":\n[]\n{\"term\":\"x\"}\n" + text).write(
      toFile: path, atomically: true, encoding: .utf8)
    #expect(try history.read() == [PastSearch(term: "a", at: 1)])
  }
}
