import Foundation
import Testing

@testable import Sluice

private let absent: Comment = "../shared/corpora is not there: third-party JSON is not read"

/// Judges texts that other projects judge their readers by, at every piece size.
@Suite struct ThirdPartyJSONTests {
  private static let checker = "nativejson-benchmark/jsonchecker"
  private static let roundtrip = "nativejson-benchmark/roundtrip"
  private static let yajl = "yajl/parsing/cases"

  private func names(_ set: String, _ suffix: String = ".json") throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: Corpora.root.appending(path: set).path
    ).filter { $0.hasSuffix(suffix) }.sorted()
  }

  /// The verdict on a file, the same at every piece size.
  private func verdict(_ path: String) throws -> PipelineError? {
    let text = try Corpora.bytes(path)
    let whole = Tokenizing.verdict(text)
    for length in 1...31 {
      #expect(Tokenizing.verdict(text, .pieces(of: length)) == whole, "\(path)")
    }
    return whole
  }

  @Test(.enabled(if: Corpora.has(checker), absent))
  func `JSON_checker's texts pass and fail as they should`() throws {
    // Two are excluded upstream: RFC 8259 has documents that are no containers, and no limit of
    // 19 to their depth.
    let excluded = ["fail01_EXCLUDE.json", "fail18_EXCLUDE.json"]
    let names = try names(Self.checker)
    #expect(names.count == 36)
    for name in names {
      let isValid = name.hasPrefix("pass") || excluded.contains(name)
      #expect((try verdict(Self.checker + "/" + name) == nil) == isValid, "\(name)")
    }
  }

  @Test(.enabled(if: Corpora.has(roundtrip), absent))
  func `texts that others write back unchanged pass, numbers as written`() throws {
    let names = try names(Self.roundtrip)
    #expect(names.count == 27)
    for name in names {
      let path = Self.roundtrip + "/" + name
      #expect(try verdict(path) == nil, "\(name)")
      // They have no white space, and in strings no escapes: the tokens are the text.
      let text = try Corpora.bytes(path)
      let written = Tokenizing.tokens(text).tokens.filter { $0.kind == .number }
      for token in written {
        #expect(text[token.offset...].starts(with: token.text), "\(name)")
      }
    }
  }

  /// YAJL's cases that are no JSON texts of RFC 8259, with their faults; all others are.
  ///
  /// `ac_` are read with comments allowed, `ag_` with trailing garbage, `am_` with several values,
  /// `ap_` with partial ones: extensions that `.gold` shows at work. Its integers overflow where
  /// RFC 8259 knows no limit, and it replaces lone surrogates. `deep_arrays` is JSON, but deeper
  /// than the tokenizer goes.
  private static let wrong: [String: JSONFault] = [
    "ac_difficult_json_c_test_case_with_comments": .unexpected(0x2F),
    "ac_simple_with_comments": .unexpected(0x2F),
    "ag_false_then_garbage": .trailing(0x78),
    "ag_null_then_garbage": .trailing(0x78),
    "ag_true_then_garbage": .trailing(0x78),
    "am_eof": .truncated,
    "am_integers": .trailing(0x32),
    "am_multiple": .trailing(0x7B),
    "am_stuff": .trailing(0x5B),
    "ap_array_open": .truncated,
    "ap_eof_str": .truncated,
    "ap_map_open": .truncated,
    "ap_partial_ok": .truncated,
    "array_close": .unexpected(0x5D),
    "bogus_char": .literal,
    "deep_arrays": .tooDeep(limit: 512),
    "fg_false_then_garbage": .trailing(0x78),
    "fg_issue_7": .trailing(0x2D),
    "fg_null_then_garbage": .trailing(0x78),
    "fg_true_then_garbage": .trailing(0x78),
    "invalid_utf8": .notUTF8,
    "isolated_surrogate_marker": .loneSurrogate,
    "leading_zero_in_number": .unexpected(0x31),
    "lonely_minus_sign": .number,
    "map_close": .unexpected(0x7D),
    "missing_integer_after_decimal_point": .number,
    "missing_integer_after_exponent": .number,
    "multiple": .trailing(0x7B),
    "non_utf8_char_in_string": .notUTF8,
    "np_partial_bad": .truncated,
    "simple_with_comments": .unexpected(0x2F),
    "string_invalid_escape": .escape(0x73),
    "string_invalid_hex_char": .escape(0x2F),
    "string_with_invalid_newline": .control(0x0A),
  ]

  @Test(.enabled(if: Corpora.has(yajl), absent))
  func `YAJL's texts pass and fail by RFC 8259`() throws {
    let names = try names(Self.yajl).map { String($0.dropLast(".json".count)) }
    #expect(names.count == 58)
    #expect(Self.wrong.keys.allSatisfy(names.contains))
    for name in names {
      let fault = try verdict(Self.yajl + "/" + name + ".json")?.fault
      #expect(fault == Self.wrong[name].map { Fault.json($0) }, "\(name)")
    }
  }

  @Test(.enabled(if: Corpora.has(yajl), absent))
  func `YAJL and the tokenizer read the same strings`() throws {
    for name in try names(Self.yajl) where Self.wrong[String(name.dropLast(5))] == nil {
      let path = Self.yajl + "/" + name
      let gold = try Corpora.bytes(path + ".gold")
      let outcome = Tokenizing.tokens(try Corpora.bytes(path))
      var rest = gold[...]
      for token in outcome.tokens where token.kind == .string || token.kind == .key {
        let label = token.kind == .key ? "key: '" : "string: '"
        let line = Array(label.utf8) + token.text + Array("'\n".utf8)
        let found = rest.indices.first { rest[$0...].starts(with: line) }
        #expect(found != nil, "\(name): \(token)")
        rest = rest.dropFirst(found.map { $0 - rest.startIndex + line.count } ?? 0)
      }
    }
  }
}
