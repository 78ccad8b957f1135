/// Keeps the entries of an archive and checks the central directory against them.
struct EntryTable {
  private(set) var entries: [ZIPEntry] = []

  /// The entry that was begun last.
  var current: ZIPEntry { entries[entries.count - 1] }

  /// Adds an entry whose local header has been read.
  mutating func begin(_ entry: ZIPEntry) throws(ZIPFault) {
    if entries.contains(where: { $0.name == entry.name }) {
      throw .duplicateName(entry: entry.name)
    }
    entries.append(entry)
  }

  /// Notes what the current entry's data came to and checks what its local header declared.
  mutating func end(_ facts: DataDescriptor.Facts) throws(ZIPFault) {
    let entry = current
    if let declared = entry.header.size, declared != facts.size {
      throw .size(entry: entry.name, declared: declared, actual: facts.size)
    }
    if let declared = entry.header.compressedSize, declared != facts.compressedSize {
      throw .compressedSize(entry: entry.name, declared: declared, actual: facts.compressedSize)
    }
    if let declared = entry.header.crc, declared != facts.crc {
      throw .crc(entry: entry.name, declared: declared, actual: facts.crc)
    }
    entries[entries.count - 1].facts = facts
  }

  /// Checks a central header against the entry that it lists.
  ///
  /// The directory may have an order of its own; what identifies an entry is where it begins.
  mutating func list(_ header: CentralHeader) throws(ZIPFault) {
    guard let index = entries.firstIndex(where: { UInt64($0.offset) == header.offset }) else {
      throw .noEntryAt(offset: header.offset, entry: header.name)
    }
    let entry = entries[index]
    if entry.isListed { throw .overlap(entry: header.name, other: entry.name) }
    if let field = EntryTable.difference(entry, header) {
      throw .headersDisagree(entry: entry.name, field: field)
    }
    if header.isLink {
      if header.size > ZIPLimits.link { throw .linkTooLong(entry: entry.name) }
      entries[index].kind = .link
    }
    entries[index].isListed = true
  }

  /// Checks, at the end of the central directory, that it has listed every entry.
  func checkListed() throws(ZIPFault) {
    for entry in entries where !entry.isListed { throw .notListed(entry: entry.name) }
  }

  /// The entry to deliver, once the central directory has been read.
  func choose(_ wanted: String?) throws(ZIPFault) -> Int {
    let data = entries.indices.filter { entries[$0].kind == .data }
    guard let wanted else {
      if data.count == 1 { return data[0] }
      if data.isEmpty { throw .noEntry(names: entries.map(\.name)) }
      throw .severalEntries(names: data.map { entries[$0].name })
    }
    let matches = data.filter { entries[$0].name.matches(wanted) }
    if matches.count == 1 { return matches[0] }
    if matches.isEmpty {
      throw .noSuchEntry(wanted: wanted, names: data.map { entries[$0].name })
    }
    throw .severalEntries(names: matches.map { entries[$0].name })
  }

  /// What the archive holds.
  func items(eastBy clockOffset: Int) -> [ZIPListing.Item] {
    entries.map { entry in
      ZIPListing.Item(
        name: entry.name, method: entry.header.method,
        compressedSize: Int(entry.facts.compressedSize), size: Int(entry.facts.size),
        modified: entry.header.modified.seconds(eastBy: clockOffset), kind: entry.kind)
    }
  }

  private static func difference(
    _ entry: ZIPEntry, _ header: CentralHeader
  ) -> ZIPFault.HeaderField? {
    if entry.name != header.name { return .name }
    if entry.header.flags != header.flags { return .flags }
    if entry.header.method != header.method { return .method }
    if entry.header.modified != header.modified { return .time }
    if entry.facts.compressedSize != header.compressedSize { return .compressedSize }
    if entry.facts.size != header.size { return .size }
    if entry.facts.crc != header.crc { return .crc }
    return nil
  }
}
