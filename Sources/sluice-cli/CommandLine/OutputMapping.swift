import Sluice
import SluiceText

/// An output in a configuration file that has options of its own.
///
///     output:
///       - all.csv                     counts as -o all.csv
///       - path: home.ics              counts as -o home.ics
///         address: Непокорённых 15    counts for home.ics alone, in place of the other address
enum OutputMapping {
  /// The key of the path.
  static let path = "path"
  /// The keys of an output.
  static let keys = [path] + RowOptions.names.map(\.rawValue)
}

extension Option {
  /// Returns this option with an output of a configuration file as its value.
  func given(
    _ item: ConfigDocument.Item, of file: String
  ) throws(ConfigFault) -> Arguments.Given {
    switch item {
    case .text(let text):
      if text.isMissing { throw fault(.noValue(name.rawValue), text.place, file) }
      return Arguments.Given(option: self, value: text.text, origin: .file(file, text.place))
    case .mapping(let entries, let place):
      var path: ConfigDocument.Scalar?
      var options: [Arguments.Given] = []
      var cleared: [OptionName: Origin] = [:]
      for entry in entries {
        let key = entry.key.text
        let option = RowOptions.names.first { $0.rawValue == key }.flatMap(Option.named)
        guard key == OutputMapping.path || option != nil else {
          throw fault(.notOfOutput(key), entry.key.place, file)
        }
        var values: [ConfigDocument.Scalar] = []
        switch entry.value {
        case .text(let text): values = [text]
        case .list(let list) where option?.isRepeatable == true: values = list
        case .list, .outputs: throw fault(.listForOne(key), entry.place, file)
        }
        for value in values where value.isMissing { throw fault(.noValue(key), value.place, file) }
        guard let option else {
          path = values.first
          continue
        }
        if values.isEmpty { cleared[option.name] = .file(file, entry.place) }
        options += values.map {
          Arguments.Given(option: option, value: $0.text, origin: .file(file, $0.place))
        }
      }
      guard let path else { throw fault(.noPath, place, file) }
      return Arguments.Given(
        option: self, value: path.text, origin: .file(file, path.place),
        own: options.isEmpty && cleared.isEmpty ? nil : Arguments(options, cleared: cleared))
    }
  }

  private func fault(
    _ problem: ConfigFault.Problem, _ place: TextPlace, _ file: String
  ) -> ConfigFault {
    ConfigFault(file: file, place: place, problem: problem)
  }
}

extension Setting {
  /// Makes the settings of an output: its path, and the options of its own.
  static func output(_ given: Arguments.Given) -> [Setting] {
    let path = Setting(
      key: OutputMapping.path, value: .text(given.value ?? ""), origin: given.origin)
    guard let own = given.own else { return [path] }
    return [path]
      + RowOptions.names.compactMap { name in
        guard own.sets(name), let option = Option.named(name) else { return nil }
        let values = own.all(name)
        return Setting(
          key: name.rawValue,
          value: option.isRepeatable ? .list(values) : .text(values.last ?? ""), origin: nil)
      }
  }
}
