import SquallSQLite

/// The foreign keys of `main` while changes are applied.
///
/// The changes have all that the actions of foreign keys have changed. If SQLite ran the actions again, the changes would not find their
/// rows. Therefore it does not enforce foreign keys meanwhile. At the end the actions run for the children that the changes leave
/// without their parent, such as those of a table that was not recorded.
final class SuspendedForeignKeys {
    /// The values with which children refer to a parent, by a foreign key.
    private struct Reference: Hashable {
        let key: Int
        let values: [BindingValue]
    }

    /// A parent that has a key no more.
    private struct Loss {
        let reference: Reference
        /// The primary key of the parent.
        let parent: [BindingValue]
        /// The key that the parent has instead; `nil` if it was deleted.
        let newKey: [BindingValue]?
    }

    /// A foreign key of a table.
    private struct Role {
        let key: Int
        /// The positions of the columns of the foreign key among those that are stored.
        let positions: [Int32]
        /// Those of the primary key.
        let primaryKey: [Int32]
    }

    private let connection: Connection
    private let keys: [ForeignKey]
    private var primaryKeys: [Identifier: [String]] = [:]
    private var childRoles: [String: [Role]] = [:]
    private var parentRoles: [String: [Role]] = [:]
    private var tableName = CachedName()

    /// In the order in which the parents were changed first.
    private var losses: [Loss] = []
    private var lost: Set<Reference> = []
    /// The references of rows that were inserted or updated.
    private var made: Set<Reference> = []

    private init(_ connection: Connection, _ keys: [ForeignKey]) throws {
        self.connection = connection
        self.keys = keys
        var tables: [Identifier: StoredTable] = [:]
        func role(_ name: String, _ key: Int, _ columns: [String]) throws -> (name: String, role: Role)? {
            let table = try tables[Identifier(name)] ?? connection.storedTable(name)
            tables[Identifier(name)] = table
            primaryKeys[Identifier(name)] = table.primaryKey
            guard let positions = table.positions(columns) else { return nil }
            return (
                table.name, Role(key: key, positions: positions, primaryKey: table.positions(table.primaryKey) ?? [])
            )
        }
        for (index, key) in keys.enumerated() {
            if let child = try role(key.child, index, key.columns.map(\.child)) {
                childRoles[child.name, default: []].append(child.role)
            }
            if let parent = try role(key.parent, index, key.columns.map(\.parent)) {
                parentRoles[parent.name, default: []].append(parent.role)
            }
        }
    }

    /// Whether foreign keys are on, and there are some.
    static func areNeeded(on connection: Connection) throws -> [ForeignKey]? {
        guard let handle = connection.handle, squall_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY) != 0 else {
            return nil
        }
        let keys = try connection.foreignKeys()
        return keys.isEmpty ? nil : keys
    }

    /// Calls a closure, in a transaction, while SQLite does not enforce foreign keys, and runs the actions that are left.
    ///
    /// - Parameter violated: Called at the end, if a row refers to a parent that does not exist, or that has taken over the key of another
    ///   one, so that it is not known to which the row belongs.
    static func applying<Result>(
        on connection: Connection, _ body: () throws -> Result, violated: () throws -> Void
    ) throws -> Result {
        guard let handle = connection.handle, let keys = try areNeeded(on: connection) else { return try body() }
        let suspended = try SuspendedForeignKeys(connection, keys)
        let (result, isViolated) = try suspended.follow(on: handle) { (try body(), try suspended.settle()) }
        if isViolated { try violated() }
        return result
    }

    private func follow<Result>(on handle: OpaquePointer, _ body: () throws -> Result) throws -> Result {
        connection.addRowChangeReceiver(self)
        // Unlike the PRAGMA, this has an effect inside a transaction.
        squall_set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 0)
        defer {
            // A function that a statement calls may have closed the connection.
            if let handle = connection.handle { squall_set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1) }
            connection.removeRowChangeReceiver(self)
        }
        return try body()
    }
}

extension SuspendedForeignKeys: RowChangeReceiver {
    func rowWillChange(_ change: RowChange) {
        guard strcmp(change.database, "main") == 0, squall_preupdate_blobwrite(change.handle) < 0,
            let table = tableName.string(change.table)
        else { return }
        let (hasOld, hasNew) = (change.type != SQLITE_INSERT, change.type != SQLITE_DELETE)
        for role in parentRoles[table] ?? [] where hasOld {
            let old = change.oldValues(at: role.positions)
            let new = hasNew ? change.newValues(at: role.positions) : nil
            let reference = Reference(key: role.key, values: old)
            if old == new || old.contains(.null) || lost.contains(reference) { continue }
            lost.insert(reference)
            let parent = change.oldValues(at: role.primaryKey)
            losses.append(Loss(reference: reference, parent: parent, newKey: new))
        }
        for role in childRoles[table] ?? [] where hasNew {
            let new = change.newValues(at: role.positions)
            if new.contains(.null) || hasOld && new == change.oldValues(at: role.positions) { continue }
            made.insert(Reference(key: role.key, values: new))
        }
    }
}

// MARK: - The end

extension SuspendedForeignKeys {
    /// Runs the actions that are left, and those of the rows that they change.
    ///
    /// SQLite does not enforce foreign keys yet: it counts violations, and would take those back that it has not counted.
    ///
    /// - Returns: Whether a row refers to a parent that does not exist, or to one that may not be its own.
    private func settle() throws -> Bool {
        try connection.duringCall {
            let statements = RowStatements(connection)
            var (isViolated, next) = (false, 0)
            while next < losses.count {
                let loss = losses[next]
                next += 1
                // The changes have given the children of this key to the parent that has it now.
                if made.contains(loss.reference) { continue }
                if let owner = try owner(of: loss.reference, statements) {
                    let isOther = owner.isEmpty || owner != loss.parent
                    if try isOther && hasChild(loss.reference, statements) { isViolated = true }
                } else {
                    isViolated = try !act(on: loss, statements) || isViolated
                }
            }
            return try isViolated
                || made.union(lost).contains { try owner(of: $0, statements) == nil && hasChild($0, statements) }
        }
    }

    /// Returns the primary key of the parent that children refer to.
    private func owner(of reference: Reference, _ statements: RowStatements) throws -> [BindingValue]? {
        let key = keys[reference.key]
        let names = key.columns.map(\.parent)
        let primaryKey = primaryKeys[Identifier(key.parent)] ?? []
        let columns: SQL = primaryKey.isEmpty ? "1" : "\(names: primaryKey)"
        let sql: SQL = """
            SELECT \(columns) FROM main.\(name: key.parent) WHERE (\(names: names)) = (\(SQL.parameters(names.count)))
            """
        return try statements.run(sql.text, binding: reference.values) { row in
            primaryKey.indices.map { column in
                sqlite3_column_value(row, Int32(column)).map { SQLiteValue($0).bindingValue } ?? .null
            }
        }
    }

    private func hasChild(_ reference: Reference, _ statements: RowStatements) throws -> Bool {
        let key = keys[reference.key]
        let isChild = key.children(of: reference.values, on: connection)
        let sql: SQL = "SELECT 1 FROM main.\(name: key.child) AS c WHERE \(isChild) LIMIT 1"
        return try statements.run(sql.text, binding: reference.values) { _ in true } != nil
    }

    /// Runs the action for the children of a parent that was deleted, or has a new key.
    ///
    /// - Returns: Whether constraints allow it.
    private func act(on loss: Loss, _ statements: RowStatements) throws -> Bool {
        guard let (sql, values) = try action(for: loss) else { return true }
        do {
            try statements.run(sql.text, binding: values) { _ in }
            return true
        } catch let error as SQLiteError where error.code == SQLITE_CONSTRAINT {
            // A trigger may have rolled back.
            if let handle = connection.handle { try connection.checkTransaction(handle, sql: nil) }
            return false
        }
    }

    /// Returns the statement of an action, and its parameters; `nil` for an action that only forbids.
    private func action(for loss: Loss) throws -> (SQL, [BindingValue])? {
        let (key, values) = (keys[loss.reference.key], loss.reference.values)
        let (isChild, columns) = (key.children(of: values, on: connection), key.columns.map(\.child))
        func update(_ assignments: [SQL], _ new: [BindingValue] = []) -> (SQL, [BindingValue]) {
            let list = assignments.joined(separator: ", ")
            return ("UPDATE main.\(name: key.child) AS c SET \(list) WHERE \(isChild)", new + values)
        }
        switch (loss.newKey == nil ? key.onDelete : key.onUpdate, loss.newKey) {
        case ("CASCADE", nil): return ("DELETE FROM main.\(name: key.child) AS c WHERE \(isChild)", values)
        case ("CASCADE", let new?): return update(columns.map { "\(name: $0) = \(raw: "?")" }, new)
        case ("SET NULL", _): return update(columns.map { "\(name: $0) = NULL" })
        case ("SET DEFAULT", _):
            let defaults = try connection.defaults(of: key.child)
            return update(columns.map { "\(name: $0) = \(raw: defaults[Identifier($0)] ?? "NULL")" })
        default: return nil
        }
    }
}

extension Connection {
    /// Returns the defaults of the columns of a table of `main` that have one, as SQL.
    fileprivate func defaults(of table: String) throws -> [Identifier: String] {
        var found: [Identifier: String] = [:]
        try forEachRowInternally(
            "SELECT name, '(' || dflt_value || ')' FROM pragma_table_xinfo(\(table), 'main') WHERE dflt_value IS NOT NULL"
        ) { row in
            func text(_ column: Int32) -> String { sqlite3_column_text(row, column).map { String(cString: $0) } ?? "" }
            found[Identifier(text(0))] = text(1)
        }
        return found
    }
}
