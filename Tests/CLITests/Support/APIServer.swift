import Foundation

/// Runs the server of APIs beside a test: Tests/Support/api_server.py on a file of data.
final class APIServer {
  /// What it was asked.
  struct Counts: Decodable {
    var requests, connections, most, answered: Int
    var paths: [String]
    var times: [Double]
  }

  static let script = Samples.path("Tests/Support/api_server.py")

  private let child: Child
  private let port: Int

  /// Starts it with these words after the file: faults, modules, a delay.
  convenience init(_ data: String, _ words: String...) throws { try self.init(data, words) }

  init(_ data: String, _ words: [String]) throws {
    child = try BuiltProgram.start(["python3", Self.script, data] + words, reading: .pipe)
    let line = child.firstLine() ?? ""
    port = Int(line.filter(\.isNumber)) ?? 0
    guard port > 0 else { throw SetUpFailure(what: "no server", errno: 0) }
  }

  deinit {
    child.closeInput()
    _ = child.wait()
  }

  /// Where it is.
  var url: String { "http://127.0.0.1:\(port)" }

  /// What it was asked so far.
  func counts() throws -> Counts {
    try JSONDecoder().decode(Counts.self, from: Data(try ask("/_counts")))
  }

  /// The parameter's values in what was asked, in the order of time.
  func asked(_ parameter: String) throws -> [String] {
    try counts().paths.compactMap { path in
      path.split { "?&".contains($0) }.first { $0.hasPrefix("\(parameter)=") }
        .map { String($0.dropFirst(parameter.count + 1)) }
    }
  }

  /// Forgets what it was asked.
  func reset() throws { _ = try ask("/_reset", "") }

  /// Lets the answers go that `--hold` holds.
  func release() throws { _ = try ask("/_release", "") }

  /// Answers badly from now on, as these say; without any, well.
  func fail(_ faults: String...) throws {
    _ = try ask("/_faults", String(decoding: try JSONEncoder().encode(faults), as: UTF8.self))
  }

  /// Puts these lists in place of its own of the same names.
  func offer(_ lists: String) throws { _ = try ask("/_data", lists) }

  private func ask(_ path: String, _ body: String? = nil) throws -> [UInt8] {
    var connection = try Connection(port: port)
    return try connection.ask(path, body)
  }
}

/// One request over a socket, without the libraries that are tested.
private struct Connection {
  private let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else { throw SetUpFailure(what: "connect", errno: errno) }
  }

  mutating func ask(_ path: String, _ body: String?) throws -> [UInt8] {
    defer { close(descriptor) }
    let head =
      "\(body == nil ? "GET" : "POST") \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
      + "Content-Length: \(body?.utf8.count ?? 0)\r\n\r\n"
    let request = Array((head + (body ?? "")).utf8)
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SetUpFailure(what: "write", errno: errno) }
      sent += count
    }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { break }
      answer += piece[..<count]
    }
    let end = answer.firstRange(of: Array("\r\n\r\n".utf8))
    return end.map { Array(answer[$0.upperBound...]) } ?? []
  }
}
