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

/// A record of an address that was made to have the number of Лесная, 7, in Пушкин.
func forgedHouse(period: String = "22.06.2020-05.07.2020") -> String {
  let street =
    "vzt86b7y5hu596850prr3z0yqbfv5b9m20n8cwy55hzvv1xc0n6iujeayk7e08wfwai4tn8l6gq947pl0lvmgssnapwv48"
    + "fr7seeulgc3hnmr13bhgj3q0r7dytehf0gd9djq1n06o1ebre2r07x6vk0yeos6ldnkutpu053k19otan76a1ycm008eq"
  return house(street, nil, locality: nil, period: period)
}

/// A record of the address whose number ``forgedHouse(period:)`` has.
func forestHouse(period: String = "22.06.2020-05.07.2020") -> String {
  house("Лесная", "7", locality: "Пушкин", period: period)
}
