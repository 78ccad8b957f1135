extension RecordShape {
  /// Learns how a record is written that the tokenizer has passed, and gives the keys of all members
  /// that are known now; records are compared once the shape is accepted.
  ///
  ///     known:  {"town":…,"house":…,"letter":…}
  ///     record: {"town":…,"part":…,"letter":…}
  ///     now:    {"town":…,"part":…,"house":…,"letter":…}     house and part may be missing
  ///
  /// Gives nil where there is nothing to be gained: the record holds escapes or containers, the
  /// `room` behind it in the chunk is too short for another, or what was learned before was of no
  /// use.
  mutating func learn(_ raw: UnsafeRawBufferPointer, room: Int) -> [UnsafeRawBufferPointer]? {
    guard let start = raw.baseAddress?.assumingMemoryBound(to: UInt8.self),
      raw.count + Self.slack <= min(room, Self.longest), patience.allowsTry(),
      merge(start, start + raw.count)
    else {
      forget()
      return nil
    }
    isFresh = true
    return (0..<count).map { index in
      var label = PassedText(p: members[index].start)
      _ = label.separator()
      return label.key() ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  /// Puts the members of the record into those that are known.
  private mutating func merge(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    var isFirst = false
    var text = PassedText(p: start + 1)
    var memberStart = start
    var place = 0
    repeat {
      guard text.key() != nil, let value = ShapeValue(at: text.p, before: end) else { return false }
      var member = Member(
        start: memberStart, label: text.p - memberStart, value: value, isOptional: false)
      if memberStart == start {
        // What begins one record must not pass for what goes on in another.
        if !isFresh || count > 0 && !isSameLabel(members[0], member) { count = 0 }
        isFirst = count == 0
      }
      member.isOptional = !isFirst
      guard put(member, at: &place) else { return false }
      text.p += value.length
      memberStart = text.p
    } while text.separator() == UInt8(ascii: ",")
    for index in place..<count { members[index].isOptional = true }
    tail = end - memberStart
    tailStart = memberStart
    return true
  }

  /// Puts a member in its place, which is at `place` or behind it, and moves `place` on.
  private mutating func put(_ member: Member, at place: inout Int) -> Bool {
    if let known = (place..<count).first(where: { isSameLabel(members[$0], member) }) {
      for index in place..<known { members[index].isOptional = true }
      let isOptional = members[known].isOptional
      members[known] = member
      members[known].isOptional = isOptional
      place = known + 1
      return true
    }
    guard count < Self.most else { return false }
    for index in (place..<count).reversed() { members[index + 1] = members[index] }
    members[place] = member
    count += 1
    place += 1
    return true
  }

  private func isSameLabel(_ a: Member, _ b: Member) -> Bool {
    a.label == b.label
      && UnsafeRawBufferPointer(start: a.start, count: a.label)
        .elementsEqual(UnsafeRawBufferPointer(start: b.start, count: b.label))
  }
}
