import CSluice

/// Walks through a record that the tokenizer has accepted, and adds its steps to the graph.
///
///     {"id":7,"at":[30.1,59.9]}     at[1] is wanted
///      ^ key ^ value
///
///     step      its value   state after it          place in the form
///     {"id":    id          members of the record   -1
///     ,"at":[   at[0]       at[0]                   -1
///     ,         at[1]       at[1]                   that of at[1]
///     ]}        (the end)
///
/// Where the members of an object may be any, a label ends with the bracket before them, and no
/// value follows. The keys of elements in a gap may be any too. They are values:
///
///     ]},"s7":{"name":"Markt"     step ]}, with the value "s7", step :{"name": with the value "Markt"
struct RecordLearner {
  /// An open container.
  private struct Container {
    let isObject: Bool
    /// Its place in the form; -1 if nothing inside is wanted.
    let place: Int
    /// Its path, and that of all its members, elements or keys.
    let path: Int
    let inside: Int
    /// The number of its tokens in the form; -1 if they are not wanted.
    let token: Int
    /// Whether its keys are values.
    let hasAnyKeys: Bool
    /// The number of the outermost container up to this one in which nothing is wanted; -1 if there
    /// is none.
    var unwanted = -1
    /// The number of elements so far.
    var count = 0
  }

  /// The deepest nesting in a record in which something is passed as a whole.
  static let depth = 64

  /// The most elements of a list that are told apart after the last one that is wanted.
  private static let mostApart = 8

  private var p: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var open: [Container] = []
  /// The path of the state after the current value.
  private var state = RecordPaths.top
  /// The key of a member as it is written, up to where its path is found.
  private var key: UnsafeRawBufferPointer?
  /// The place of the current value in the form, its number there, and whether it is only counted.
  private var place = 0
  private var slot = -1
  private var isCounted = false
  /// Whether it is an object or array that is passed as a whole.
  private var isPassed = false
  /// Whether it is in a member that is passed as a whole, with its key.
  private var isPassedMember = false
  /// Whether it is the key of a member.
  private var isKey = false
  /// What the label does if no value follows it.
  private var bracket: RecordShape.Role?
  /// The containers in which something was new that nobody wants.
  private var news: [RecordShape.Container] = []
  /// The start of the current label, and the brackets in it whose tokens are wanted.
  private var label: UnsafePointer<UInt8>
  /// Whether all has been walked through.
  private var isOver = false
  private var brackets: [RecordGraph.Bracket] = []

  init(_ record: UnsafePointer<UInt8>, count: Int) {
    p = record
    label = record
    end = record + count
  }

  /// Adds the steps up to the first one that cannot be followed: a wanted value is an object or
  /// array, another kind of value is demanded, or there is no room.
  mutating func learn(
    _ form: RecordForm, _ keys: borrowing WantedKeys, into graph: inout RecordGraph,
    decoded: inout ByteBuffer
  ) {
    graph.unwanted.noteLearned(end - p)
    for container in form.around { enter(container, form, &graph.paths) }
    var last = graph.unknown
    while moveToValue(form, keys, &graph) {
      if bracket != nil {
        guard let step = step(after: last, form, &graph) else { return }
        last = step
      } else {
        guard let value = value(form, &decoded) else { return }
        if isPassedMember {
          if last.pointee.role == .opened { last += 1 }
        } else {
          guard let step = step(after: last, form, &graph) else { return }
          step.pointee.meet(value, at: label)
          last = step
        }
        p += Int(value.length)
      }
      label = p
      brackets.removeAll(keepingCapacity: true)
    }
    guard isOver, known(in: graph, after: last, before: end + 1) == nil else { return }
    let text = UnsafeRawBufferPointer(start: label, count: p - label)
    _ = graph.add(.init(role: .end), after: last, text, brackets)
  }

  /// Returns the current value; nil if it cannot be followed.
  private func value(_ form: RecordForm, _ decoded: inout ByteBuffer) -> ShapeValue? {
    guard ShapeValue.isContainer(p.pointee) else {
      return ShapeValue(
        at: p, before: end, isWanted: slot != -1, isTidied: isTidied(form), decoded: &decoded)
    }
    var last = p
    return PassedValue.passContainer(&last, before: end)
      ? ShapeValue(containerAt: p, before: last) : nil
  }

  /// Returns the step after another one with the current label; nil if none is known.
  private func known(
    in graph: borrowing RecordGraph, after last: RecordShape.StepAddress,
    before limit: UnsafePointer<UInt8>
  ) -> RecordShape.StepAddress? {
    graph.step(after: last, at: label, before: limit).step
  }

  /// The containers that are open, as ``RecordShape/Step/objects``.
  private var objects: UInt16 {
    open.reduce(0) { $0 << 1 | ($1.isObject ? 1 : 0) }
  }

  /// Returns whether it is asked if the text of the current value is tidy.
  private func isTidied(_ form: RecordForm) -> Bool {
    slot >= 0 ? !form.untidied.contains(slot) : slot < -1 && form.tokensAreTidied
  }

  /// Returns the step to the current value; nil if there is no room.
  private mutating func step(
    after last: RecordShape.StepAddress, _ form: RecordForm,
    _ graph: inout RecordGraph
  ) -> RecordShape.StepAddress? {
    if let known = known(in: graph, after: last, before: end) {
      graph.noteOpening(known)
      return known
    }
    var inside = state
    if bracket == .opened, let object = open.last { inside = object.inside }
    guard let target = graph.state(state), let inside = graph.state(inside) else { return nil }
    let text = UnsafeRawBufferPointer(start: label, count: p - label)
    let container = container
    if place < 0, bracket == nil, !news.contains(container) {
      news.append(container)
      graph.unwanted.noteNews(in: container)
    }
    let isElement = isElement(from: Int(last.pointee.target), to: target)
    let new = RecordGraph.NewStep(
      target: target, inside: inside, objects: objects,
      wish: .init(
        slot, isCounted: isCounted, isTidied: isTidied(form), isPassed: isPassed, isKey: isKey),
      container: container, role: bracket ?? (isElement ? .element : nil))
    return graph.add(new, after: last, text, brackets)
  }

  /// Whether the step between these states leads from an element of a list to one of which several
  /// may be taken together.
  private func isElement(from source: Int, to target: Int) -> Bool {
    guard source == target, bracket == nil, brackets.isEmpty, open.last?.isObject == false,
      label.pointee == UInt8(ascii: ","), label + 1 + cscan_space(label + 1, p) == p
    else { return false }
    return slot < -1 || slot == -1 && !isPassed && cnumbers_at(p).ends.nonzeroBitCount > 2
  }

  /// Moves from the start of the record, or from the end of a value, to the next scalar value, or
  /// to the end of a label without one. Returns false after the end of the record or gap, or at
  /// what cannot be followed.
  private mutating func moveToValue(
    _ form: RecordForm, _ keys: borrowing WantedKeys, _ graph: inout RecordGraph
  ) -> Bool {
    var isAtValue = open.isEmpty
    (isPassed, bracket) = (false, nil)
    if isKey {
      moveToMember(form, &graph.paths)
      isAtValue = true
    }
    while true {
      if isAtValue {
        guard isAsDemanded(form) else { return false }
        if let object = container.object, place < 0 || !ShapeValue.isContainer(p.pointee) {
          graph.unwanted.noteMember(inObject: object, isWanted: place >= 0)
        }
        isPassedMember = place < 0 && slot == -1 && passesMembers(graph.unwanted)
        guard ShapeValue.isContainer(p.pointee), !isPassedMember else { return true }
        if place < 0, slot == -1, open.count <= Self.depth {
          // If all are passed, their keys may be any: they get no paths.
          isPassed = graph.unwanted.passesAll || graph.unwanted.passes(path(&graph.paths))
          if isPassed { return true }
        }
        if let last = form.around.last, last.place == place {
          keep(
            form.places[place].token, p.pointee == UInt8(ascii: "{") ? .beginObject : .beginArray)
          p += 1
          isOver = true
          return false
        }
        let isList = slot >= 0 && !isCounted && p.pointee == UInt8(ascii: "[")
        guard slot < 0 || isCounted || isList && form.places[place].isList else { return false }
        let path = path(&graph.paths)
        begin(path, form, &graph)
        if passesMembers(graph.unwanted) {
          end(.opened, in: graph.paths.path(.opened, of: path))
          return true
        }
      }
      skipSpace()
      if p.pointee | 0x20 == UInt8(ascii: "}") {
        let container = open.removeLast()
        keep(container.token, container.isObject ? .endObject : .endArray)
        p += 1
        guard let outer = open.last else {
          isOver = form.around.isEmpty
          return false
        }
        if passesMembers(graph.unwanted) {
          end(.closed, in: outer.inside)
          return true
        }
        isAtValue = false
        continue
      }
      if p.pointee == UInt8(ascii: ",") { p += 1 }
      guard enter(form, keys, &graph.paths) else { return false }
      if isKey { return true }
      isAtValue = true
    }
  }

  /// Moves from a key that is a value to the value of its member.
  private mutating func moveToMember(_ form: RecordForm, _ paths: inout RecordPaths) {
    (isKey, isPassedMember) = (false, false)
    skipSpace()
    // The colon.
    p += 1
    skipSpace()
    let container = open[open.count - 1]
    state = paths.path(.anyMember, of: container.path)
    setPlace(form.places[container.place].any, form)
  }

  /// Moves to the place of the current value, whose number is that of its place.
  private mutating func setPlace(_ place: Int, _ form: RecordForm) {
    self.place = place
    (slot, isCounted) = (-1, false)
    guard place >= 0 else { return }
    let token = form.places[place].token
    slot = token >= 0 ? RecordShape.Step.token(token) : form.places[place].value
  }

  /// What the current value is in.
  private var container: RecordShape.Container {
    guard let last = open.last else { return .other }
    if last.unwanted >= 0 { return .unwanted(last.unwanted) }
    let mayBePassed =
      last.isObject && !last.hasAnyKeys && 0..<Int(Int16.max) ~= last.place
      && open.count <= Self.depth
    return mayBePassed ? .object(last.place) : .other
  }

  /// Returns whether members that nobody wants are passed as wholes in the innermost container.
  private func passesMembers(_ unwanted: borrowing UnwantedContainers) -> Bool {
    container.object.map { unwanted.passesMembers(in: $0) } ?? false
  }

  /// Ends the label without a value, in this state.
  private mutating func end(_ role: RecordShape.Role, in state: Int) {
    bracket = role
    self.state = state
    (slot, isCounted, isPassedMember) = (-1, false, false)
  }

  /// Returns the path of the current value. Only containers need one of their own.
  private mutating func path(_ paths: inout RecordPaths) -> Int {
    guard let key, let object = open.last else { return state }
    return paths.path(ofMember: key, of: object.path)
  }

  /// Returns whether the current value is of the kind that its place demands.
  private func isAsDemanded(_ form: RecordForm) -> Bool {
    guard place >= 0, let demand = form.places[place].demand else { return true }
    return switch p.pointee {
    case UInt8(ascii: "{"): demand == .object
    case UInt8(ascii: "["): demand == .array
    default: demand == .scalar
    }
  }

  /// Enters a container around a gap, as if it had been begun.
  private mutating func enter(
    _ container: RecordForm.Around, _ form: RecordForm, _ paths: inout RecordPaths
  ) {
    var path = open.last?.path ?? RecordPaths.top
    switch container.way {
    case .outermost: break
    case .key(let key): path = key.withUnsafeBytes { paths.path(ofMember: $0, of: path) }
    case .member: path = paths.path(.anyMember, of: path)
    case .element: path = paths.path(.elements, of: path)
    }
    let place = form.places[container.place]
    let (isObject, hasAnyKeys) = (place.demand == .object, place.any >= 0)
    let inside = paths.path(Self.part(isObject, hasAnyKeys), of: path)
    open.append(
      Container(
        isObject: isObject, place: container.place, path: path, inside: inside,
        token: place.token, hasAnyKeys: hasAnyKeys))
  }

  /// Returns which part of the path of a container all is in that it contains.
  private static func part(_ isObject: Bool, _ hasAnyKeys: Bool) -> RecordPaths.Part {
    hasAnyKeys ? .anyKey : isObject ? .members : .elements
  }

  /// Begins the container at its bracket.
  private mutating func begin(_ path: Int, _ form: RecordForm, _ graph: inout RecordGraph) {
    let isObject = p.pointee == UInt8(ascii: "{")
    // The elements of a list need no numbers if nothing in it is wanted.
    let isWanted =
      place >= 0
      && (isObject || form.places[place].each >= 0 || !form.places[place].elements.isEmpty)
    let hasAnyKeys = place >= 0 && form.places[place].any >= 0
    var container = Container(
      isObject: isObject, place: isWanted ? place : -1, path: path,
      inside: graph.paths.path(Self.part(isObject, hasAnyKeys), of: path),
      token: place >= 0 ? form.places[place].token : -1, hasAnyKeys: hasAnyKeys)
    container.unwanted = open.last?.unwanted ?? -1
    if container.unwanted < 0, place < 0, slot == -1 {
      container.unwanted = graph.unwanted.number(of: path)
    }
    keep(container.token, isObject ? .beginObject : .beginArray)
    if isCounted {
      brackets.append(
        .init(number: slot, isCounted: true, kind: .beginArray, offset: p - label))
    }
    open.append(container)
    p += 1
  }

  /// Keeps the current bracket of a container if its token is wanted.
  private mutating func keep(_ token: Int, _ kind: TokenKind) {
    guard token >= 0 else { return }
    brackets.append(.init(number: token, kind: kind, offset: p - label))
  }

  /// Moves to the value of the next member or element. Returns false if it has a key that cannot be
  /// read, or if it may not be there.
  private mutating func enter(
    _ form: RecordForm, _ keys: borrowing WantedKeys, _ paths: inout RecordPaths
  ) -> Bool {
    let container = open[open.count - 1]
    open[open.count - 1].count += 1
    (state, key) = (container.inside, nil)
    skipSpace()
    if container.hasAnyKeys {
      setPlace(-1, form)
      slot = RecordShape.Step.token(form.places[container.place].keyToken)
      (isKey, isPassedMember) = (true, false)
    } else if container.isObject {
      guard let found = enterMember(keys, in: container.place) else { return false }
      setPlace(found, form)
    } else {
      return enterElement(of: container, form, &paths)
    }
    return true
  }

  /// Moves to the next element of a list, at its first byte. Returns false if it may not be there.
  private mutating func enterElement(
    of container: Container, _ form: RecordForm, _ paths: inout RecordPaths
  ) -> Bool {
    setPlace(form.place(ofElement: container.count, in: container.place), form)
    if container.place >= 0, form.places[container.place].each < 0 {
      let list = form.places[container.place]
      // Some after those that are wanted are told apart, because many lists have few, and as many
      // as the one before. All others are alike.
      if list.elements.contains(where: { $0.index + Self.mostApart >= container.count }) {
        state = paths.path(ofElement: container.count, of: container.path)
      }
      if place < 0 {
        if list.hasNoOthers { return false }
        slot = list.others
        isCounted = slot >= 0
      }
    }
    return true
  }

  /// Moves from a key to the first byte of its value. Returns the value's place in the form; nil if
  /// the key cannot be read.
  private mutating func enterMember(_ keys: borrowing WantedKeys, in object: Int) -> Int? {
    let start = p
    var hasEscapes = false
    p += 1
    while p.pointee != UInt8(ascii: "\"") {
      if p.pointee == UInt8(ascii: "\\") {
        hasEscapes = true
        p += 1
      }
      p += 1
    }
    let count = p - start - 1
    key = UnsafeRawBufferPointer(start: start + 1, count: count)
    p += 1
    skipSpace()
    // The colon.
    p += 1
    skipSpace()
    guard object >= 0 else { return -1 }
    guard hasEscapes else {
      guard let number = keys.number(at: start + 1, count: count, in: object) else { return -1 }
      return Int(keys[number].place)
    }
    var decoded = ByteBuffer(capacity: 1)
    return switch keys.number(withEscapesAt: start, before: end, in: object, &decoded) {
    case .wanted(let number): Int(keys[number].place)
    case .unwanted: -1
    case .unreadable: nil
    }
  }

  private mutating func skipSpace() {
    while p.pointee <= 0x20 { p += 1 }
  }
}
