import Foundation
import Testing

extension EndToEnd {
  /// Everything before the archive: the form of the input, the envelope, base64.
  @Suite struct BrokenEnvelopeTests {
    /// A broken input and how it is refused.
    struct Case: CustomTestStringConvertible, Sendable {
      let name: String
      let input: [UInt8]
      /// What follows `sluice: error: `.
      let start: String
      /// What else the line says.
      var says: [String] = []
      var code: Int32 = 65

      var testDescription: String { name }

      init(
        _ name: String, _ input: some Sequence<UInt8>, _ start: String, says: [String] = [],
        code: Int32 = 65
      ) {
        (self.name, self.input, self.start) = (name, Array(input), start)
        (self.says, self.code) = (says, code)
      }
    }

    @Test(arguments: forms + envelopes + base64)
    func `what is no feed is refused by name and place`(_ broken: Case) throws {
      let old = try OldOutputs(in: try Scratch())
      let input = try old.folder.write("input", broken.input)
      let run = try BuiltProgram.run(["convert", input] + old.options)
      run.expectFailure(broken.code, broken.start)
      for text in broken.says {
        #expect(run.errors.contains(text), "\(run.errors) does not say \(text)")
      }
      old.expectUntouched()
      // By pipe, as it comes.
      let piped = try BuiltProgram.shell(
        "cat \(input) | sluice convert - \(old.options.joined(separator: " "))")
      #expect(piped.errors == run.errors)
      #expect(piped.code == run.code)
      old.expectUntouched()
    }

    private static let forms: [Case] = [
      Case("nothing", [], "source: byte 0: "),
      Case("white space alone", " \n\t ".utf8, "source: byte 0: "),
      Case("HTML", "<!DOCTYPE html><html>\u{1B}[31m503".utf8, "source: byte 0: ", says: ["HTML"]),
      Case("XML", "<?xml version='1.0'?><a/>".utf8, "source: byte 0: ", says: ["XML"]),
      Case("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], "source: byte 0: ", says: ["gzip"]),
      Case("rar", "Rar!\u{1A}\u{7}\u{0}".utf8, "source: byte 0: ", says: ["rar"]),
      Case("7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "source: byte 0: ", says: ["7z"]),
      Case("UTF-16", [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], "source: byte 0: ", says: ["UTF-16"]),
      Case("binary", (0...255).map { UInt8(255 - $0) }, "source: byte 0: "),
      Case("NUL bytes", [UInt8](repeating: 0, count: 4096), "source: byte 0: ", says: ["00 00"]),
      Case("plain words", "there is no data today\r\n".utf8, "source: byte 0: "),
    ]

    private static func answer(_ classifiers: String) -> String.UTF8View {
      "{\"status\":\"result\",\"responseData\":{\"classifiers\":\(classifiers)}}".utf8
    }

    /// Where `text` begins in `whole`.
    private static func place(of text: String, in whole: String.UTF8View) -> Int {
      let text = Array(text.utf8), whole = Array(whole)
      return (0..<whole.count).first { whole[$0...].starts(with: text) } ?? -1
    }

    private static let envelopes: [Case] = [
      Case(
        "a refusal", "{\"status\":\"error\",\"message\":\"\\u001b[2J\"}".utf8, "source: byte 10: ",
        says: ["error"], code: 69),
      Case(
        "a refusal with control characters", "{\"status\":\"no \\u001b[2J\\nthanks\"}".utf8,
        "source: byte 10: ", says: [#"no \u001b[2J\nthanks"#], code: 69),
      Case(
        "no status", "{\"responseData\":{}}".utf8, "envelope: ", says: ["status", "responseData"]),
      Case("status null", "{\"status\":null}".utf8, "envelope: byte 10: ", says: ["status"]),
      Case(
        "status twice", "{\"status\":\"result\",\"status\":\"result\"}".utf8, "envelope: byte 28: ",
        says: ["status"]),
      Case(
        "no responseData", "{\"status\":\"result\",\"data\":[]}".utf8, "envelope: ",
        says: ["responseData", "data"]),
      Case(
        "responseData null", "{\"status\":\"result\",\"responseData\":null}".utf8, "envelope: ",
        says: ["responseData", "null instead of an object"]),
      Case(
        "no classifiers", "{\"status\":\"result\",\"responseData\":{\"classifier\":4}}".utf8,
        "envelope: ", says: ["classifiers", "classifier"]),
      Case("no classifier at all", answer("[]"), "envelope: "),
      Case(
        "the classifier is absent", answer("[{\"classifierId\":3,\"file\":\"UEs=\"}]"),
        "envelope: ",
        says: ["classifierId", "4", "3"]),
      Case(
        "the classifier has no id", answer("[{\"id\":4,\"file\":\"UEs=\"}]"), "envelope: ",
        says: ["classifierId", "file"]),
      Case(
        "no file", answer("[{\"classifierId\":4,\"files\":\"\",\"version\":\"26\"}]"), "envelope: ",
        says: ["file", "files", "version"]),
      Case(
        "file null", answer("[{\"classifierId\":4,\"file\":null}]"),
        "envelope: byte \(place(of: "null", in: answer("[{\"classifierId\":4,\"file\":null}]"))): ",
        says: ["file"]),
      Case(
        "file is an object", answer("[{\"file\":{\"url\":\"x\"},\"classifierId\":4}]"),
        "envelope: byte ", says: ["file"]),
      Case(
        "file twice", answer("[{\"classifierId\":4,\"file\":\"W10=\",\"file\":\"W10=\"}]"),
        "envelope: byte ", says: ["file"]),
      Case(
        "the id twice", answer("[{\"classifierId\":3,\"classifierId\":4,\"file\":\"W10=\"}]"),
        "envelope: byte ", says: ["classifierId"]),
      Case(
        "classifier 4 twice",
        answer("[{\"classifierId\":4,\"file\":\"W10=\"},{\"classifierId\":4,\"file\":\"W10=\"}]"),
        "envelope: byte ", says: ["classifierId", "4"]),
      Case(
        "the envelope is cut",
        Array(answer("[{\"classifierId\":4,\"file\":\"W10=\"}]").dropLast(3)),
        "envelope: byte \(answer("[{\"classifierId\":4,\"file\":\"W10=\"}]").count - 3): "),
      Case(
        "something follows", Array(answer("[]")) + [0x31], "envelope: byte \(answer("[]").count): "),
    ]

    private static func text(_ text: String) -> [UInt8] { Array(SmallFeed.envelope(text).utf8) }

    /// Base64 of `[]` is `W10=`, of `[ ]` is `WyBd`.
    private static let base64: [Case] = [
      Case("no text", text(""), "base64: byte 0: "),
      Case("white space", text(" \\r\\n"), "base64: byte 3: "),
      Case("the URL alphabet", text("W1-_"), "base64: byte 2: ", says: ["-"]),
      Case("a foreign character", text("W10\\u0000"), "base64: byte 3: "),
      Case("a foreign letter", text("WyBdЖ"), "base64: byte 4: "),
      Case("no padding", text("W10"), "base64: byte 3: "),
      Case("a lone character", text("WyBdW"), "base64: byte 5: "),
      Case("early padding", text("W==="), "base64: byte 1: "),
      Case("excess padding", text("WyBd="), "base64: byte 4: "),
      Case("padding twice", text("W10=="), "base64: byte 4: "),
      Case("pad bits", text("W11="), "base64: byte 2: "),
      Case("data after padding", text("W10=WyBd"), "base64: byte 4: "),
      Case("base64 of HTML", text("PGh0bWw+"), "unzip: byte 0: ", says: ["HTML"]),
      Case("base64 of gzip", text("H4sIAAAAAAAAAw=="), "unzip: byte 0: ", says: ["gzip"]),
      Case("bare text", "UEsDBB-_".utf8, "base64: byte 6: "),
      Case("bare text, cut", "UEsDB".utf8, "base64: byte 5: "),
    ]

    @Test func `JSON may escape the text and white space may stand anywhere in it`() throws {
      let json = SmallFeed.list([SmallFeed.record(more: ",\"x\":\"???>>>???>>>\"")])
      let plain = Data(json.utf8).base64EncodedString()
      #expect(plain.contains("/") && plain.contains("+"))
      var escaped = ""
      for (index, character) in plain.enumerated() {
        escaped += ["", "\\r\\n", " ", "\\t", "\\u000a"][index % 5]
        switch character {
        case "/": escaped += "\\/"
        case "+": escaped += "\\u002b"
        case "=": escaped += "\\u003D"
        default: escaped.append(character)
        }
      }
      let folder = try Scratch()
      let one = try BuiltProgram.run(["convert", try folder.write("1", json)])
      let two = try BuiltProgram.run([
        "convert", try folder.write("2", SmallFeed.envelope(escaped)),
      ])
      let three = try BuiltProgram.run([
        "convert", try folder.write("3", SmallFeed.envelope(plain)),
      ])
      #expect(one.bytes.count > 100 && one.bytes == two.bytes && one.bytes == three.bytes)
      #expect(one.code == 0 && two.code == 0 && two.errors == "")
    }
  }
}
