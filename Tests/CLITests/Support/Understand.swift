import Testing

@testable import sluice_cli

/// What a command line asks for, in an empty environment; words are separated by spaces.
func understand(_ line: String) throws -> any CommandOptions {
  try invocation(line).request.get()
}

/// Says whether two command lines ask for the same.
func same(_ a: any CommandOptions, _ b: any CommandOptions) -> Bool {
  func isEqual<Options: CommandOptions>(_ a: Options) -> Bool { a == b as? Options }
  return isEqual(a)
}

/// The error of a command line; nil if there is none.
func problem(_ line: String) -> UsageError? {
  guard case .failure(let error) = invocation(line).request else { return nil }
  return error
}

/// The options of a `convert` command line, with `convert` left out.
func convert(_ line: String) throws -> ConvertOptions {
  try #require(try understand("convert " + line) as? ConvertOptions)
}

func invocation(_ line: String, environment: [String: String] = [:]) -> Invocation {
  Invocation(line.split(separator: " ").map(String.init)) { environment[$0] }
}
