import Foundation
import PackagePlugin

/// Embeds the files of the target's folder `Page`: what a browser reads of a site.
///
///     Page/site.css ─▶ ("site.css", #"""…"""#)
///
/// A text costs nothing at a start and compiles at once; a list of 100,000 bytes, as a resource
/// would be, does not. The command reads the files, so that a change in one is seen.
@main struct EmbedPage: BuildToolPlugin {
  /// The kinds of files of a page.
  private static let kinds: Set = ["html", "css", "js", "svg"]

  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folder = target.directoryURL.appending(path: "Encode/Page")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    )
    .filter { Self.kinds.contains($0.pathExtension) }
    .sorted { $0.lastPathComponent < $1.lastPathComponent }
    let list = context.pluginWorkDirectoryURL.appending(path: "PageFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the page of a site", executable: URL(filePath: "/bin/sh"),
        arguments: ["-c", Self.script, "sh", list.path] + files.map(\.path),
        inputFiles: files, outputFiles: [list])
    ]
  }

  /// Writes the list. A file that holds the end of a literal does not compile.
  private static let script = ######"""
    set -e
    list=$1
    shift
    {
      printf '%s\n' '/// The files of a site that are the same for every feed.' 'enum PageFiles {'
      printf '%s\n' '  static let all: [(name: StaticString, text: StaticString)] = ['
      for file; do
        printf '    ("%s", ####"""\n' "${file##*/}"
        cat "$file"
        printf '\n"""####),\n'
      done
      printf '%s\n' '  ]' '}'
    } >"$list.new"
    mv "$list.new" "$list"
    """######
}
