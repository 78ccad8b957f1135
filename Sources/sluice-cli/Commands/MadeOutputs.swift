import Sluice
import SluiceText

/// The outputs of tables that the program makes: a history, or a list of changes.
struct MadeOutputs: Equatable, Sendable {
  var outputs: [Output]
  private var columns: [String]?
  private var dialect: CSVDialect
  private var form: TableOptions
  private var maxOutput: Int?
  /// The order that the user chose; empty for none.
  var sort: [SortOrder] { form.sort }

  /// Reads the options. `feed` has the one table that is made; `inputs` must not be overwritten.
  init(_ arguments: Arguments, of feed: Feed, inputs: [Input]) throws(UsageError) {
    outputs = try Output.all(named: arguments.all(.output), format: try arguments.choice(.format))
    for output in outputs where output.format == .ics || output.format == .site {
      let path = arguments.all(.output).first { Destination($0) == output.destination }
      throw .table(.notATable(path: path ?? output.format.rawValue))
    }
    let tables = feed.tables
    for output in outputs { try output.checkPlaces(tables) }
    columns = try RowOptions.columns(arguments.all(.columns), of: tables)
    dialect = try arguments.choice(.csvDialect) ?? .plain
    form = try TableOptions(arguments, outputs, of: tables, in: feed)
    maxOutput = try arguments.value(.maxOutput, byteCount)
    try checkFiles(inputs)
  }

  private func checkFiles(_ inputs: [Input]) throws(UsageError) {
    let inputs = inputs.compactMap { SameFile($0) }
    for (index, output) in outputs.enumerated() {
      let file = SameFile(output.destination)
      if inputs.contains(where: { $0.matches(file) }) {
        switch output.destination {
        case .file(let path): throw .outputIsInput("-o", path: path)
        case .standardOutput: throw .standardOutputIsInput
        }
      }
      for other in outputs[..<index] where SameFile(other.destination).matches(file) {
        guard case .file(let path) = output.destination else {
          throw .sharedStandardOutput("-o", "-o")
        }
        throw .sharedFile("-o", "-o", path: path)
      }
    }
  }

  /// Whether one of them is shown on a terminal, where it must not mix with a line of progress.
  var isOnTerminal: Bool {
    outputs.contains { $0.destination == .standardOutput } && Descriptor.standardOutput.isTerminal
  }

  /// The conversion that writes them. The caller makes its rows.
  func conversion(of feed: Feed) -> Conversion {
    var conversion = Conversion(of: .bytes([]), as: feed)
    conversion.outputs = outputs
    conversion.columns = columns
    conversion.dialect = dialect
    conversion.headerRow = form.headerRow
    conversion.readerLanguage = form.readerLanguage
    conversion.sort = form.sort
    conversion.limit = form.limit
    conversion.schema = form.schema
    // The usual limit is one for the size of an input, and this has many.
    conversion.maxOutput = maxOutput ?? Conversion.maxMadeOutput
    return conversion
  }
}

extension Conversion {
  /// The most bytes of all outputs of a history: 2 GiB.
  fileprivate static let maxMadeOutput = 2 << 30
}

extension Arguments {
  /// Reads a pattern of days in names.
  func pattern(_ name: OptionName) throws(UsageError) -> InputDatePattern? {
    try value(name) { InputDatePattern($0) }
  }
}

extension Feed {
  /// Makes the feed of a table that is made of this one's events.
  func made(
    _ make: (Feed) throws(PipelineError) -> Feed
  ) throws(UsageError) -> Feed {
    do throws(PipelineError) {
      return try make(self)
    } catch {
      throw .table(.noLedger(feed: name))
    }
  }
}
