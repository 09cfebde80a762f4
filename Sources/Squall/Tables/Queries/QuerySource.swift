/// The columns of one table in a query: ``Columns`` or ``OptionalColumns``.
public protocol QuerySource: Sendable {
    /// The type of a record of the table in the rows of the query: the record, or an optional one after a left join.
    associatedtype Output

    @_documentation(visibility: internal)
    var reader: SourceReader<Output> { get }
}

/// A ``QuerySource`` with what the library needs to add its table to a query.
protocol TableColumns: QuerySource {
    associatedtype Record

    /// The words before the name of the table, where it is joined to others.
    static var joinWords: SQL { get }

    var core: TableCore<Record> { get }
    /// The name of the table in the query, where that is not the table's own.
    var alias: String? { get }

    init(core: TableCore<Record>, alias: String?)
}

extension TableColumns {
    /// The SQL of all columns.
    fileprivate var selection: [SQL] { core.columns.map { core.reference(to: $0, alias) } }
}

extension Columns: TableColumns {
    static var joinWords: SQL { "JOIN" }

    @_documentation(visibility: internal)
    public var reader: SourceReader<Record> {
        SourceReader(selection: selection) { [core] in try core.record(from: $0, first: $1) }
    }
}

extension OptionalColumns: TableColumns {
    static var joinWords: SQL { "LEFT JOIN" }

    /// Reads `nil` where all columns are NULL.
    @_documentation(visibility: internal)
    public var reader: SourceReader<Record?> {
        SourceReader(selection: selection) { [core] row, first in
            let isMissing = core.columns.indices.allSatisfy { row.sqliteValue(at: first + $0)?.isNull ?? true }
            return isMissing ? nil : try core.record(from: row, first: first)
        }
    }
}

/// Reads the records of the tables of a query.
@_documentation(visibility: internal)
public struct SourceReader<Output>: Sendable {
    /// The SQL of all columns.
    let selection: [SQL]
    /// Makes the records of the columns from a number on.
    let read: @Sendable (Row, Int) throws -> Output

    /// Returns a reader of these records and of those of a table that is added.
    func followed<Added, Both>(
        by added: SourceReader<Added>, _ combine: @escaping @Sendable (Output, Added) -> Both
    ) -> SourceReader<Both> {
        let (read, readAdded, count) = (read, added.read, selection.count)
        return SourceReader<Both>(selection: selection + added.selection) { row, first in
            combine(try read(row, first), try readAdded(row, first + count))
        }
    }
}
