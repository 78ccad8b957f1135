import Sluice

/// Reads a configuration file whole.
enum ConfigFile {
  /// The entries of the file at `path`.
  static func read(_ path: String) throws(UsageError) -> ConfigDocument {
    let bytes: [UInt8]
    do throws(SourceFault) {
      bytes = try SmallFile.read(path, limit: YAMLNode.limit)
    } catch {
      throw .configFile(error)
    }
    do throws(ConfigFault) {
      return try ConfigDocument(bytes, named: path)
    } catch {
      throw .config(error)
    }
  }
}
