import SquallSQLite

/// Checks the foreign keys of single rows that were changed while SQLite did not check them.
struct ForeignKeyCheck {
    /// A foreign key: columns of a child that refer to columns of its parent.
    private struct ForeignKey {
        let child: String
        let parent: String
        var columns: [(child: String, parent: String)] = []
    }

    private let connection: Connection
    private let statements: RowStatements
    private var keys: [ForeignKey] = []

    init(_ connection: Connection, _ statements: RowStatements) throws {
        self.connection = connection
        self.statements = statements
        guard let handle = connection.handle else { throw connection.closedError() }
        let sql = """
            SELECT m.name, f.seq, f."table", f."from",
                coalesce(f."to", (SELECT name FROM pragma_table_info(f."table", 'main') WHERE pk = f.seq + 1))
            FROM main.sqlite_master AS m JOIN pragma_foreign_key_list(m.name, 'main') AS f
            WHERE m.type = 'table' ORDER BY m.name, f.id, f.seq
            """
        var keys: [ForeignKey] = []
        let code = connection.forEachRowInternally(sql, on: handle) { row in
            func text(_ column: Int32) -> String { sqlite3_column_text(row, column).map { String(cString: $0) } ?? "" }
            if sqlite3_column_int(row, 1) == 0 { keys.append(ForeignKey(child: text(0), parent: text(2))) }
            keys[keys.count - 1].columns.append((text(3), text(4)))
        }
        if code != SQLITE_OK { throw connection.error(code, sql: sql) }
        self.keys = keys
    }

    /// Returns whether a change has left a row without its parent.
    ///
    /// - Parameter columnNames: The names of the columns of the table.
    func isViolated(by change: Changeset.Change, _ columnNames: [String]) throws -> Bool {
        let table = Identifier(change.table)
        return try keys.contains { key in
            let lacksParent = try Identifier(key.child) == table && lacksParent(change, key, columnNames)
            return try lacksParent || Identifier(key.parent) == table && leavesChildren(change, key, columnNames)
        }
    }

    /// Whether the row that a change has made refers to a parent that does not exist.
    private func lacksParent(
        _ change: Changeset.Change, _ key: ForeignKey, _ columnNames: [String]
    ) throws -> Bool {
        let positions = key.columns.compactMap { Self.position(of: $0.child, in: columnNames) }
        guard change.operation != .delete, positions.contains(where: { change.new.value(at: $0) != nil }) else {
            return false
        }
        let isSet = Self.all(key.columns.map { "c.\(name: $0.child) IS NOT NULL" })
        let sql: SQL = """
            SELECT 1 FROM main.\(name: key.child) AS c
            WHERE \(change.keyCondition(columnNames, of: "c")) AND \(isSet) AND \(Self.hasNoParent(key))
            """
        return try statements.run(sql.text, change.key) { _ in true } ?? false
    }

    /// Whether rows refer to the row that a change has deleted, or to the key that it had.
    private func leavesChildren(
        _ change: Changeset.Change, _ key: ForeignKey, _ columnNames: [String]
    ) throws -> Bool {
        let positions = key.columns.map { Self.position(of: $0.parent, in: columnNames) }
        guard change.operation != .insert,
            positions.contains(where: { $0.map { change.old.value(at: $0) != nil } ?? false }),
            change.operation == .delete
                || positions.contains(where: { $0.map { change.new.value(at: $0) != nil } ?? false })
        else { return false }
        var values: [OpaquePointer?] = []
        let terms = zip(key.columns, positions).map { columns, position -> SQL in
            let collation = collation(of: columns.parent, in: key.parent)
            if let value = position.flatMap({ change.old.value(at: $0) }) {
                values.append(value)
                return "\(Self.parameter(for: value)) COLLATE \(name: collation) = c.\(name: columns.child)"
            }
            // The update has not changed this column of the key.
            values += change.key
            let condition = change.keyCondition(columnNames, of: "p")
            return """
                (SELECT p.\(name: columns.parent) FROM main.\(name: key.parent) AS p WHERE \(condition))
                    COLLATE \(name: collation) = c.\(name: columns.child)
                """
        }
        let sql: SQL = """
            SELECT 1 FROM main.\(name: key.child) AS c WHERE \(Self.all(terms)) AND \(Self.hasNoParent(key))
            """
        return try statements.run(sql.text, values) { _ in true } ?? false
    }

    /// Returns a parameter for a value of a parent. The affinity of the parent applies to the child that it is compared with: the text
    /// '1' in a column without a type refers to the INTEGER 1.
    private static func parameter(for value: OpaquePointer) -> SQL {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER, SQLITE_FLOAT: "CAST(\(raw: "?") AS NUMERIC)"
        case SQLITE_TEXT: "CAST(\(raw: "?") AS TEXT)"
        default: "\(raw: "?")"
        }
    }

    private static func hasNoParent(_ key: ForeignKey) -> SQL {
        // With the collation and the affinity of the parent, as SQLite compares foreign keys.
        let isParent = all(key.columns.map { "p.\(name: $0.parent) = c.\(name: $0.child)" })
        return "NOT EXISTS (SELECT 1 FROM main.\(name: key.parent) AS p WHERE \(isParent))"
    }

    private static func all(_ terms: [SQL]) -> SQL {
        terms.dropFirst().reduce(terms.first ?? "1") { "\($0) AND \($1)" }
    }

    private static func position(of column: String, in columnNames: [String]) -> Int? {
        let column = Identifier(column)
        return columnNames.firstIndex { Identifier($0) == column }
    }

    private func collation(of column: String, in table: String) -> String {
        var name: UnsafePointer<CChar>?
        sqlite3_table_column_metadata(connection.handle, "main", table, column, nil, &name, nil, nil, nil)
        return name.map { String(cString: $0) } ?? "BINARY"
    }
}
