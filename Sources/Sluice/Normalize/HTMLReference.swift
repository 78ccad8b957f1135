/// Decodes the character references of HTML: `&amp;`, `&#8211;`, `&#x2013;`.
///
/// The names are those of HTML 4.01 (section 24), and `apos`. A reference ends in a semicolon. Any
/// other text stays as it is.
enum HTMLReference {
  /// The most bytes between the ampersand and the semicolon.
  private static let longest = 10

  /// Returns the scalar of the reference at `index`, where an ampersand is, and its length in
  /// bytes; nil if there is none.
  static func scalar(
    in text: UnsafeRawBufferPointer, at index: Int
  ) -> (value: UInt32, length: Int)? {
    let rest = UnsafeRawBufferPointer(rebasing: text[(index + 1)...])
    guard let end = rest.prefix(longest + 1).firstIndex(of: UInt8(ascii: ";")), end > 0 else {
      return nil
    }
    let name = UnsafeRawBufferPointer(rebasing: rest[..<end])
    let value = name[0] == UInt8(ascii: "#") ? number(name.dropFirst()) : named(name)
    return value.map { ($0, end + 2) }
  }

  /// Returns the scalar of `8211` or `x2013`. A number that is no scalar is U+FFFD, and those of
  /// control characters mean what they mean in Windows-1252 (HTML, section 13.2.5.80).
  private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> UInt32? {
    let isHexadecimal = text.first.map { $0 | 0x20 } == UInt8(ascii: "x")
    let digits = isHexadecimal ? text.dropFirst() : text
    guard !digits.isEmpty else { return nil }
    var value: UInt32 = 0
    for byte in digits {
      var digit = UInt32(byte &- UInt8(ascii: "0"))
      if digit > 9, isHexadecimal { digit = UInt32((byte | 0x20) &- UInt8(ascii: "a")) + 10 }
      guard digit < (isHexadecimal ? 16 : 10) else { return nil }
      value = min(value * (isHexadecimal ? 16 : 10) + digit, 0x11_0000)
    }
    if 0x80..<0xA0 ~= value { return windows[Int(value) - 0x80] }
    return value == 0 ? 0xFFFD : Unicode.Scalar(value)?.value ?? 0xFFFD
  }

  private static let windows: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
    0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
  ]

  private static func named(_ name: UnsafeRawBufferPointer) -> UInt32? {
    names[ContiguousArray(name)]
  }

  /// The scalars of all names.
  private static let names: [ContiguousArray<UInt8>: UInt32] = {
    var names: [ContiguousArray<UInt8>: UInt32] = [:]
    for (index, name) in "\(latin)".split(separator: " ").enumerated() {
      names[ContiguousArray(name.utf8)] = 160 + UInt32(index)
    }
    let words = "\(others)".split(separator: " ")
    for index in stride(from: 0, to: words.count, by: 2) {
      names[ContiguousArray(words[index].utf8)] = UInt32(words[index + 1], radix: 16)
    }
    return names
  }()

  /// The names of U+00A0 to U+00FF, in this order.
  private static let latin: StaticString = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg \
    plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 \
    iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml \
    Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash \
    Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring \
    aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve \
    oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
    """

  /// Other names, each with the number of its scalar.
  private static let others: StaticString = """
    quot 22 amp 26 lt 3C gt 3E OElig 152 oelig 153 Scaron 160 scaron 161 Yuml 178 \
    fnof 192 circ 2C6 tilde 2DC Alpha 391 Beta 392 Gamma 393 Delta 394 Epsilon 395 \
    Zeta 396 Eta 397 Theta 398 Iota 399 Kappa 39A Lambda 39B Mu 39C Nu 39D Xi 39E \
    Omicron 39F Pi 3A0 Rho 3A1 Sigma 3A3 Tau 3A4 Upsilon 3A5 Phi 3A6 Chi 3A7 Psi 3A8 \
    Omega 3A9 alpha 3B1 beta 3B2 gamma 3B3 delta 3B4 epsilon 3B5 zeta 3B6 eta 3B7 \
    theta 3B8 iota 3B9 kappa 3BA lambda 3BB mu 3BC nu 3BD xi 3BE omicron 3BF pi 3C0 \
    rho 3C1 sigmaf 3C2 sigma 3C3 tau 3C4 upsilon 3C5 phi 3C6 chi 3C7 psi 3C8 omega 3C9 \
    thetasym 3D1 upsih 3D2 piv 3D6 ensp 2002 emsp 2003 thinsp 2009 zwnj 200C zwj 200D \
    lrm 200E rlm 200F ndash 2013 mdash 2014 lsquo 2018 rsquo 2019 sbquo 201A ldquo 201C \
    rdquo 201D bdquo 201E dagger 2020 Dagger 2021 bull 2022 hellip 2026 permil 2030 \
    prime 2032 Prime 2033 lsaquo 2039 rsaquo 203A oline 203E frasl 2044 euro 20AC \
    image 2111 weierp 2118 real 211C trade 2122 alefsym 2135 larr 2190 uarr 2191 \
    rarr 2192 darr 2193 harr 2194 crarr 21B5 lArr 21D0 uArr 21D1 rArr 21D2 dArr 21D3 \
    hArr 21D4 forall 2200 part 2202 exist 2203 empty 2205 nabla 2207 isin 2208 notin 2209 \
    ni 220B prod 220F sum 2211 minus 2212 lowast 2217 radic 221A prop 221D infin 221E \
    ang 2220 and 2227 or 2228 cap 2229 cup 222A int 222B there4 2234 sim 223C cong 2245 \
    asymp 2248 ne 2260 equiv 2261 le 2264 ge 2265 sub 2282 sup 2283 nsub 2284 sube 2286 \
    supe 2287 oplus 2295 otimes 2297 perp 22A5 sdot 22C5 lceil 2308 rceil 2309 \
    lfloor 230A rfloor 230B lang 2329 rang 232A loz 25CA spades 2660 clubs 2663 \
    hearts 2665 diams 2666 apos 27
    """
}
