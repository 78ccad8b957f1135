import Glibc
import Sluice

/// Names of inputs that are the same for every spelling.
///
///     ./feed.json, x//../feed.json                  ─▶  /home/me/feed.json
///     HTTPS://u:p@H:443/list/?id=4&token=abc#top    ─▶  https://h/list?id=4
///
/// A URL loses its userinfo, its fragment, the default port, and the parameters whose names say
/// that they are secrets: another password or token is the same input.
enum InputName {
  /// Returns the absolute path of a file, with the links of its folder resolved, and without `.`,
  /// `..` and double slashes.
  static func file(_ path: String) -> String {
    let path = absolute(path)
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let name = path[path.index(after: end)...]
    guard !name.isEmpty, name != ".", name != ".." else { return tidy(path[...]) }
    let folder = String(path[..<end])
    return tidy((resolved(folder.isEmpty ? "/" : folder) ?? folder) + "/" + name)
  }

  /// Returns the path of a file with all links resolved, or nil if there is no such file.
  static func target(of path: String) -> String? { resolved(absolute(path)) }

  /// Returns the path as it is written, after the working folder if it is relative.
  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(workingFolder)/\(path)"
  }

  /// Returns the URL without what does not matter. `secrets` are further names of parameters with
  /// secrets.
  static func url(_ text: String, without secrets: Set<String> = []) -> String {
    guard let parts = URLParts(text) else { return text }
    let scheme = parts.scheme.lowercased()
    var server = parts.server.lowercased()
    if let origin = HTTPOrigin(text) {
      let isUsual = ["http": 80, "https": 443][scheme] == origin.port
      server = isUsual ? origin.host : "\(origin.host):\(origin.port)"
    }
    let rest = parts.rest.prefix { $0 != "#" }
    let path = rest.prefix { $0 != "?" }
    let query = rest[path.endIndex...].dropFirst().split(separator: "&").filter { parameter in
      let name = parameter.prefix { $0 != "=" }
      return !Redaction.namesSecret(name) && !secrets.contains(String(name))
    }
    return "\(scheme)://\(server)\(tidy(path))"
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Returns a path without empty parts, `.` and `..`, and without a slash at its end.
  private static func tidy(_ path: Substring) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  private static func tidy(_ path: String) -> String { tidy(path[...]) }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }
}

extension FeedFolder {
  /// The ends of the names of an input's files. The record is the last: when it has moved, all
  /// have.
  private static let endings = [".events", ".answers", ".a", ".b", ".json"]

  /// Returns the input with the key under which its files are. Changes nothing.
  ///
  /// A link that is named for the first time shares the files of its target, if there are any.
  /// Version 0.1 named the files after the spelling of the input.
  func found(_ input: InputIdentity) throws(PipelineError) -> InputIdentity {
    guard !hasRecord(input.key) else { return input }
    if let target = input.targetKey, hasRecord(target) { return input.keyed(target) }
    return try earlier(input) ?? input
  }

  /// Gives the files of an input that version 0.1 wrote their new names. The lock is held. Returns
  /// the input with the key under which its files are.
  func settled(_ input: InputIdentity) throws(PipelineError) -> InputIdentity {
    let found = try found(input)
    guard found.key != input.key, found.key != input.targetKey else { return found }
    for ending in Self.endings {
      let file = "\(path)/\(found.key)\(ending)"
      guard rename(file, "\(path)/\(input.key)\(ending)") == 0 || errno == ENOENT else {
        throw PipelineError(sync: .folder(path: file, errno: errno))
      }
    }
    if let code = Folder(path: Array(path.utf8CString))?.sync(), code != 0 {
      throw PipelineError(sync: .folder(path: path, errno: code))
    }
    return input
  }

  private func hasRecord(_ key: String) -> Bool { exists("\(key).json") }

  private func exists(_ name: String) -> Bool {
    FileStatus(path: Array("\(path)/\(name)".utf8CString)) != nil
  }

  /// Finds the record of version 0.1: that of this spelling, otherwise the last one whose input has
  /// the same name.
  private func earlier(_ input: InputIdentity) throws(PipelineError) -> InputIdentity? {
    if hasRecord(input.earlierKey) { return unlessTaken(input, by: input.earlierKey) }
    var last: (key: String, ran: Int)?
    for file in try Self.names(in: path) where file.hasSuffix(".json") && !file.hasPrefix(".") {
      // A record that cannot be read is reported by the run that needs it.
      guard let fields = try? Self.fields("\(path)/\(file)"), let text = fields.text("input"),
        text.firstPlace(of: Redaction.mark) == nil, Self.name(text) == input.name,
        let ran = fields.number("ran")
      else { continue }
      if ran >= last?.ran ?? 0 { last = (String(file.dropLast(5)), ran) }
    }
    return last.flatMap { unlessTaken(input, by: $0.key) }
  }

  /// Returns the name of an input that a record shows.
  private static func name(_ text: String) -> String {
    text.firstPlace(of: "://") != nil
      ? InputName.url(text) : text == "-" ? text : InputName.file(text)
  }

  /// Two ledgers are never made one: if the input has a ledger already, the other one stays.
  private func unlessTaken(_ input: InputIdentity, by key: String) -> InputIdentity? {
    let ledger = ".events/\(Ledger.name)"
    return exists(key + ledger) && exists(input.key + ledger) ? nil : input.keyed(key)
  }
}
