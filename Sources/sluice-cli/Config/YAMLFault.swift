/// Why a text is not YAML, and where.
struct YAMLFault: Error, Equatable {
  let problem: ConfigFault.Problem
  let place: Place
}
