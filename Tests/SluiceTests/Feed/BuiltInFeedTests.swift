import Testing

@testable import Sluice

/// The documents that are built in say what the feeds' data always said.
@Suite struct BuiltInFeedTests {
  private func template(
    _ prefix: String, _ clauses: [[(String, String)]], suffix: String = ""
  ) -> Template {
    Template(
      prefix: prefix,
      clauses: clauses.map { $0.map { Template.Part(words: $0.0, column: $0.1) } }, suffix: suffix)
  }

  @Test(arguments: Feed.names)
  func `every document is read without fault`(name: String) throws {
    let document = try #require(Feed.document(named: name))
    #expect(try FeedDocument.read(document).name == name)
    #expect(Feed.named(name)?.name == name)
  }

  @Test func `hot water`() {
    let house = (
      ru: [("дом ", "house"), ("корпус ", "building"), ("литер ", "letter")],
      en: [("house ", "house"), ("building ", "building"), ("letter ", "letter")]
    )
    let days = template("", [[("", "days")]])
    var feed = Feed(
      name: "hot-water",
      summary: Localized(
        ru: "отключения горячей воды в Санкт-Петербурге",
        en: "hot-water shutdowns in St. Petersburg"),
      url: "https://api.gu.spb.ru/UniversalMobileService/classifiers/downloadClassifiers"
        + "?classifiersId=4",
      maxAge: 3 * 3600, language: .ru, clock: .offset(3 * 3600),
      envelope: Envelope(
        status: Envelope.Test(path: ["status"], value: "result"),
        match: Envelope.Test(
          path: ["responseData", "classifiers", .each, "classifierId"], value: "4"),
        payload: ["responseData", "classifiers", .each, "file"],
        version: ["responseData", "classifiers", .each, "version"]),
      rows: [.each],
      fields: [
        Field(path: [.each, "Населенный пункт"], kind: .text, columns: ["locality"]),
        Field(
          path: [.each, "Адрес жилого здания"], kind: .text, columns: ["street"], isRequired: true),
        Field(path: [.each, "№ дома"], kind: .text, columns: ["house"]),
        Field(path: [.each, "корпус"], kind: .text, columns: ["building"]),
        Field(path: [.each, "литер"], kind: .text, columns: ["letter"]),
        Field(
          path: [.each, "Период отключения ГВС"], kind: .period,
          columns: ["start_date", "end_date"], isRequired: true, skip: "ГВС сохранено"),
      ],
      keyNumber: KeyNumber(
        column: "address_id", parts: ["locality", "street", "house", "building", "letter"]),
      event: Event(
        calendarName: Localized(ru: "Отключение горячей воды", en: "Hot water outages"),
        color: "dodgerblue", refresh: "P1D",
        summary: Localized(
          ru: template("", [[("", "street")], house.ru], suffix: ": нет горячей воды"),
          en: template("", [[("", "street")], house.en], suffix: ": no hot water")),
        ownSummary: Localized(
          ru: template("Нет горячей воды", []), en: template("No hot water", [])),
        location: Localized(
          ru: template("", [[("", "locality")], [("", "street")], house.ru]),
          en: template("", [[("", "locality")], [("", "street")], house.en])),
        description: Localized(ru: days, en: days),
        category: Localized(ru: "Горячая вода", en: "Hot water"),
        start: "start_date", end: "end_date"))
    feed.isBuiltIn = true
    feed.tables[0].search = SearchRule(
      items: zip(
        ["locality", "street", "house", "building", "letter"], SearchRule.Part.allCases
      ).map { SearchRule.Item(column: $0, part: $1) })
    for (field, label) in [
      Localized(ru: "Населённый пункт", en: "Town"), Localized(ru: "Улица", en: "Street"),
      Localized(ru: "Дом", en: "House"), Localized(ru: "Корпус", en: "Building"),
      Localized(ru: "Литера", en: "Letter"),
    ].enumerated() {
      feed.tables[0].fields[field].labels = [label]
    }
    feed.tables[0].fields[5].labels = [
      Localized(ru: "Начало отключения", en: "Start of outage"),
      Localized(ru: "Конец отключения", en: "End of outage"),
    ]
    feed.tables[0].keyNumber?.label = Localized(ru: "Номер адреса", en: "Address ID")
    #expect(Feed.hotWater == feed)
  }

  @Test func `bonds`() {
    var feed = Feed(
      name: "bonds", summary: Localized(ru: "цены облигаций", en: "bond prices"), maxAge: 3600,
      language: .en, rows: ["activities", .each, "items", .each],
      fields: [
        Field(
          path: ["activities", .each, "isin"], kind: .text, columns: ["isin"], isRequired: true),
        Field(path: ["activities", .each, "title"], kind: .text, columns: ["title"]),
        Field(path: ["activities", .each, "currency"], kind: .text, columns: ["currency"]),
        Field(
          path: ["activities", .each, "items", .each, "date"], kind: .instant, columns: ["date"],
          isRequired: true),
        Field(
          path: ["activities", .each, "items", .each, "price"], kind: .decimal, columns: ["price"],
          isRequired: true),
      ])
    feed.isBuiltIn = true
    for (field, label) in [
      Localized(ru: "ISIN", en: "ISIN"), Localized(ru: "Название", en: "Name"),
      Localized(ru: "Валюта", en: "Currency"), Localized(ru: "Дата и время", en: "Date and time"),
      Localized(ru: "Цена", en: "Price"),
    ].enumerated() {
      feed.tables[0].fields[field].labels = [label]
    }
    #expect(Feed.bonds == feed)
  }

  @Test func `every column of a built-in feed has a heading of its own in both languages`() throws {
    for name in Feed.names {
      for table in try #require(Feed.named(name)).tables {
        for language in Language.allCases {
          let headings = table.columns.map { $0.label?[language] }
          #expect(!headings.contains(nil), "\(name) \(table.name)")
          #expect(Set(headings).count == headings.count, "\(name) \(table.name)")
        }
      }
    }
  }

  @Test func `what the help says of hot water's age is so`() {
    #expect(Feed.hotWater.maxAge == 3 * 3600)
  }
}
