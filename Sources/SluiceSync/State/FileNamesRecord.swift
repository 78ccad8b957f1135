import Glibc
import Sluice

/// The names of the files that an input's outputs with columns in their names have. Only what is
/// listed here is ever removed.
///
///     sluice names 1␀/srv/www/ics/{address_id}.ics␀c848c36e7b2fe71a.ics␀…
///
/// There is one such file for each output, beside the record of the input. Before the files are
/// published it has all names of last night and of this one, so that a killed run loses none.
final class FileNamesRecord: FileManifest {
  private static let title = "sluice names 1"

  private let folder: FeedFolder
  private let input: InputIdentity
  /// The names that were read or written last, sorted, by the path of the output.
  private var known: [String: [String]] = [:]

  init(of input: InputIdentity, in folder: FeedFolder) {
    self.input = input
    self.folder = folder
  }

  /// Throws ``SyncFault/badRecord(path:)`` if the file is not such a list, and
  /// ``SyncFault/unreadableRecord(path:errno:)`` if it cannot be read.
  func names(of pattern: String) throws(PipelineError) -> [String] {
    let output = InputName.absolute(pattern)
    let path = folder.names(of: input, output)
    let box = ByteKeeper.Box()
    do throws(PipelineError) {
      var keeper = ByteKeeper(box)
      try DescriptorSource(file: path).run(into: &keeper, counters: Counters())
    } catch {
      switch error.fault {
      case .source(.noFile): return []
      case .source(.unreadable(_, let errno)), .source(.read(_, let errno)):
        throw PipelineError(sync: .unreadableRecord(path: path, errno: errno))
      default: throw PipelineError(sync: .badRecord(path: path))
      }
    }
    let texts = box.bytes.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard texts.count >= 3, texts[0] == Self.title, texts[1] == output, texts.last == "" else {
      throw PipelineError(sync: .badRecord(path: path))
    }
    known[output] = Array(texts[2...].dropLast())
    return known[output] ?? []
  }

  func note(_ names: [String], of pattern: String) throws(PipelineError) {
    let output = InputName.absolute(pattern)
    let names = names.sorted()
    guard known[output] != names else { return }
    known[output] = names
    var text = ByteBuffer(capacity: 64 << 10)
    for line in [Self.title, output] + names {
      text.append(string: line)
      text.append(UInt8(0))
    }
    let set = OutputSet(endsWithItsReaders: false)
    var writer = try set.open(path: folder.names(of: input, output))
    try writer.write(text)
    try writer.finish()
    try set.commit()
  }
}

extension FeedFolder {
  /// The path of the list of an output's files.
  fileprivate func names(of input: InputIdentity, _ output: String) -> String {
    "\(path)/\(input.key).\(Fingerprint(of: output).name).files"
  }
}
