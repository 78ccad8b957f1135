/// An answer that has been checked, and lies in a file of the state folder.
struct KeptAnswer: Sendable, Equatable {
  /// What is known of an answer besides.
  struct Facts: Sendable, Equatable {
    /// What was asked, as it may be shown: another question's answer is of no use.
    var asked = ""
    /// When it came, in seconds since 1970.
    var answered = 0
    /// How many records it has.
    var records = 0
    /// How many elements the outermost list around the records has; nil where there are as many as
    /// records.
    var parents: Int?
    /// When the server says that it was changed, in seconds since 1970.
    var modified: Int?
    /// How many rows the server says that there are in all.
    var total: Int?
    /// Where the server says that the list goes on; without secrets.
    var next: String?

    /// What pages are counted by: how many elements of its list an answer has, whatever rows are in
    /// them.
    var elements: Int { parents ?? records }
  }

  /// The file.
  var path: String
  /// How many bytes of it are the answer; what follows is about it.
  var length: Int
  /// Tells it from others.
  var fingerprint: String
  var facts: Facts
}
