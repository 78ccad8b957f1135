/// What can be wrong with an output.
///
/// A path is the one the user gave, except where a case says otherwise; `-` is standard output.
public enum SinkFault: Equatable, Sendable {
  /// The folder of an output is missing; `path` is the folder's.
  case folderMissing(path: String)
  /// The folder of an output takes no new files; `path` is the folder's.
  case folderNotWritable(path: String, errno: Int32)
  /// The output is a folder.
  case isFolder(path: String)
  /// The output is a symbolic link to nothing.
  case danglingLink(path: String)
  /// Something that no run made stands where the temporary file goes; `path` is the temporary's.
  case temporaryInTheWay(path: String)
  /// The output cannot be created for another reason, with the system's error number.
  case create(path: String, errno: Int32)

  /// A database of tables can be no other thing than a file of its own.
  case notAFile(path: String)
  /// A database cannot be written: one that is there, or a new one.
  case database(DatabaseFault, isMerge: Bool)

  /// Another run is writing this output.
  case locked(path: String)

  /// Writing failed, with the system's error number. The error's offset is how much was written.
  case write(path: String, errno: Int32)
  /// A writer was not finished: what it wrote is only a part.
  case unfinished(path: String)
  /// The temporary file has another size than what was written to it.
  case wrongSize(path: String, written: Int, found: Int)
  /// Reading the temporary file back failed, to compare it with the old file.
  case readBack(path: String, errno: Int32)
  /// The mode could not be set.
  case setMode(path: String, errno: Int32)
  /// The bytes of the file, or the names of its folder, could not be brought to the disk.
  case sync(path: String, errno: Int32)
  /// Closing failed, which may be the news of a write that failed late.
  case close(path: String, errno: Int32)
  /// The finished file could not be renamed into place.
  case rename(path: String, errno: Int32)
  /// Somebody else changed the output, or removed its temporary file, at the last moment.
  case changed(path: String)
  /// A set failed half-way, and this output of it could not be put back: it is wholly new.
  case notPutBack(path: String, errno: Int32)

  /// The readers of all outputs went away: nobody wants the rest. The end of the run, not a fault.
  case noReaderLeft
}

extension PipelineError {
  /// Makes an error of the sink.
  init(sink fault: SinkFault, at offset: Int? = nil) {
    self.init(.sink(fault), at: offset)
  }
}
