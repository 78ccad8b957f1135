/// Chooses the form of a Russian word that a count wants: 1 байт, 2 байта, 5 байт; 21 байт,
/// 11 байт.
func plural<Count: BinaryInteger>(_ count: Count, _ one: String, _ few: String, _ many: String)
  -> String
{
  let rest = count.magnitude % 100
  if (11...14).contains(rest) { return many }
  return switch rest % 10 {
  case 1: one
  case 2...4: few
  default: many
  }
}

/// Chooses the form of an English word that a count wants.
func plural<Count: BinaryInteger>(_ count: Count, _ one: String, _ many: String) -> String {
  count == 1 ? one : many
}
