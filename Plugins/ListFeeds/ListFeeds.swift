import Foundation
import PackagePlugin

/// Lists the documents of the target's folder `BuiltIn`, each of which is embedded as a resource.
///
///     BuiltIn/hot-water.yaml ─▶ case "hot-water": PackageResources.hot_water_yaml
///
/// The list is made when the build is planned, which a new file in the folder brings about; the
/// command has only to write it. A program of our own to do that would be built with every flag of
/// the build that needs it, those of the fuzzer included.
@main struct ListFeeds: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    guard let target = target.sourceModule else { return [] }
    let names = target.sourceFiles.map(\.url)
      .filter {
        $0.pathExtension == "yaml" && $0.deletingLastPathComponent().lastPathComponent == "BuiltIn"
      }
      .map { $0.deletingPathExtension().lastPathComponent }.sorted()
    guard names.allSatisfy(Self.isFeedName) else {
      throw BadName(name: names.first { !Self.isFeedName($0) } ?? "")
    }
    let list = context.pluginWorkDirectoryURL.appending(path: "DocumentList.swift")
    return [
      .buildCommand(
        displayName: "Listing the built-in feeds", executable: URL(filePath: "/bin/sh"),
        arguments: ["-c", #"printf %s "$2" >"$1""#, "sh", list.path, Self.source(names)],
        outputFiles: [list])
    ]
  }

  /// The name stands in the source as it is, and with `_` for `-` as an identifier.
  private static func isFeedName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    else { return false }
    return name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
  }

  private static func source(_ names: [String]) -> String {
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    let cases = names.map { name in
      let resource = "\(name.map { $0 == "-" ? "_" : $0 }.map(String.init).joined())_yaml"
      return "    case \"\(name)\": PackageResources.\(resource)\n"
    }
    return """
      /// The documents of the feeds that are built in.
      enum DocumentList {
        /// The feeds' names, in order.
        static let names = [\(list)]

        /// The text of one of them.
        static func document(named name: String) -> [UInt8]? {
          switch name {
      \(cases.joined())    default: nil
          }
        }
      }

      """
  }
}

/// A document's name is no feed's.
struct BadName: Error, CustomStringConvertible {
  let name: String
  var description: String {
    "\(name).yaml: a built-in feed's name has letters a to z, digits, dashes"
  }
}
