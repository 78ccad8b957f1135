/// A calendar that the ledger writes. Its events do not come from the pass.
///
/// Closures hide the writer. They are made where its type is known, so that it stays specialised
/// for its output.
package final class EventCalendar {
  private let writeEvent:
    (borrowing Record, EventIdentity, EventRevision) throws(PipelineError) -> Void
  private let finishOutput: () throws(PipelineError) -> Void

  /// Writes the calendar's own properties. `event` is the feed's. Throws if the output fails.
  init<Output: ByteStage & ~Copyable>(
    _ table: Table, of feed: Feed, _ event: Event, options: CalendarOptions,
    into output: consuming Output, counters: Counters
  ) throws(PipelineError) {
    var writer = try CalendarWriter(
      table, of: feed, event, options: options, into: output, counters: counters)
    try writer.begin(options.name ?? event.calendarName[options.language])
    let box = Box(writer)
    writeEvent = { (record, identity, revision) throws(PipelineError) in
      try box.value.pointee.write(record, as: identity, revision)
    }
    finishOutput = { () throws(PipelineError) in try box.take().finish() }
  }

  /// Makes a calendar of many files, each with the events of its values. Throws the errors of the
  /// files.
  init(
    _ table: Table, of feed: Feed, _ event: Event, options: CalendarOptions,
    into files: SplitFiles, counters: Counters
  ) throws(PipelineError) {
    var writer = try CalendarWriter(
      table, of: feed, event, options: options, into: SplitSink(files), counters: counters)
    try writer.begin(options.name ?? event.calendarName[options.language])
    try writer.handOn()
    let box = Box(writer)
    writeEvent = { (record, identity, revision) throws(PipelineError) in
      _ = files.select(record)
      try box.value.pointee.write(record, as: identity, revision)
      try box.value.pointee.handOn()
      files.endRow()
    }
    finishOutput = { () throws(PipelineError) in
      files.beginFooter()
      try box.take().finish()
      try files.end()
    }
  }

  /// Makes a calendar whose events are passed to a closure.
  init(
    _ write:
      @escaping (borrowing Record, EventIdentity, EventRevision) throws(PipelineError) -> Void
  ) {
    writeEvent = write
    finishOutput = {}
  }

  /// Writes one event. Throws if the output fails.
  package func write(
    _ record: borrowing Record, as identity: EventIdentity, _ revision: EventRevision
  ) throws(PipelineError) {
    try writeEvent(record, identity, revision)
  }

  /// Writes the end of the calendar and finishes its output. Throws if the output fails. Nothing
  /// may be written afterwards.
  package func finish() throws(PipelineError) { try finishOutput() }
}

/// The name of a calendar, made of a row's columns.
struct CalendarName: ~Copyable {
  /// NAME (RFC 7986, section 5.1), and the property that older programs show.
  let name: TemplateText
  let shown: TemplateText

  /// Prepares a name. The template has no days.
  init(_ template: Template, columns: [Column]) {
    name = TemplateText("NAME:", template, columns: columns)
    shown = TemplateText("X-WR-CALNAME:", template, columns: columns)
  }
}
