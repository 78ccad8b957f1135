/// The names of colours that a calendar may have (CSS Color Module Level 3, section 4.3; RFC 7986,
/// section 5.9).
package enum ColorNames {
  /// The names, a space before and behind each.
  private static let list: StaticString = """
    \u{20}
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet \
    brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan \
    darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta \
    darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue \
    darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey \
    dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray \
    green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush \
    lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray \
    lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray \
    lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon \
    mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue \
    mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin \
    navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen \
    paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple red \
    rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue \
    slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise \
    violet wheat white whitesmoke yellow yellowgreen\u{20}
    """

  /// The names.
  package static var all: [String] { "\(list)".split(separator: " ").map(String.init) }

  /// There is a colour of this name.
  static func contains(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 &- UInt8(ascii: "a") < 26 }) else { return false }
    let list = UnsafeBufferPointer(start: list.utf8Start, count: list.utf8CodeUnitCount)
    var start = 1
    while start + bytes.count < list.count {
      let end = start + bytes.count
      if list[end] == 0x20, list[start] == bytes[0], list[start..<end].elementsEqual(bytes) {
        return true
      }
      while list[start] != 0x20 { start += 1 }
      start += 1
    }
    return false
  }
}
