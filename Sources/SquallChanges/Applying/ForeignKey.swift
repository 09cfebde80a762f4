import Squall
import SquallSQLite

/// A foreign key: columns of a child that refer to columns of its parent.
struct ForeignKey {
    let child: String
    let parent: String
    /// The actions, as SQLite spells them: `CASCADE`, `SET NULL`, `SET DEFAULT`, `RESTRICT` or `NO ACTION`.
    let onUpdate: String
    let onDelete: String
    let columns: [(child: String, parent: String)]

    /// The columns of the parent, with the alias `p`, and of the child, with the alias `c`.
    var parentList: SQL { columns.map { "p.\(name: $0.parent)" as SQL }.joined(separator: ", ") }
    var childList: SQL { columns.map { "c.\(name: $0.child)" as SQL }.joined(separator: ", ") }

    /// The condition for a child, with the alias `c`, whose parent does not exist.
    var hasNoParent: SQL { "NOT EXISTS (SELECT 1 FROM main.\(name: parent) AS p WHERE \(isParent))" }

    /// The condition for a parent of a child, with the aliases `p` and `c`: with the collation and the affinity of the parent, as SQLite
    /// compares foreign keys.
    var isParent: SQL { "(\(parentList)) = (\(childList))" }

    /// Returns the positions of the columns of the parent, or of the child, among those of its table.
    func positions(_ side: KeyPath<(child: String, parent: String), String>, in columnNames: [String]) -> [Int?] {
        columns.map { column in
            let name = Identifier(column[keyPath: side])
            return columnNames.firstIndex { Identifier($0) == name }
        }
    }

    /// Whether SQLite changes children, or forbids the change, when a parent is deleted or gets another key.
    func hasAction(onDelete isDelete: Bool) -> Bool { (isDelete ? onDelete : onUpdate) != "NO ACTION" }

    /// Returns a parameter with the affinity that columns with values of a type have.
    static func parameter(_ type: Int32) -> SQL {
        switch type {
        case SQLITE_INTEGER, SQLITE_FLOAT: "CAST(\(raw: "?") AS NUMERIC)"
        case SQLITE_TEXT: "CAST(\(raw: "?") AS TEXT)"
        default: "\(raw: "?")"
        }
    }

    /// The collation of a column of the parent.
    func collation(of column: String, on connection: Connection) -> String {
        var name: UnsafePointer<CChar>?
        sqlite3_table_column_metadata(connection.handle, "main", parent, column, nil, &name, nil, nil, nil)
        return name.map { String(cString: $0) } ?? "BINARY"
    }
}

extension Connection {
    /// Returns the foreign keys of the tables of `main`.
    func foreignKeys() throws -> [ForeignKey] {
        let catalog = try hiddenCatalog()
        var keys: [ForeignKey] = []
        for child in try catalog.tables(withWord: "REFERENCES", by: .name) {
            for key in try catalog.foreignKeys(ofTable: child.name) {
                let parentKey =
                    try key.columns.allSatisfy { $0.parent != nil }
                    ? [] : catalog.columns(ofTable: key.parent).filter(\.isInPrimaryKey)
                let columns = key.columns.enumerated().map { position, column in
                    let implied = parentKey.first { $0.keyPosition == position + 1 }?.name
                    return (child: column.name, parent: column.parent ?? implied ?? "")
                }
                keys.append(
                    ForeignKey(
                        child: child.name, parent: key.parent, onUpdate: key.onUpdate, onDelete: key.onDelete,
                        columns: columns))
            }
        }
        return keys
    }
}
