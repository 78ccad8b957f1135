import Foundation

/// Runs the server of HTTP faults beside a test, with a feed as its body.
final class FaultServer {
  /// What the server says when it is ready.
  private struct Ready: Decodable {
    let http: Int
    let https, httpsSelfSigned, httpsExpired, httpsWrongHost: Int?
    let ca: String?

    enum CodingKeys: String, CodingKey {
      case http, https, ca
      case httpsSelfSigned = "https-self-signed"
      case httpsExpired = "https-expired"
      case httpsWrongHost = "https-wrong-host"
    }
  }

  private let child: Child
  private let ready: Ready

  /// Starts it; `isSecure`: with certificates for HTTPS, which take a while to make.
  init(body: String, isSecure: Bool = false) throws {
    child = try BuiltProgram.start(
      ["python3", Samples.faultServer, "--body", body] + (isSecure ? [] : ["--plain"]),
      reading: .pipe)
    guard let line = child.firstLine() else { throw SetUpFailure(what: "no server", errno: 0) }
    ready = try JSONDecoder().decode(Ready.self, from: Data(line.utf8))
  }

  deinit {
    child.closeInput()
    _ = child.wait()
  }

  /// The file of the CA; nil unless the server is secure and there is openssl to make one.
  var ca: String? { ready.ca }

  func url(_ path: String) -> String { "http://127.0.0.1:\(ready.http)/\(path)" }
  func secure(_ path: String) -> String { "https://127.0.0.1:\(ready.https ?? 0)/\(path)" }

  /// Servers whose certificates nobody should accept, by what is wrong with them.
  var untrusted: [(fault: String, url: String)] {
    [
      ("self-signed", ready.httpsSelfSigned), ("expired", ready.httpsExpired),
      ("wrong-host", ready.httpsWrongHost),
    ].map { ($0, "https://127.0.0.1:\($1 ?? 0)/ok") }
  }
}
