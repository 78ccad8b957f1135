@_spi(_Unicode) import Swift

extension String {
  /// The text in the composed form (NFC, Unicode Standard Annex 15).
  ///
  /// The tables are those of the standard library, which compares texts with them. It offers the
  /// form itself only to whom asks for it by this import.
  var inComposedForm: String {
    if isPlainlyComposed { return self }
    var composed = ""
    composed.unicodeScalars.append(contentsOf: Array(_nfc))
    return composed
  }

  /// Whether it has only characters that no other one combines with: Latin and Cyrillic letters and
  /// signs, without marks of their own.
  private var isPlainlyComposed: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case ..<0x300, 0x400..<0x483, 0x48A..<0x530, 0x2010..<0x2028, 0x2116: true
      default: false
      }
    }
  }

  /// The text without the differences of case, for comparing names as file systems do that do not
  /// tell them apart.
  var withoutCase: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    return uppercased().lowercased().inComposedForm
  }
}
