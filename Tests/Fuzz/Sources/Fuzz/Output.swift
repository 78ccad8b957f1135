/// Holds what came out of the last stage.
final class Output {
  var bytes: [UInt8] = []
}
