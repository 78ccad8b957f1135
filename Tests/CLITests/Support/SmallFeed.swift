import Foundation

/// Builds hot-water feeds out of JSON texts, in every form that they come in.
enum SmallFeed {
  /// A record with these values, each a JSON text.
  static func record(
    street: String = "\"Наличная\"", house: String = "\"15\"", locality: String = "\"Колпино\"",
    period: String = "\"22.06.2020-05.07.2020\"", more: String = ""
  ) -> String {
    "{\"Населенный пункт\":\(locality),\"Адрес жилого здания\":\(street),\"№ дома\":\(house),"
      + "\"Период отключения ГВС\":\(period)\(more)}"
  }

  /// A text as a JSON string, every character of it as an escape.
  static func quoted(_ text: String) -> String {
    "\"" + text.utf16.map { "\\u" + String(UInt32($0) + 0x10000, radix: 16).dropFirst() }.joined()
      + "\""
  }

  static func list(_ records: [String]) -> String { "[" + records.joined(separator: ",") + "]" }

  /// The API's answer around base64 text.
  static func envelope(_ text: String) -> String {
    "{\"status\":\"result\",\"responseData\":{\"classifiers\":[{\"classifierId\":4,\"file\":\""
      + text + "\"}]}}"
  }

  /// The API's answer around an archive.
  static func envelope(_ archive: [UInt8]) -> String {
    envelope(Data(archive).base64EncodedString())
  }
}
