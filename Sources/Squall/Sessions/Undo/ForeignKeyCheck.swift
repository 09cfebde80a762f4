import SquallSQLite

/// Checks the foreign keys of single rows that were changed while SQLite did not check them.
struct ForeignKeyCheck {
    private let connection: Connection
    private let statements: RowStatements
    private let keys: [ForeignKey]

    init(_ connection: Connection, _ statements: RowStatements) throws {
        self.connection = connection
        self.statements = statements
        keys = try connection.foreignKeys()
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
        let isSet = key.columns.map { "c.\(name: $0.child) IS NOT NULL" as SQL }.joinedAsTree(by: " AND ")
        let sql: SQL = """
            SELECT 1 FROM main.\(name: key.child) AS c
            WHERE \(change.keyCondition(columnNames, of: "c")) AND (\(isSet)) AND \(key.hasNoParent)
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
            let collation = key.collation(of: columns.parent, on: connection)
            if let value = position.flatMap({ change.old.value(at: $0) }) {
                values.append(value)
                return
                    "\(ForeignKey.parameter(sqlite3_value_type(value))) COLLATE \(name: collation) = c.\(name: columns.child)"
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
            SELECT 1 FROM main.\(name: key.child) AS c WHERE (\(terms.joinedAsTree(by: " AND "))) AND \(key.hasNoParent)
            """
        return try statements.run(sql.text, values) { _ in true } ?? false
    }

    private static func position(of column: String, in columnNames: [String]) -> Int? {
        let column = Identifier(column)
        return columnNames.firstIndex { Identifier($0) == column }
    }
}
