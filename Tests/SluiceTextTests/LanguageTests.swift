import Testing
import Sluice

@testable import SluiceText
@testable import sluice_cli

@Suite struct LanguageTests {
  private func language(_ environment: [String: String]) -> Language {
    Language { environment[$0] }
  }

  @Test func `the first variable that is not empty decides`() {
    #expect(language([:]) == .en)
    #expect(language(["LANG": "ru_RU.UTF-8"]) == .ru)
    #expect(language(["LC_MESSAGES": "en_US", "LANG": "ru_RU.UTF-8"]) == .en)
    #expect(language(["LC_ALL": "C", "LC_MESSAGES": "ru_RU", "LANG": "ru_RU"]) == .en)
    #expect(language(["LC_ALL": "", "LC_MESSAGES": "", "LANG": "ru"]) == .ru)
  }

  @Test func `only Russian is Russian`() {
    #expect(language(["LANG": "ru"]) == .ru)
    #expect(language(["LANG": "ru_UA.KOI8-U"]) == .ru)
    #expect(language(["LANG": "rue_UA"]) == .en)
    #expect(language(["LANG": "de_DE"]) == .en)
    #expect(language(["LANG": "POSIX"]) == .en)
  }
}
