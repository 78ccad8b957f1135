/// The styles of cells, by their places in the list of styles.
enum CellStyle: Int {
  case plain, heading, numberHeading, text, wrapped, number, flag, day, instant
}

/// What a workbook says beside its rows.
struct WorkbookFacts {
  /// The title in its properties.
  var title: String
  /// The language of headings, and of the form of days.
  var language: Language
  /// The time of the content, in seconds since 1970. Unknown until the first row.
  var time: () -> Int?
}

extension WorkbookFacts {
  /// The facts about a feed, for a reader.
  init(of feed: Feed, _ options: EncoderOptions) {
    language = options.readerLanguage
    title =
      options.calendar.name ?? feed.event?.calendarName[language] ?? feed.summary[language]
    let (stamp, date) = (options.calendar.stamp, options.calendar.date)
    time = { stamp ?? date.seconds }
  }
}

/// Makes the small parts of a workbook (ECMA-376-1, section 12; part 2 for the package).
enum WorkbookParts {
  /// A part, by its path in the archive.
  struct Part {
    var path: String
    var text: String
  }

  static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
  static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  private static let office =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  private static let package = "http://schemas.openxmlformats.org/package/2006"
  private static let types = "application/vnd.openxmlformats-officedocument.spreadsheetml"

  /// The parts before the sheets. Tools that look at the first names of an archive know a workbook
  /// by them.
  static func first(_ facts: WorkbookFacts) -> [Part] {
    [
      Part(path: "_rels/.rels", text: packageRelations),
      Part(path: "docProps/core.xml", text: properties(facts)),
      Part(path: "xl/styles.xml", text: styles(facts.language)),
    ]
  }

  /// The parts after the sheets, which are at these paths.
  static func last(_ sheets: [WorkbookSheet], _ paths: [String]) -> [Part] {
    [
      Part(path: "xl/workbook.xml", text: workbook(sheets)),
      Part(path: "xl/_rels/workbook.xml.rels", text: relations(paths)),
      Part(path: "[Content_Types].xml", text: contentTypes(paths)),
    ]
  }

  /// Appends a text with its markup escaped, for an element or an attribute in double quotes.
  static func append(_ text: String, to buffer: inout ByteBuffer) {
    var copy = ByteBuffer(capacity: max(1, text.utf8.count))
    copy.append(string: text)
    let end = CellText.put(
      copy.contents, at: buffer.end(withRoom: CellText.growth * copy.count + CellText.most))
    buffer.commit(upTo: end)
  }

  private static func escaped(_ text: String) -> String {
    var buffer = ByteBuffer(capacity: 256)
    append(text, to: &buffer)
    return String(decoding: buffer.contents, as: UTF8.self).putting("&quot;", for: "\"")
  }

  // MARK: The package

  private static var packageRelations: String {
    """
    \(declaration)<Relationships xmlns="\(package)/relationships">\
    <Relationship Id="rId1" Type="\(office)/officeDocument" Target="xl/workbook.xml"/>\
    <Relationship Id="rId2" Type="\(package)/relationships/metadata/core-properties" \
    Target="docProps/core.xml"/></Relationships>
    """
  }

  private static func properties(_ facts: WorkbookFacts) -> String {
    let time = facts.time().map { seconds in
      """
      <dcterms:created xsi:type="dcterms:W3CDTF">\(InstantText.utc(seconds))</dcterms:created>
      """
    }
    return """
      \(declaration)<cp:coreProperties xmlns:cp="\(package)/metadata/core-properties" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" \
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\
      <dc:title>\(escaped(facts.title))</dc:title>\(time ?? "")\
      <dc:language>\(facts.language.rawValue)</dc:language></cp:coreProperties>
      """
  }

  private static func contentTypes(_ paths: [String]) -> String {
    let overrides =
      [
        ("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"),
        ("xl/workbook.xml", "\(types).sheet.main+xml"), ("xl/styles.xml", "\(types).styles+xml"),
      ] + paths.map { ($0, "\(types).worksheet+xml") }
    return """
      \(declaration)<Types xmlns="\(package)/content-types">\
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
      <Default Extension="xml" ContentType="application/xml"/>\
      \(overrides.map { "<Override PartName=\"/\($0)\" ContentType=\"\($1)\"/>" }.joined())</Types>
      """
  }

  // MARK: The workbook

  private static func workbook(_ sheets: [WorkbookSheet]) -> String {
    var (list, names) = ("", "")
    for (index, sheet) in sheets.enumerated() {
      let name = escaped(sheet.name)
      list += "<sheet name=\"\(name)\" sheetId=\"\(index + 1)\" r:id=\"rId\(index + 1)\"/>"
      // The rows of the filter, which some programs want by name; and the row on every printed
      // page.
      names += """
        <definedName name="_xlnm._FilterDatabase" localSheetId="\(index)" hidden="1">\
        '\(name)'!$A$1:$\(sheet.lastColumn)$\(sheet.rows)</definedName>
        """
      names += """
        <definedName name="_xlnm.Print_Titles" localSheetId="\(index)">'\(name)'!$1:$1</definedName>
        """
    }
    return """
      \(declaration)<workbook xmlns="\(main)" xmlns:r="\(office)"><bookViews>\
      <workbookView xWindow="0" yWindow="0" windowWidth="24000" windowHeight="12000"/></bookViews>\
      <sheets>\(list)</sheets><definedNames>\(names)</definedNames></workbook>
      """
  }

  private static func relations(_ paths: [String]) -> String {
    let sheets = paths.enumerated().map { index, path in
      """
      <Relationship Id="rId\(index + 1)" Type="\(office)/worksheet" \
      Target="\(path.dropFirst("xl/".count))"/>
      """
    }
    return """
      \(declaration)<Relationships xmlns="\(package)/relationships">\(sheets.joined())\
      <Relationship Id="rId\(paths.count + 1)" Type="\(office)/styles" Target="styles.xml"/>\
      </Relationships>
      """
  }

  // MARK: Styles

  /// The styles of cells, in the order of ``CellStyle``. 49 is the format of texts (section
  /// 18.8.30).
  private static func styles(_ language: Language) -> String {
    let day: Localized = Localized(ru: "dd\\.mm\\.yyyy", en: "yyyy\\-mm\\-dd")
    let top = "<alignment vertical=\"top\"/>"
    let left = "<alignment horizontal=\"left\" vertical=\"top\"/>"
    func style(_ format: Int, _ alignment: String, isHeading: Bool = false) -> String {
      """
      <xf numFmtId="\(format)" fontId="\(isHeading ? 1 : 0)" fillId="\(isHeading ? 2 : 0)" \
      borderId="\(isHeading ? 1 : 0)" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" \
      applyBorder="1" applyAlignment="1">\(alignment)</xf>
      """
    }
    let all = [
      style(0, ""), style(49, "<alignment vertical=\"center\"/>", isHeading: true),
      // Room for the button of the filter, and between a number and a text beside it.
      style(
        49, "<alignment horizontal=\"right\" vertical=\"center\" indent=\"2\"/>", isHeading: true),
      style(49, top), style(49, "<alignment vertical=\"top\" wrapText=\"1\"/>"),
      style(0, "<alignment horizontal=\"right\" vertical=\"top\" indent=\"1\"/>"),
      style(0, left), style(164, left), style(165, left),
    ]
    return """
      \(declaration)<styleSheet xmlns="\(main)"><numFmts count="2">\
      <numFmt numFmtId="164" formatCode="\(day[language])"/>\
      <numFmt numFmtId="165" formatCode="\(day[language])\\ hh:mm:ss"/></numFmts>\
      <fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>\
      <font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>\
      <fills count="3"><fill><patternFill patternType="none"/></fill>\
      <fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid">\
      <fgColor rgb="FFE7ECF3"/><bgColor indexed="64"/></patternFill></fill></fills>\
      <borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>\
      <border><left/><right/><top/><bottom style="thin"><color rgb="FF8A97A8"/></bottom>\
      <diagonal/></border></borders>\
      <cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
      <cellXfs count="\(all.count)">\(all.joined())</cellXfs>\
      <cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>\
      </styleSheet>
      """
  }
}
