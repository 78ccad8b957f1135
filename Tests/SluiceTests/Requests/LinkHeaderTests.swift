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
    #expect(LinkHeader.next(Array(value.utf8)[...]) == target)
  }

  @Test(arguments: [
    "", "<a>", #"<a>; rel="nextish""#, "<a; rel=next", "a; rel=next", "<a>; rev=next",
  ])
  func `where there is none, there is none`(value: String) {
    #expect(LinkHeader.next(Array(value.utf8)[...]) == nil)
  }
}
