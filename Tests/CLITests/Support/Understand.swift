import Testing

@testable import sluice_cli

/// What a command line asks for, in an empty environment; words are separated by spaces.
func understand(_ line: String) throws -> Command {
  try invocation(line).request.get()
}

/// What is wrong with a command line; nil where nothing is.
func problem(_ line: String) -> UsageError? {
  guard case .failure(let error) = invocation(line).request else { return nil }
  return error
}

/// The options of a `convert` command line, with `convert` left out.
func convert(_ line: String) throws -> ConvertOptions {
  guard case .convert(let options) = try understand("convert " + line) else {
    throw UsageError.noCommand
  }
  return options
}

func invocation(_ line: String, environment: [String: String] = [:]) -> Invocation {
  Invocation(line.split(separator: " ").map(String.init)) { environment[$0] }
}
