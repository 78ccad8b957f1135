/// An error in a feed document, and its place.
public struct FeedDocumentFault: Error, Equatable, Sendable {
  /// The kinds of values in YAML.
  package enum Kind: Equatable, Sendable {
    case text, list, mapping
  }

  /// The meaning that a text must have.
  package enum Wanted: Equatable, Sendable {
    case feedName, columnName, url, time, clock, zone, percentage, color, refresh, trueOrFalse
    case headerName, headerValue, itemName, size
    case text, integer, decimal, day, instant, timeOfDay, years
    /// What stands before the decimals of a number, and between its thousands. The argument is the
    /// sign that is before the decimals; nil if there are none.
    case decimalSign
    /// The characters that are taken off the ends of a text.
    case characters
    case thousandsSign(taken: String?)
    /// How long an event lasts.
    case length
    /// The days of a unit on which an event comes again.
    case daysOf(Recurrence.Unit)
    /// The version of a document.
    case version
    /// A number of a part, from 1 or from the end.
    case partNumber
    /// A whole number of at most `most`.
    case count(most: Int)
  }

  /// An error in a path.
  package enum PathFlaw: Equatable, Sendable {
    /// A key is missing, or brackets contain something else.
    case syntax
    /// The path to the rows does not end in a list.
    case noList
    /// Its list is not on the path to the rows, which is `rows`.
    case otherList(rows: String)
    /// It leads to the rows or to something around them, not to a value.
    case onTheWay
    /// It leads to a list, all elements of which are not one value.
    case wholeList
    /// Another column is read from there, from inside, or from around.
    case taken(column: String)
    /// Its elements are picked of the row itself, or of what is around the rows.
    case picksOfRow
    /// It has one element of a list, which is allowed for columns only.
    case oneElement
    /// It has `*`, which is allowed for rows and what is around them only.
    case wildcard
    /// It counts a key that the rows do not have: their path has this number of `*`.
    case noElementKey(wildcards: Int)
    /// It leads to no list that can be one of several parallel ones: it begins with no key, leads
    /// through other lists, or into another one of them.
    case notZippable
    /// The rows are made of lists, and it is not the element of one of these.
    case notOneOfLists([String])
    /// It has more steps than this, so that nothing can be there.
    case tooLong(limit: Int)
    /// It must lead to a sibling of the payload, in this object.
    case notBeside(payload: String)
    /// The payload is in a list, and no match says in which element.
    case listWithoutMatch
    /// There is a match, but the payload is in no list, or in several.
    case matchWithoutList
  }

  /// An error in the format of a day or a time.
  package enum FormatFlaw: Equatable, Sendable {
    /// It has no letter or sign.
    case empty
    /// It has more bytes than this.
    case tooLong(limit: Int)
    /// A letter has no meaning here.
    case letter(String, allowed: [String])
    /// A letter does not come so many times.
    case width(String, allowed: [String])
    /// A part of the day or time comes a second time, as these letters.
    case twice(String)
    /// The part with this letter is missing.
    case without(String)
    /// A quotation mark is not closed.
    case openQuote
    /// Two numbers without a fixed width are next to each other.
    case openWidths
    /// Nothing says which years two digits mean.
    case withoutYears
  }

  /// An error in a template.
  package enum TemplateFlaw: Equatable, Sendable {
    /// A brace is not closed, or not opened.
    case brace
    /// A pair of braces names no column.
    case empty
  }

  package enum Problem: Equatable, Sendable {
    case yaml(YAMLFault.Problem)
    /// It is JSON without any key of a document: an answer of a feed, not its description.
    case data
    /// It is empty.
    case empty
    /// It is written for a later version than the latest that is read.
    case laterVersion(Int, known: Int)
    /// The value of a key is of another kind. `key` is nil for the document itself. `keys` are
    /// those that a mapping may have there; empty if any.
    case wrongKind(key: String?, found: Kind, wanted: [Kind], keys: [String] = [])
    case unknownKey(String, of: String?, allowed: [String])
    case missingKey(String, of: String?)
    case noValue(String)
    /// The key has more entries than this.
    case tooMany(String, limit: Int)
    case notAChoice(String, key: String, choices: [String])
    case badValue(String, key: String, Wanted)
    case badPath(String, PathFlaw)
    case badTemplate(key: String, TemplateFlaw)
    case badFormat(String, FormatFlaw)
    /// There is already a column of this name.
    case duplicateColumn(String)
    case unknownColumn(String, key: String, columns: [String])
    /// The column's kind is not allowed here. `columns` are the allowed ones.
    case columnOfOtherKind(String, FieldKind, key: String, columns: [String])
    /// All columns are for the document only, so that no output has any.
    case noShownColumn
    /// There is more than one column of periods.
    case secondPeriod
    /// A period has two columns, not this number.
    case notTwoColumns(Int)
    /// A period needs two labels, not this number.
    case notTwoLabels(Int)
    /// The key is allowed only for columns of this kind.
    case onlyFor(FieldKind, key: String)
    /// The key is allowed only for columns of these kinds.
    case onlyForKinds([FieldKind], key: String)
    /// The key is not allowed for a share, which is not read from the document.
    case notForShares(String)
    /// There must be exactly one of these keys.
    case notOneOf([String], of: String)
    /// The key is allowed only for numbers.
    case onlyForNumbers(String)
    /// A place has two columns, not this number.
    case notTwoDegrees(Int)
    /// A key of an event that is the only one of a row.
    case onlyForOneEvent(String)
    /// A key of the calendar, which a row's first event has.
    case onlyForFirstEvent(String)
    /// A time of day needs a clock to be one in time.
    case needsClock(String)
    /// Local times need the name of a time zone.
    case needsZone(String)
    /// There is no time zone of this name.
    case unknownZone(String, key: String)
    /// An event needs a key.
    case eventWithoutKey
    /// The key has no effect without the other one.
    case keyWants(String, other: String)
    /// A repetition ends before it begins.
    case untilBeforeFrom(until: String, from: String)
    /// The key is not allowed together with the other one.
    case keyBeside(String, other: String)
    /// The key may contain secrets, but the URLs lead to several servers.
    case severalServers(String)
    /// A list has a duplicate name.
    case duplicateItem(String)
    /// A request has no value of this name.
    case noSuchPlace(String, key: String, places: [String])
    /// With tables, the key belongs to each table.
    case besideTables(String)
    case viewsWithoutTables
    /// A key column is not marked as required.
    case keyNotRequired(String)
    /// A table that another refers to needs a key of one column.
    case noSingleKey(table: String)
  }

  package let problem: Problem
  package let place: TextPlace
}

extension FeedDocumentFault: CustomStringConvertible {
  /// The line of the document, from 1.
  public var line: Int { place.line }
  /// The column in that line, from 1.
  public var column: Int { place.column }
  /// The stable name of the problem, `unknown-key`.
  public var code: String { problem.code }
  /// One line: `line 3, column 5: unknown-key`.
  public var description: String { "line \(line), column \(column): \(code)" }
}

extension FeedDocumentFault.Problem: Coded {}
extension YAMLFault.Problem: Coded {}
