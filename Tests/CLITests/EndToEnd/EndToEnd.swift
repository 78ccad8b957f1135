import Testing

/// Runs the built program as people do: exit codes, messages, and what is left behind.
///
/// `SLUICE=PROGRAM swift test --filter EndToEnd` judges another build, the release one for example.
@Suite(.enabled(if: BuiltProgram.isThere, "the program is not built"))
enum EndToEnd {}
