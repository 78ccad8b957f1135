/// The workbooks of a run. Their ends are written when all rows and all rejected records are known.
struct WorkbookOutputs {
  private var workbooks: [Workbook] = []

  /// Opens a workbook for all tables, or one for each if its name has their names, and adds the
  /// branches that take their rows. Returns the files, each with the tables in it.
  ///
  /// Throws ``SinkFault/workbookOnTerminal(path:)``, and other ``PipelineError``s if a file cannot be
  /// made.
  mutating func open(
    _ destination: Conversion.Destination, of parts: inout [ConversionPart],
    _ conversion: Conversion, _ date: ContentDate, in set: OutputSet, _ queue: OutputQueue
  ) throws(PipelineError) -> [(output: Output, tables: Range<Int>)] {
    let ranges = destination.namesTables ? parts.indices.map { $0..<$0 + 1 } : [parts.indices]
    var files: [(output: Output, tables: Range<Int>)] = []
    for tables in ranges {
      let named = destination.named(by: parts[tables.lowerBound].table)
      let writer = try named.open(in: set)
      if writer.output.isTerminal {
        throw PipelineError(sink: .workbookOnTerminal(path: writer.output.path))
      }
      files.append((writer.output, tables))
      let workbook = Workbook(
        WorkbookFacts(of: conversion.feed, conversion.encoderOptions(date).calendar),
        into: ByteSink(writer), queue: queue, spoolingTo: named.folder)
      workbooks.append(workbook)
      for index in tables {
        parts[index].branches.append(Branch(SheetStage(parts[index].table, in: workbook)))
        let rejects =
          parts[index].rejects as? WorkbookRejects ?? WorkbookRejects(before: parts[index].rejects)
        rejects.workbooks.append(workbook)
        parts[index].rejects = rejects
      }
    }
    return files
  }

  /// Writes the ends. Throws the errors of the outputs.
  func finish() throws(PipelineError) {
    for workbook in workbooks { try workbook.finish() }
  }
}
