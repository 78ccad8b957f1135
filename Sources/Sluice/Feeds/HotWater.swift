extension Feed {
  /// The schedule of hot-water shutdowns in St. Petersburg.
  static let hotWater = Feed(
    name: "hot-water",
    summary: Localized(
      ru: "отключения горячей воды в Санкт-Петербурге",
      en: "hot-water shutdowns in St. Petersburg"),
    url: "https://api.gu.spb.ru/UniversalMobileService/classifiers/downloadClassifiers"
      + "?classifiersId=4",
    maxAge: 3 * 3600,
    language: .ru,
    clockOffset: 3 * 3600,
    envelope: Envelope(
      status: ["status"], accepted: "result",
      mark: ["responseData", "classifiers", .each, "classifierId"], marked: "4",
      payload: ["responseData", "classifiers", .each, "file"],
      version: ["responseData", "classifiers", .each, "version"]),
    rows: [.each],
    fields: [
      Field(path: [.each, "Населенный пункт"], rule: .text, columns: ["locality"]),
      Field(
        path: [.each, "Адрес жилого здания"], rule: .text, columns: ["street"], isRequired: true),
      Field(path: [.each, "№ дома"], rule: .text, columns: ["house"]),
      Field(path: [.each, "корпус"], rule: .text, columns: ["building"]),
      Field(path: [.each, "литер"], rule: .text, columns: ["letter"]),
      Field(
        path: [.each, "Период отключения ГВС"], rule: .period,
        columns: ["start_date", "end_date"], isRequired: true, skip: "ГВС сохранено"),
    ],
    address: AddressColumn(
      column: "address_id", parts: ["locality", "street", "house", "building", "letter"]),
    event: Event(
      calendarName: Localized(ru: "Отключение горячей воды", en: "Hot water outages"),
      color: "dodgerblue",
      refresh: "P1D",
      summary: Template(
        prefix: Localized(ru: "Нет горячей воды: ", en: "No hot water: "),
        clauses: [[.init("street")], house]),
      location: Template(clauses: [[.init("locality")], [.init("street")], house]),
      category: Localized(ru: "Горячая вода", en: "Hot water")))

  private static let house: [Template.Part] = [
    .init("house", ru: "дом", en: "house"),
    .init("building", ru: "корпус", en: "building"),
    .init("letter", ru: "литер", en: "letter"),
  ]
}
