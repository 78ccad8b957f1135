/// Why nothing can be measured.
struct Failure: Error, CustomStringConvertible {
  var description: String
}
