import Testing

@testable import Sluice

/// The link to the next page is found among others (RFC 8288).
@Suite struct LinkHeaderTests {
  @Test(arguments: [
    (#"<https://h/p?page=3>; rel="next""#, "https://h/p?page=3"),
    (#"<a>; rel="first", <b,c>; rel="next"; title="x""#, "b,c"),
    (#"<a>;rel=prev,<b>;rel=next"#, "b"),
    (#"<a>; rel="last next""#, "a"),
    (#"<a>; REL=NEXT"#, "a"),
    (#"<a>; title="x, <b>; rel=next"; rel=prev, <c>; rel = next"#, "c"),
    (#"<a>; title="\"; rel=next", <b>; rel="next""#, "b"),
    (#"<>; rel=next"#, ""),
    (#"<a?q=é>; title="ü"; rel=next"#, "a?q=%C3%A9"),
  ])
  func `the target with the relation next is told`(value: String, target: String) {
    #expect(LinkHeader(Array(value.utf8)[...]).next == target)
  }

  @Test(arguments: ["", " , ", #"<a>; rel="nextish""#, "<a>; rel=prev , <b>; rel=\"first\"; x"])
  func `where there is none, there is none`(value: String) {
    let link = LinkHeader(Array(value.utf8)[...])
    #expect(link.next == nil && link.isReadable)
  }

  @Test(arguments: [
    "<a>", "<a; rel=next", "a; rel=next", "<a>; rev=next", #"<a>; rel="prev, <b>; rel=next"#,
    "<a>; rel=prev, b; rel=next", "next", "<a>; rel=prev, <b",
  ])
  func `what is no list of links is told from one without a next`(value: String) {
    let link = LinkHeader(Array(value.utf8)[...])
    #expect(link.next == nil && !link.isReadable)
  }
}
