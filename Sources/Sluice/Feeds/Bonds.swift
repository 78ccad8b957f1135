extension Feed {
  /// Prices of bonds, as a list of activities with a list of items each.
  static let bonds = Feed(
    name: "bonds",
    summary: Localized(ru: "цены облигаций", en: "bond prices"),
    url: nil,
    maxAge: 3600,
    language: .en,
    clockOffset: 0,
    envelope: nil,
    rows: ["activities", .each, "items", .each],
    fields: [
      Field(
        path: ["activities", .each, "isin"], rule: .text, columns: ["isin"], isRequired: true),
      Field(path: ["activities", .each, "title"], rule: .text, columns: ["title"]),
      Field(path: ["activities", .each, "currency"], rule: .text, columns: ["currency"]),
      Field(
        path: ["activities", .each, "items", .each, "date"], rule: .instant, columns: ["date"],
        isRequired: true),
      Field(
        path: ["activities", .each, "items", .each, "price"], rule: .decimal, columns: ["price"],
        isRequired: true),
    ],
    address: nil,
    event: nil)
}
