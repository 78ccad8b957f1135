import Sluice

typealias Output = Conversion.Output

extension Output {
  /// Chooses the format of every output: what its extension names, or else `format`; for standard
  /// output CSV where nothing is said. No path at all is standard output.
  static func all(named paths: [String], format: Format?) throws(UsageError) -> [Output] {
    var outputs: [Output] = []
    for path in paths.isEmpty ? ["-"] : paths {
      let destination = Destination(path)
      let fallback = format ?? (destination == .standardOutput ? .csv : nil)
      guard let chosen = destination.format ?? fallback else { throw .unknownExtension(path) }
      outputs.append(Output(destination, chosen))
    }
    if let format, !outputs.contains(where: { $0.format == format }) {
      throw .idleFormat(format)
    }
    return outputs
  }
}
