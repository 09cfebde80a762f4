import NIOConcurrencyHelpers
import Squall

/// Reads rows that a node sent as a connection reads its own: by a query of a table in memory that has them.
///
/// So a value becomes what it would be in a file of this process, or the same error.
final class ReceivedRows: Sendable {
    private let readers = NIOLockedValueBox<[Reader]>([])

    /// Calls a closure with a connection, and with SQL that returns the rows there.
    func read<Value>(
        _ rows: [[BindingValue]], columns: [String], _ body: (Connection, SQL) throws -> Value
    ) throws -> Value {
        let reader = try readers.withLockedValue { $0.popLast() } ?? Reader()
        defer { readers.withLockedValue { $0.append(reader) } }
        return try reader.read(rows, columns: columns, body)
    }

    /// A connection with the tables of received rows.
    ///
    /// `@unchecked Sendable`: one caller uses it at a time, who has taken it from the list.
    private final class Reader: @unchecked Sendable {
        private let connection: Connection
        private let source = RowSource()
        /// The numbers of columns for which there is a table.
        private var widths: Set<Int> = []

        init() throws {
            connection = try Connection()
        }

        func read<Value>(
            _ rows: [[BindingValue]], columns: [String], _ body: (Connection, SQL) throws -> Value
        ) throws -> Value {
            let table = "received_\(columns.count)"
            if widths.insert(columns.count).inserted {
                try connection.register(named: table, use: .eponymous) { [source] _ in
                    RowTable(width: columns.count, source: source)
                }
            }
            source.rows = rows
            defer { source.rows = [] }
            let names = columns.enumerated().map { "\(name: "c\($0)") AS \(name: $1)" as SQL }
            return try body(connection, "SELECT \(names.joined(separator: ", ")) FROM \(name: table)")
        }
    }

    /// The rows that the tables of a reader have now.
    private final class RowSource {
        var rows: [[BindingValue]] = []
    }

    private struct RowTable: TableSource {
        let width: Int
        let source: RowSource

        var columns: [VirtualColumn<[BindingValue]>] {
            (0..<width).map { index in VirtualColumn("c\(index)", type: "") { $0[index] } }
        }

        func rows(_ scan: borrowing Scan) -> [[BindingValue]] { source.rows }
    }
}
