/// Describes the tables of a run for programs: a data package (Data Package 2.0, datapackage.org).
///
/// It names each file, how it is written, and the columns with their types and labels. It has
/// nothing of the run itself, so it stays the same while files, columns and options do.
struct DataPackage {
  private struct Resource {
    var name: String
    /// The path of the file, from the folder of the package.
    var path: String
    var format: OutputFormat
    var table: Table
    var columns: [Column]
    /// The dialect of its CSV.
    var dialect: CSVDialect

    /// The form of its text; nil for JSON.
    var form: DelimitedForm? {
      switch format {
      case .csv: DelimitedForm(dialect)
      case .tsv: .tabs
      default: nil
      }
    }
  }

  private let conversion: Conversion
  private var resources: [Resource] = []

  /// Describes the files of a conversion: each table in a file of its own. Standard output, and the
  /// files that columns name, are left out.
  init(_ conversion: Conversion, _ tables: [Table]) {
    self.conversion = conversion
    for output in conversion.outputs where output.isInPackage {
      for table in tables {
        guard let path = output.destination.named(by: table).path,
          let relative = Self.path(path, beside: conversion.schema?.path ?? "")
        else { continue }
        var name = table.name
        if resources.contains(where: { $0.name == name }) { name += "-\(output.format.rawValue)" }
        var number = 2
        let plain = name
        while resources.contains(where: { $0.name == name }) {
          name = "\(plain)-\(number)"
          number += 1
        }
        resources.append(
          Resource(
            name: name, path: relative, format: output.format, table: table,
            columns: (output.own.columns ?? conversion.columns ?? table.shownColumns).map {
              ChosenColumns($0, of: table).columns
            } ?? table.columns,
            dialect: output.own.dialect ?? conversion.dialect))
      }
    }
  }

  /// Returns the path of a file from the folder of the package; nil if it is outside of that
  /// folder, which a package does not allow.
  static func path(_ path: String, beside package: String) -> String? {
    func parts(_ path: String) -> [Substring] {
      path.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
    }
    guard path.hasPrefix("/") == package.hasPrefix("/") || package.isEmpty else { return nil }
    let (folder, file) = (parts(package).dropLast(), parts(path))
    guard file.starts(with: folder) else { return nil }
    let rest = file.dropFirst(folder.count)
    guard !rest.isEmpty, !rest.contains("..") else { return nil }
    return rest.joined(separator: "/")
  }

  /// Writes the package and finishes the file. Throws its errors.
  func write(into file: consuming OutputWriter) throws(PipelineError) {
    try file.write(encoded())
    try file.finish()
  }

  /// Returns the package as JSON, with a line feed.
  func encoded() -> ByteBuffer {
    var json = JSONObject()
    json.add("$schema", "https://datapackage.org/profiles/2.0/datapackage.json")
    json.add("name", conversion.feed.name)
    json.add("title", conversion.feed.summary[conversion.readerLanguage])
    if let url = conversion.feed.publicURL {
      json.openList("sources")
      json.openItem()
      json.add("title", conversion.feed.name)
      json.add("path", url)
      json.close()
      json.closeList()
    }
    json.openList("resources")
    for resource in resources { add(resource, to: &json) }
    json.closeList()
    return json.finish()
  }

  private func add(_ resource: Resource, to json: inout JSONObject) {
    json.openItem()
    json.add("name", resource.name)
    json.add("type", "table")
    json.add("path", resource.path)
    json.add("format", resource.format.rawValue)
    json.add("mediatype", resource.format.mediaType)
    json.add("encoding", "utf-8")
    if let form = resource.form {
      json.open("dialect")
      json.add("delimiter", String(UnicodeScalar(form.separator)))
      json.add("lineTerminator", form == .excel ? "\r\n" : "\n")
      json.close()
    }
    json.open("schema")
    json.openList("fields")
    for column in resource.columns { add(column, of: resource, to: &json) }
    json.closeList()
    addKeys(of: resource, to: &json)
    json.close()
    json.close()
  }

  private func add(_ column: Column, of resource: Resource, to json: inout JSONObject) {
    json.openItem()
    json.add("name", name(of: column, in: resource))
    if column.label != nil { json.add("title", column.heading(in: conversion.readerLanguage)) }
    json.add("type", column.kind.packageType)
    if column.kind == .decimal, resource.form == .excel { json.add("decimalChar", ",") }
    // A time on a clock has no form of its own there.
    if column.kind == .instant, resource.form == .excel { json.add("format", "any") }
    let isRequired = column.kind == .keyNumber || resource.table.requires(column.name)
    if isRequired || column.kind == .keyNumber {
      json.open("constraints")
      json.add("required", bare: "true")
      if column.kind == .keyNumber { json.add("pattern", "[0-9a-f]{16}") }
      json.close()
    }
    json.close()
  }

  private func addKeys(of resource: Resource, to json: inout JSONObject) {
    let table = resource.table
    func names(_ columns: [String]) -> [String]? {
      let found = columns.compactMap { name in resource.columns.first { $0.name == name } }
      return found.count == columns.count
        ? found.map { name(of: $0, in: resource) } : nil
    }
    if !table.key.isEmpty, let key = names(table.key) { json.add("primaryKey", key) }
    let references = table.references.compactMap { reference in
      resources.first { $0.table.name == reference.table && $0.format == resource.format }
        .map { (reference, $0) }
    }
    guard !references.isEmpty else { return }
    json.openList("foreignKeys")
    for (reference, other) in references {
      guard let own = names([reference.column]),
        let key = other.columns.first(where: { $0.name == reference.key })
      else { continue }
      json.openItem()
      json.add("fields", own)
      json.open("reference")
      json.add("resource", other.name)
      json.add("fields", [name(of: key, in: other)])
      json.close()
      json.close()
    }
    json.closeList()
  }

  /// The name of a column as the file has it.
  private func name(of column: Column, in resource: Resource) -> String {
    conversion.headerRow == .labels && resource.form != nil
      ? column.heading(in: conversion.readerLanguage) : column.name
  }
}

extension Feed {
  /// Returns a data package (Data Package 2.0) of the feed's tables, as JSON in a line: each with
  /// all of its columns, as a CSV file of its name. Labels are in this language. No data is read.
  package func dataPackage(in language: Language) -> String {
    var conversion = Conversion(of: .standardInput, as: self)
    conversion.readerLanguage = language
    conversion.outputs = [Conversion.Output(.file("{table}.csv"), .csv)]
    let json = DataPackage(conversion, tables).encoded()
    return String(decoding: json.contents, as: UTF8.self)
  }
}

extension Conversion.Output {
  /// Whether a data package has a place for it.
  package var isInPackage: Bool {
    format.mediaType != nil && destination != .standardOutput && !destination.namesColumns
  }
}

extension Conversion.Destination {
  /// Whether a data package at this path may name the table at another.
  package func canDescribe(_ table: String) -> Bool {
    DataPackage.path(table, beside: path ?? "") != nil
  }
}

extension ColumnKind {
  /// The type of a field (Table Schema 2.0).
  fileprivate var packageType: String {
    switch self {
    // Its times have seconds always, and no 24:00.
    case .text, .verbatim, .time, .keyNumber: "string"
    case .decimal: "number"
    case .integer: "integer"
    case .flag: "boolean"
    case .day: "date"
    case .instant: "datetime"
    }
  }
}

extension Table {
  /// Whether a record without a value in this column is rejected.
  fileprivate func requires(_ column: String) -> Bool {
    fields.contains { $0.isRequired && $0.columns.contains(column) }
  }
}
