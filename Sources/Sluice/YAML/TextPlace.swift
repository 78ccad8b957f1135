/// A place in a text file; lines and columns count from 1, columns in Unicode scalars.
package struct TextPlace: Equatable, Sendable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Where a text begins.
  package static let start = TextPlace(line: 1, column: 1)
}
