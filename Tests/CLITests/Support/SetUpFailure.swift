/// What kept a test from being made.
struct SetUpFailure: Error, CustomStringConvertible {
  let what: String
  let errno: Int32

  var description: String { "\(what) (errno \(errno))" }
}
