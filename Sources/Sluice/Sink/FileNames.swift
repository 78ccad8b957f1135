/// Gives the files of a pattern their names. They depend on the values and on how many rows each of
/// them has, and on nothing else: not on the order of rows, and not on earlier runs.
///
///     Пушкин, 90 rows  ─▶ Пушкин.csv             of names that differ in case alone, the one with
///     ПУШКИН, 1 row    ─▶ ПУШКИН~5b0f1c2a.csv    the most rows stays as it is; of equals, the last
///     Павловск         ─▶ Павловск.csv           one by its bytes: lower case comes after upper
enum FileNames {
  /// A name in a folder.
  private struct Entry {
    /// The number of the folder that it is in, and the values that it is made of.
    var folder: Int
    var values: [UInt8]
    var name: SafeName
    var rows = 0
    var chosen = ""

    /// Whether it stays as it is, and the other one of the same name does not.
    func precedes(_ other: Entry) -> Bool {
      rows == other.rows
        ? other.values.lexicographicallyPrecedes(values) : rows > other.rows
    }
  }

  private struct Key: Hashable {
    var folder: Int
    var text: String
  }

  /// Returns the names, each with the folders below that of the pattern: `Ломоносов/Ленина.csv`.
  ///
  /// `rows` has the number of each file's rows. `values` calls its argument with the values of a
  /// file, one of each column of the pattern. No two files have the same values.
  static func names(
    of rows: [Int], by pattern: NamePattern,
    values: (Int, ([UnsafeRawBufferPointer]) -> Void) -> Void
  ) -> [String] {
    let count = rows.count
    var paths = [String](repeating: "", count: count)
    // Equal numbers are equal folders.
    var folders = [Int](repeating: 0, count: count)
    for part in pattern.parts {
      if part.values.isEmpty {
        guard case .words(let words)? = part.pieces.first else { continue }
        for file in paths.indices { paths[file] += paths[file].isEmpty ? words : "/" + words }
        continue
      }
      var entries: [Entry] = []
      var entryOf = [Int](repeating: 0, count: count)
      var known: [Int: [[UInt8]: Int]] = [:]
      let isWhole = Set(part.values).count == pattern.columns.count
      for file in 0..<count {
        values(file) { values in
          var key: [UInt8] = []
          for value in part.values {
            key += values[value]
            // No text has this byte.
            key.append(0xFF)
          }
          // All columns in one name: each file has another.
          if !isWhole, let entry = known[folders[file]]?[key] {
            entryOf[file] = entry
            return
          }
          if !isWhole { known[folders[file], default: [:]][key] = entries.count }
          entryOf[file] = entries.count
          entries.append(
            Entry(folder: folders[file], values: key, name: SafeName(part, values)))
        }
      }
      for file in 0..<count { entries[entryOf[file]].rows += rows[file] }
      choose(&entries)
      for file in paths.indices {
        let name = entries[entryOf[file]].chosen
        paths[file] += paths[file].isEmpty ? name : "/" + name
        folders[file] = entryOf[file]
      }
    }
    return paths
  }

  /// Chooses the names, so that no two in a folder are equal but for their case.
  private static func choose(_ entries: inout [Entry]) {
    // The one of each name that keeps it.
    var keepers: [Key: Int] = [:]
    keepers.reserveCapacity(entries.count)
    for index in entries.indices where !entries[index].name.isChanged {
      let key = Key(folder: entries[index].folder, text: entries[index].name.plain.withoutCase)
      if let other = keepers[key], !entries[index].precedes(entries[other]) { continue }
      keepers[key] = index
    }
    var taken: [Key: [Int]] = [:]
    for (key, index) in keepers {
      entries[index].chosen = entries[index].name.plain
      taken[key] = [index]
    }
    for index in entries.indices where entries[index].chosen.isEmpty {
      entries[index].chosen = entries[index].name.hashed()
      let key = Key(folder: entries[index].folder, text: entries[index].chosen.withoutCase)
      taken[key, default: []].append(index)
    }
    // Equal hashes, or a value that looks like a name with a hash.
    for (key, indexes) in taken where indexes.count > 1 {
      let sorted = indexes.sorted { entries[$0].precedes(entries[$1]) }
      var number = 2
      for index in sorted.dropFirst() {
        var next: Key
        repeat {
          entries[index].chosen = entries[index].name.hashed(number)
          next = Key(folder: key.folder, text: entries[index].chosen.withoutCase)
          number += 1
        } while taken[next] != nil
        taken[next] = [index]
      }
    }
  }
}
