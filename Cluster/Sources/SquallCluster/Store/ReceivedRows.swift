import Squall
import SquallBase

/// Reads rows that a node sent as a connection reads its own: by a query of a table in memory that has them.
///
/// So a value becomes what it would be in a file of this process, or the same error.
final class ReceivedRows: Sendable {
    /// The readers that no caller uses.
    private let readers = Locked<[Reader]>([])

    /// Calls a closure with a connection, and with SQL that returns the rows there.
    func read<Value>(
        _ rows: RowFields, columns: [String], _ body: (Connection, SQL) throws -> Value
    ) throws -> Value {
        let reader = try readers.withLock { $0.popLast() } ?? Reader()
        defer { readers.withLock { $0.append(reader) } }
        return try reader.read(rows, columns: columns, body)
    }

    /// A connection with the tables of received rows, for one caller at a time.
    private final class Reader {
        private static let maximumOfQueries = 256

        private let connection: Connection
        private let source = RowSource()
        /// The numbers of columns for which there is a table.
        private var widths: Set<Int> = []
        /// The queries of the tables, by the bytes of the names of their columns.
        private var queries: [[UInt8]: SQL] = [:]

        init() throws {
            connection = try Connection()
        }

        func read<Value>(
            _ rows: RowFields, columns: [String], _ body: (Connection, SQL) throws -> Value
        ) throws -> Value {
            let query = try query(columns)
            source.rows = rows
            defer { source.rows = RowFields(width: 0) }
            return try body(connection, query)
        }

        private func query(_ columns: [String]) throws -> SQL {
            var key: [UInt8] = []
            for name in columns {
                key.append(contentsOf: name.utf8)
                key.append(0)
            }
            if let query = queries[key] { return query }
            let table = "received_\(columns.count)"
            if widths.insert(columns.count).inserted {
                try connection.register(named: table, use: .eponymous) { [source] _ in
                    RowTable(width: columns.count, source: source)
                }
            }
            let names = columns.enumerated().map { "\(name: "c\($0)") AS \(name: $1)" as SQL }
            let query: SQL = "SELECT \(names.joined(separator: ", ")) FROM \(name: table)"
            if queries.count >= Self.maximumOfQueries { queries = [:] }
            queries[key] = query
            return query
        }
    }

    /// The rows that the tables of a reader have now.
    private final class RowSource {
        var rows = RowFields(width: 0)
    }

    /// A table whose rows are the positions of their first fields.
    private struct RowTable: TableSource {
        let width: Int
        let source: RowSource

        var columns: [VirtualColumn<Int>] {
            (0..<width).map { column in
                VirtualColumn("c\(column)", type: "") { [source] in Field(source: source, index: $0 + column) }
            }
        }

        func rows(_ scan: borrowing Scan) -> StrideTo<Int> { stride(from: 0, to: source.rows.fields.count, by: width) }
    }

    /// A value that is bound from the bytes of its row.
    private struct Field: Bindable {
        let source: RowSource
        let index: Int

        var bindingValue: BindingValue { source.rows.bindingValue(index) }

        func bind(to destination: BindingDestination) throws { try source.rows.bind(index, to: destination) }

        func bindOrNull(to destination: BindingDestination) throws { try bind(to: destination) }
    }
}
