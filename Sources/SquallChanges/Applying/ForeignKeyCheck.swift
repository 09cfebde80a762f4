import Squall
import SquallSQLite

/// Checks the foreign keys of single rows that were changed while SQLite did not check them.
struct ForeignKeyCheck {
    private let connection: Connection
    private let statements: RowStatements
    private let keys: [ForeignKey]

    /// - Parameter keys: All foreign keys of `main`.
    init(_ connection: Connection, _ statements: RowStatements, _ keys: [ForeignKey]) {
        self.connection = connection
        self.statements = statements
        self.keys = keys
    }

    /// Returns whether changes have left a row without its parent, or a parent has taken over a key to which rows refer that the changes
    /// do not name: nothing tells whose they are.
    ///
    /// - Parameters:
    ///   - primaryKeys: The primary keys of the recordable tables.
    ///   - forEach: Calls a closure with each change, and the names of the columns of its table. It can be called again.
    func isViolated(
        by primaryKeys: [Identifier: [String]],
        _ forEach: (_ body: (Changeset.Change, [String]) throws -> Void) throws -> Void
    ) throws -> Bool {
        var isViolated = false
        var takenOver: [TakenOverKey] = []
        try forEach { change, names in
            if isViolated { return }
            isViolated = try self.isViolated(by: change, names)
            takenOver += try keysTakenOver(from: change, names)
        }
        if isViolated || takenOver.isEmpty { return isViolated }
        var named: [Identifier: Set<[BindingValue]>] = [:]
        try forEach { change, _ in
            if change.operation == .delete { return }
            named[Identifier(change.table), default: []].insert(change.rowKey.values)
        }
        return try takenOver.contains { taken in
            let child = Identifier(keys[taken.key].child)
            return try hasChild(taken, of: primaryKeys[child] ?? [], besides: named[child] ?? [])
        }
    }

    /// A key that a parent has lost, and another one has now.
    private struct TakenOverKey {
        let key: Int
        let values: [BindingValue]
    }

    /// Returns the keys that the row of a change had before, and another row has now.
    private func keysTakenOver(from change: Changeset.Change, _ names: [String]) throws -> [TakenOverKey] {
        guard change.operation != .insert else { return [] }
        let table = Identifier(change.table)
        return try keys.enumerated().compactMap { index, key in
            guard Identifier(key.parent) == table, key.hasAction(onDelete: change.operation == .delete) else {
                return nil
            }
            let positions = key.positions(\.parent, in: names)
            let isChanged = positions.contains { position in
                guard let position else { return false }
                return change.operation == .delete || change.new.value(at: position) != nil
            }
            guard isChanged, let values = try oldValues(of: change, positions, key, names) else { return nil }
            let condition = change.keyCondition(names, of: "p")
            let sql: SQL = """
                SELECT 1 FROM main.\(name: key.parent) AS p WHERE (\(key.parentList)) = (\(SQL.parameters(values.count))) AND NOT (\(condition))
                """
            let rowKey = change.rowKey.values
            let isTaken = try statements.run(sql.text, binding: values + rowKey) { _ in true } ?? false
            return isTaken ? TakenOverKey(key: index, values: values) : nil
        }
    }

    /// Returns the key that the row of a change had before; `nil` for a NULL, to which no row refers.
    private func oldValues(
        of change: Changeset.Change, _ positions: [Int?], _ key: ForeignKey, _ names: [String]
    ) throws -> [BindingValue]? {
        var values: [BindingValue] = []
        for (position, column) in zip(positions, key.columns) {
            if let position, let value = change.old[position] {
                values.append(value)
                continue
            }
            // The update has not changed this column.
            let sql: SQL = """
                SELECT \(name: column.parent) FROM main.\(name: key.parent) AS p WHERE \(change.keyCondition(names, of: "p"))
                """
            let value = try statements.run(sql.text, change.key) { row in
                sqlite3_column_value(row, 0).map { SQLiteValue($0).bindingValue } ?? .null
            }
            values.append(value ?? .null)
        }
        return values.contains(.null) ? nil : values
    }

    /// Whether a row refers to a key, apart from rows of some primary keys.
    private func hasChild(
        _ taken: TakenOverKey, of primaryKey: [String], besides known: Set<[BindingValue]>
    ) throws -> Bool {
        let key = keys[taken.key]
        let columns = primaryKey.map { "c.\(name: $0)" as SQL }
        let sql: SQL = """
            SELECT \(columns.isEmpty ? "1" : columns.joined(separator: ", "))
            FROM main.\(name: key.parent) AS p JOIN main.\(name: key.child) AS c ON \(key.isParent)
            WHERE (\(key.parentList)) = (\(SQL.parameters(taken.values.count)))
            """
        return try statements.first(sql.text, binding: taken.values) { row in
            let found = primaryKey.indices.map { column in
                sqlite3_column_value(row, Int32(column)).map { SQLiteValue($0).bindingValue } ?? .null
            }
            return primaryKey.isEmpty || !known.contains(found)
        }
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
        let positions = key.positions(\.child, in: columnNames).compactMap(\.self)
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
        let positions = key.positions(\.parent, in: columnNames)
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
}
