import Testing

@testable import Sluice

@Suite struct ResponseHeadTests {
  private func head(_ lines: String...) -> ResponseHead {
    var head = ResponseHead()
    for line in lines { head.take(Array((line + "\r\n").utf8).span.bytes) }
    return head
  }

  @Test func `status, Location and Content-Encoding are kept`() {
    let head = head("HTTP/1.1 302 Found", "LOCATION:  /x y \t", "Content-encoding: br", "")
    #expect(head.status == 302)
    #expect(head.location == Array("/x y".utf8))
    #expect(head.contentEncoding == "br")
    #expect(head.isComplete)
  }

  @Test func `an interim response leaves nothing behind`() {
    let head = head("HTTP/1.1 103 Early", "Location: /x", "Content-Encoding: br", "")
    #expect(head.isComplete == false)
    var next = head
    next.take(Array("HTTP/2 200\r\n".utf8).span.bytes)
    #expect(next.status == 200)
    #expect(next.location == nil)
    #expect(next.contentEncoding == nil)
  }

  @Test func `identity and nothing are no coding, and one among several is`() {
    #expect(head("HTTP/1.1 200 OK", "Content-Encoding: IDENTITY").contentEncoding == nil)
    #expect(head("HTTP/1.1 200 OK", "Content-Encoding:").contentEncoding == nil)
    #expect(
      head("HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Encoding: identity")
        .contentEncoding == "gzip")
    #expect(
      head("HTTP/1.1 200 OK", "Content-Encoding: identity, gzip").contentEncoding
        == "identity, gzip")
  }

  @Test(
    arguments: [
      (["Content-Length: 20", "Content-Length: 12"], "20, 12"),
      (["Content-Length: 20, 12"], "20, 12"), (["Content-Length: 12x"], "12x"),
      (["Content-Length: -1"], "-1"), (["Content-Length: +5"], "+5"), (["Content-Length:"], ""),
      (["Content-Length: 99999999999999999999999"], "99999999999999999999999"),
      (["Content-Length : 5"], "5"), (["Content-Length: 5,"], "5,"),
      (["Content-Length: 5 5"], "5 5"),
      (["Content-Length: 0x10"], "0x10"), (["Content-Length: 5", "Content-Length: x"], "5, x"),
    ] as [([String], String)])
  func `a length that is not one number is a fault`(lines: [String], text: String) {
    var head = head("HTTP/1.1 200 OK")
    for line in lines { head.take(Array((line + "\r\n").utf8).span.bytes) }
    #expect(head.framingFault == .contentLength(text))
    #expect(head.framingFault?.class == .badAnswer)
  }

  @Test(arguments: [
    "gzip", "gzip, chunked", "chunked, gzip", "chunked, chunked", "deflate", "chunked;q=1", "x",
    "Chunked , br",
  ])
  func `a transfer coding other than chunked is a fault`(coding: String) {
    let head = head("HTTP/1.1 200 OK", "Transfer-Encoding: \(coding)")
    #expect(head.framingFault == .transferCoding(coding))
  }

  @Test func `a body without a length and without chunks ends with the connection`() {
    for lines in [
      ["Content-Length: 20"], ["content-length: 20 ", "Content-Length: 20"],
      ["Content-Length: 20, 20"], ["Transfer-Encoding: CHUNKED"],
      ["Transfer-Encoding: identity, chunked"], ["Content-Length: 0"],
    ] {
      var head = head("HTTP/1.1 200 OK")
      for line in lines { head.take(Array((line + "\r\n").utf8).span.bytes) }
      #expect(head.framingFault == nil && head.hasLength, "\(lines)")
    }
    #expect(head("HTTP/1.1 200 OK", "Transfer-Encoding: identity").hasLength == false)
    #expect(head("HTTP/1.1 200 OK", "Transfer-Encoding:").framingFault == nil)
    #expect(head("HTTP/1.1 200 OK").hasLength == false)
  }

  @Test func `a status line that is none has status 0`() {
    #expect(head("HTTP/1.1 abc").status == 0)
    #expect(head("HTTP/1.1").status == 0)
    #expect(head("X", "").isComplete == false)
  }

  @Test func `a link of any bytes and any length is kept`() {
    var head = head("HTTP/1.1 200 OK", "Link: <first>; rel=prev")
    head.take((Array("Link: <n?q=".utf8) + [0xE9] + Array(">; rel=next\r\n".utf8)).span.bytes)
    #expect(head.next == "n?q=%E9")
    let long = String(repeating: "x", count: 40_000)
    #expect(self.head("HTTP/1.1 200 OK", "Link: <\(long)>; rel=next").next == long)
  }

  @Test(
    arguments: [
      ("0", 0), ("47", 47), ("1000000000000", 1_000_000_000_000), ("1000000000001", nil),
      ("9223372036854775807", nil), ("9223372036854775808", nil), ("-1", nil), ("many", nil),
    ] as [(String, Int?)])
  func `a number of rows that cannot be is none`(value: String, total: Int?) {
    #expect(head("HTTP/1.1 200 OK", "X-Total-Count: \(value)").total == total)
  }
}
