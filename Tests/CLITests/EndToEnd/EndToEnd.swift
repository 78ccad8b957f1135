import Testing

/// Runs the built program as people do: exit codes, messages, and what is left behind.
///
/// `SLUICE=PROGRAM swift test --filter EndToEnd` judges another build, the release one for example.
@Suite(.needsProgram)
enum EndToEnd {}
