/// A record of the hot-water feed, as JSON.
func house(
  _ street: String = "Краснопутиловская", _ number: String? = "65", building: String? = nil,
  letter: String? = nil, locality: String? = "Санкт-Петербург",
  period: String = "22.06.2020-05.07.2020"
) -> String {
  let members: [(String, String?)] = [
    ("Населенный пункт", locality), ("Адрес жилого здания", street), ("№ дома", number),
    ("корпус", building), ("литер", letter), ("Период отключения ГВС", period),
  ]
  let texts = members.compactMap { key, value in value.map { #""\#(key)": "\#($0)""# } }
  return "{\(texts.joined(separator: ", "))}"
}

/// A list of records, as JSON.
func list(_ records: String...) -> String { "[\(records.joined(separator: ",\n"))]" }
