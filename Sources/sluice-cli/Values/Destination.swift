import Sluice

typealias Destination = Conversion.Destination

extension Destination {
  /// Takes a path; `-` and the system's own names of standard output mean standard output.
  init(_ path: String) {
    self = Destination.namesOfStandardOutput.contains(path) ? .standardOutput : .file(path)
  }

  private static let namesOfStandardOutput = [
    "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1",
  ]

  /// The format that the name asks for.
  var format: Format? {
    switch self {
    case .standardOutput: nil
    case .file(let path): Format(extensionOf: path)
    }
  }
}
