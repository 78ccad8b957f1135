/// A place in a text file; lines and columns count from 1, columns in Unicode scalars.
struct Place: Equatable, Sendable {
  let line: Int
  let column: Int
}
