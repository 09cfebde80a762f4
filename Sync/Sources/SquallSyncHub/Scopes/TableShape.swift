import Squall
import SquallBase
import SquallChanges

/// The columns of a table as they are now.
struct TableShape: Sendable {
    let name: String
    let columns: [(name: String, type: String, isKey: Bool)]

    init(_ name: String, on connection: Connection) throws {
        self.name = name
        var columns: [(String, String, Bool)] = []
        try connection.forEach(
            "SELECT name, type, pk > 0 FROM pragma_table_xinfo(\(name), 'main') WHERE hidden = 0 ORDER BY cid"
        ) { columns.append((try $0.get(0), try $0.get(1), try $0.get(2))) }
        self.columns = columns
    }

    var identifier: Identifier { Identifier(name) }
    var isKey: [Bool] { columns.map(\.isKey) }
    /// The names in SQL, with commas.
    var columnList: SQL { columns.map { "\(name: $0.name)" as SQL }.joined(separator: ", ") }
    var keyList: SQL { columns.filter(\.isKey).map { "\(name: $0.name)" as SQL }.joined(separator: ", ") }

    func key(of row: [BindingValue]) -> [BindingValue] { zip(row, isKey).filter(\.1).map(\.0) }

    func change(_ old: [BindingValue]?, _ new: [BindingValue]?) -> SyncChange {
        SyncChange(table: name, columnNames: columns.map(\.name), isKey: isKey, old: old, new: new)
    }

    /// A common table expression with the name of the table and without rows.
    var emptyTable: SQL {
        let nulls = columns.map { _ in "NULL" as SQL }.joined(separator: ", ")
        return "\(name: name)(\(columnList)) AS (SELECT \(nulls) WHERE 0)"
    }
}
