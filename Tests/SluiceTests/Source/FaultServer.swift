import Foundation

@testable import Sluice

/// Runs Tests/Support/fault_server.py as long as the test process lives.
final class FaultServer: Sendable {
  /// The one that the tests share.
  static let shared = FaultServer()

  /// Whether the programs are there that it needs.
  static let isPossible = find("python3") != nil && find("openssl") != nil

  /// The file of the CA that signed the good certificate.
  let authority: String
  private let ports: [String: Int]
  private let address: String
  // Its end is the server's signal to end.
  private let input = Pipe()

  init(address: String = "127.0.0.1") {
    // As the program does; a test server closes connections that are written to.
    signal(SIGPIPE, SIG_IGN)
    for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    where getenv(name) != nil { unsetenv(name) }
    self.address = address
    let process = Process()
    let output = Pipe()
    process.executableURL = Self.find("python3")
    process.arguments = [Self.script, "--bind", address]
    process.standardInput = input
    process.standardOutput = output
    var line = Data()
    do {
      try process.run()
      while line.last != UInt8(ascii: "\n") {
        let piece = output.fileHandleForReading.availableData
        if piece.isEmpty { break }
        line += piece
      }
    } catch {
      line = Data()
    }
    let answer = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any] ?? [:]
    authority = answer["ca"] as? String ?? ""
    ports = answer.compactMapValues { $0 as? Int }
  }

  /// The URL of a fault.
  func url(
    _ fault: String, _ listener: String = "http", host: String? = nil, userinfo: String = ""
  ) -> String {
    let scheme = listener.hasPrefix("https") ? "https" : "http"
    return "\(scheme)://\(userinfo)\(host ?? address):\(port(listener))/\(fault)"
  }

  /// The port of a listener.
  func port(_ listener: String) -> Int { ports[listener] ?? 0 }

  /// What the good answers hold.
  static let body = [UInt8](String(repeating: "0123456789abcdef", count: 4096).utf8)

  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Support/fault_server.py").path

  static func find(_ program: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(program)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
