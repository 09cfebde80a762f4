/// The columns of one table in a query: ``Columns`` or ``OptionalColumns``.
public protocol QuerySource: Sendable {
    /// The value that a row has for this table: a record, or an optional record after a left join.
    associatedtype Output

    @_documentation(visibility: internal)
    var reader: SourceReader<Output> { get }
}

/// A ``QuerySource`` with what the library needs to add its table to a query. Not part of the public protocol, so that its
/// requirements can be internal.
protocol JoinableSource: QuerySource {
    associatedtype Record

    /// The words before the name of the table, where it is joined to others.
    static var joinWords: SQL { get }

    var core: TableCore<Record> { get }
    /// The name of the table in the query; `nil` if the query uses the table's own name.
    var alias: String? { get }

    init(core: TableCore<Record>, alias: String?)
}

extension JoinableSource {
    /// The SQL of all columns.
    fileprivate var columnSQL: [SQL] { core.columns.map { core.reference(to: $0, alias) } }
}

extension Columns: JoinableSource {
    static var joinWords: SQL { "JOIN" }

    @_documentation(visibility: internal)
    public var reader: SourceReader<Record> {
        SourceReader(columnSQL: columnSQL) { [core] in try core.record(from: $0, first: $1) }
    }
}

extension OptionalColumns: JoinableSource {
    static var joinWords: SQL { "LEFT JOIN" }

    /// Reads `nil` if all columns are NULL, also for a row of the table that has only NULLs.
    @_documentation(visibility: internal)
    public var reader: SourceReader<Record?> {
        SourceReader(columnSQL: columnSQL) { [core] row, first in
            let isMissing = core.columns.indices.allSatisfy { row.sqliteValue(at: first + $0)?.isNull ?? true }
            return isMissing ? nil : try core.record(from: row, first: first)
        }
    }
}

/// Reads the records of the tables of a query.
@_documentation(visibility: internal)
public struct SourceReader<Output>: Sendable {
    /// The SQL of all columns.
    let columnSQL: [SQL]
    /// Makes a record of a row. The integer is the index of the record's first column.
    let read: @Sendable (Row, Int) throws -> Output

    /// Returns a reader that reads these records, then those of `added`.
    func followed<Added, Both>(
        by added: SourceReader<Added>, _ combine: @escaping @Sendable (Output, Added) -> Both
    ) -> SourceReader<Both> {
        let (read, readAdded, count) = (read, added.read, columnSQL.count)
        return SourceReader<Both>(columnSQL: columnSQL + added.columnSQL) { row, first in
            combine(try read(row, first), try readAdded(row, first + count))
        }
    }
}
