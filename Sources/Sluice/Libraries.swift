import CLibraries
import CSluice

/// The C libraries that do part of the work, and their versions.
package enum Libraries {
  /// The libraries inside the program, as name and version. Updates of the system do not reach
  /// them: a new version of the program does.
  package static var inside: [String] {
    [
      "SQLite \(String(cString: sqlite3_libversion()))",
      "zlib \(String(cString: zlibVersion()))",
      "libdeflate \(LIBDEFLATE_VERSION_STRING)",
      "libyaml \(String(cString: yaml_get_version_string()))",
      "libcsv \(CSV_MAJOR).\(CSV_MINOR).\(CSV_RELEASE)",
    ]
  }

  /// The system's libcurl and the libraries that it uses itself, in its own words. Throws
  /// ``PipelineError`` if it cannot be loaded.
  package static func curl() throws(PipelineError) -> String {
    try CurlLibrary.load()
    return String(cString: ccurl_version())
  }
}
