@testable import Sluice

extension Feed {
  static let hotWater = builtIn("hot-water")
  static let bonds = builtIn("bonds")

  /// A feed with days and times in many forms. It is read each time: in a value that stays, the
  /// search for leaks does not see through the tags of its pointers.
  static var formats: Feed {
    let document = """
      feed: formats
      clock: "+03:00"
      rows: "[]"
      columns:
        day: {kind: day, format: [dd/MM/yyyy, "EEE, d. MMM yy", yyyyMMdd, do MMMM y], \
      names: [de, ru, es], years: 1970-2069}
        moment: {kind: instant, format: ["d.M.y H:mm", "yyyy-MM-dd'T'HH:mm:ss.SXXX", \
      "EEE, dd MMM yyyy hh:mm a z"]}
        instant: {kind: day, read: instant}
        at: {kind: time}
        until: {kind: time, format: [Hmm, "h:mm a"]}
        minutes: {kind: time, unit: minutes}
        parts: {kind: instant, names: pl, years: 1970-2069, \
      parts: {year: y, month: m, day: d, hour: h}}
        year: {from: y, kind: integer}
      """
    guard let feed = try? Feed(yaml: document) else { fatalError("no feed of formats") }
    return feed
  }

  private static func builtIn(_ name: String) -> Feed {
    guard let feed = named(name) else { fatalError("no feed \(name)") }
    return feed
  }
}
