// What a record keeps of each field until it is judged.

extension RowBuilder {
  /// The value read for a field.
  struct Slot: BitwiseCopyable {
    /// Whether there was a value.
    var isSet = false
    /// Whether there was a second value.
    var isDuplicate = false
    /// Whether a value has a kind that the field cannot have, or came twice.
    var isUnreadable = false
    /// The raw text, if the column is made from it later.
    var raw = Record.Text()
  }

  /// A member of whole objects.
  struct Member: BitwiseCopyable {
    /// The index of the field; -1 if the feed does not know the key.
    var field = -1
    /// The index of its column, if its rule is text; otherwise -1.
    var textColumn = -1
    /// Whether the last text longer than ``shortText`` was tidy.
    var isTidy = false
  }
}
