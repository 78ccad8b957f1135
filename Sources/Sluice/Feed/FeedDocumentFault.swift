/// What is wrong with a feed document, and where.
public struct FeedDocumentFault: Error, Equatable, Sendable {
  /// What a value is, as YAML has it.
  package enum Kind: Equatable, Sendable {
    case text, list, mapping
  }

  /// What a text must be.
  package enum Wanted: Equatable, Sendable {
    case feedName, columnName, url, time, clock, percentage, color, refresh, trueOrFalse
    case headerName, headerValue, itemName
    /// A whole number, this at most.
    case count(most: Int)
  }

  /// What is wrong with a path.
  package enum PathFlaw: Equatable, Sendable {
    /// A key is missing, or brackets hold something.
    case syntax
    /// The path to the rows does not end in a list.
    case noList
    /// Its list is not on the way to the rows, which is this path.
    case otherList(rows: String)
    /// It leads to the rows or to what is around them, not to a value.
    case onTheWay
    /// Another column is read from there, or from inside, or from around.
    case taken(column: String)
    /// It names one element of a list where no column is read.
    case oneElement
    /// It must stand beside the payload, in this object.
    case notBeside(payload: String)
    /// The payload is in a list, and nothing tells which element is meant.
    case listWithoutMatch
    /// The payload is in no list, so that there is nothing to be matched; or in several.
    case matchWithoutList
  }

  /// What is wrong with a template.
  package enum TemplateFlaw: Equatable, Sendable {
    /// A brace is not closed, or not opened.
    case brace
    /// No column is named in a pair of braces.
    case empty
    /// This stands between or behind the parts.
    case textBetween(String)
  }

  package enum Problem: Equatable, Sendable {
    case yaml(YAMLFault.Problem)
    /// It is JSON with none of a document's keys: a feed's answer, and not what describes it.
    case data
    /// There is nothing in it.
    case empty
    /// The value of a key is of another kind; the document itself is no key.
    case wrongKind(key: String?, found: Kind, wanted: [Kind])
    case unknownKey(String, of: String?, allowed: [String])
    case missingKey(String, of: String?)
    case noValue(String)
    case notAChoice(String, key: String, choices: [String])
    case badValue(String, key: String, Wanted)
    case badPath(String, PathFlaw)
    case badTemplate(key: String, TemplateFlaw)
    /// A column of this name is there already.
    case duplicateColumn(String)
    case unknownColumn(String, key: String, columns: [String])
    /// The column is of a kind that is of no use there; `columns` would be.
    case columnOfOtherKind(String, Rule, key: String, columns: [String])
    /// There is one column of periods at most.
    case secondPeriod
    /// A period gives two columns.
    case notTwoColumns(Int)
    /// The key is of use for columns of this kind only.
    case onlyFor(Rule, key: String)
    /// The key is of no use for a share, which is read from nowhere.
    case notForShares(String)
    /// Exactly one of these keys has to be there.
    case notOneOf([String], of: String)
    /// The key is of use for numbers only.
    case onlyForNumbers(String)
    /// An event has to be known by something.
    case eventWithoutKey
    /// The key is of no use without the other one.
    case keyWants(String, other: String)
    /// The key does not go with the other one.
    case keyBeside(String, other: String)
    /// The key may hold secrets, and the URLs lead to several servers.
    case severalServers(String)
    /// A list has a name twice.
    case duplicateItem(String)
    /// Nothing of this name is known of a request.
    case noSuchPlace(String, key: String, places: [String])
    /// The key is each table's to say, where there are tables.
    case besideTables(String)
    case viewsWithoutTables
    /// A table's key column must always be there.
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
