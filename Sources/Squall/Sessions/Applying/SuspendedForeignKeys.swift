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

    /// A foreign key of a table.
    private struct Role {
        let key: Int
        /// The positions of the columns of the foreign key among those that are stored.
        let positions: [Int32]
    }

    private let connection: Connection
    private let keys: [ForeignKey]
    private var childRoles: [String: [Role]] = [:]
    private var parentRoles: [String: [Role]] = [:]
    private var tableName = CachedName()

    /// The references to parents that were deleted or have another key, in the order in which that was first done.
    private var abandoned: [(reference: Reference, newKey: [BindingValue]?)] = []
    private var abandonedReferences: Set<Reference> = []
    /// The references of rows that were inserted or updated.
    private var made: Set<Reference> = []

    private init(_ connection: Connection, _ keys: [ForeignKey]) throws {
        self.connection = connection
        self.keys = keys
        var columns: [Identifier: (name: String, columns: [Identifier])] = [:]
        func role(_ table: String, _ key: Int, _ names: [String]) throws -> (name: String, role: Role)? {
            let identifier = Identifier(table)
            let known = try columns[identifier] ?? connection.storedColumns(of: table)
            columns[identifier] = known
            let positions = names.compactMap { known.columns.firstIndex(of: Identifier($0)).map(Int32.init) }
            return positions.count == names.count ? (known.name, Role(key: key, positions: positions)) : nil
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

    /// Calls a closure, in a transaction, while SQLite does not enforce foreign keys, and runs the actions that are left.
    ///
    /// - Parameter violated: Called at the end, if a row refers to a parent that does not exist.
    static func applying<Result>(
        on connection: Connection, _ body: () throws -> Result, violated: () throws -> Void
    ) throws -> Result {
        guard let handle = connection.handle, squall_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY) != 0 else {
            return try body()
        }
        let keys = try connection.foreignKeys()
        if keys.isEmpty { return try body() }
        let suspended = try SuspendedForeignKeys(connection, keys)
        let result = try suspended.follow(on: handle, body)
        if try suspended.settle() { try violated() }
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
            let old = values(role, squall_preupdate_old, change)
            let new = hasNew ? values(role, squall_preupdate_new, change) : nil
            if old == new || old.contains(.null) { continue }
            let reference = Reference(key: role.key, values: old)
            if abandonedReferences.contains(reference) { continue }
            abandonedReferences.insert(reference)
            abandoned.append((reference, new))
        }
        for role in childRoles[table] ?? [] where hasNew {
            let new = values(role, squall_preupdate_new, change)
            if new.contains(.null) || hasOld && new == values(role, squall_preupdate_old, change) { continue }
            made.insert(Reference(key: role.key, values: new))
        }
    }

    private func values(
        _ role: Role, _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32,
        _ change: RowChange
    ) -> [BindingValue] {
        role.positions.map { position in
            var value: OpaquePointer?
            guard read(change.handle, position, &value) == SQLITE_OK, let value else { return .null }
            return SQLiteValue(value).bindingValue
        }
    }
}

// MARK: - The end

extension SuspendedForeignKeys {
    /// Runs the actions that are left, while SQLite enforces foreign keys again.
    ///
    /// - Returns: Whether a row refers to a parent that does not exist.
    private func settle() throws -> Bool {
        guard let handle = connection.handle else { throw connection.closedError() }
        // Violations that the transaction has from before are those of the program.
        let wasViolated = connection.hasViolatedForeignKeys
        let defersAll = connection.ask("defer_foreign_keys", on: handle) == 1
        if !defersAll { connection.runInternally("PRAGMA defer_foreign_keys = ON", on: handle) }
        defer {
            if !defersAll, let handle = connection.handle {
                connection.runInternally("PRAGMA defer_foreign_keys = OFF", on: handle)
            }
        }
        return try connection.duringCall {
            let statements = RowStatements(connection)
            var isViolated = false
            for (reference, newKey) in abandoned
            where try !made.contains(reference) && lacksParent(reference, statements) {
                do {
                    try act(on: reference, newKey, statements)
                } catch let error as SQLiteError where error.code == SQLITE_CONSTRAINT {
                    // A trigger may have rolled back.
                    try connection.checkTransaction(handle, sql: nil)
                    isViolated = true
                }
            }
            if isViolated || !wasViolated && connection.hasViolatedForeignKeys { return true }
            return try made.union(abandonedReferences).contains {
                try lacksParent($0, statements) && hasChild($0, statements)
            }
        }
    }

    private func lacksParent(_ reference: Reference, _ statements: RowStatements) throws -> Bool {
        let key = keys[reference.key]
        let names = key.columns.map(\.parent)
        let sql: SQL = """
            SELECT 1 FROM main.\(name: key.parent) WHERE (\(names: names)) = (\(SQL.parameters(names.count)))
            """
        return try statements.run(sql, reference.values) { _ in true } == nil
    }

    private func hasChild(_ reference: Reference, _ statements: RowStatements) throws -> Bool {
        let key = keys[reference.key]
        let isChild = key.children(of: reference.values, on: connection)
        let sql: SQL = "SELECT 1 FROM main.\(name: key.child) AS c WHERE \(isChild) LIMIT 1"
        return try statements.run(sql, reference.values) { _ in true } != nil
    }

    /// Runs the action for the children of a parent that was deleted, or has a new key.
    private func act(on reference: Reference, _ new: [BindingValue]?, _ statements: RowStatements) throws {
        let key = keys[reference.key]
        let isChild = key.children(of: reference.values, on: connection)
        let columns = key.columns.map(\.child)
        let change: SQL
        switch (new == nil ? key.onDelete : key.onUpdate, new) {
        case ("CASCADE", nil):
            try statements.run("DELETE FROM main.\(name: key.child) AS c WHERE \(isChild)", reference.values)
            return
        case ("CASCADE", let new?):
            let assignments = columns.map { "\(name: $0) = \(raw: "?")" as SQL }.joined(separator: ", ")
            try statements.run(
                "UPDATE main.\(name: key.child) AS c SET \(assignments) WHERE \(isChild)", new + reference.values)
            return
        case ("SET NULL", _): change = columns.map { "\(name: $0) = NULL" as SQL }.joined(separator: ", ")
        case ("SET DEFAULT", _):
            let defaults = try connection.defaults(of: key.child)
            change = columns.map { "\(name: $0) = \(raw: defaults[Identifier($0)] ?? "NULL")" as SQL }
                .joined(separator: ", ")
        default: return
        }
        try statements.run("UPDATE main.\(name: key.child) AS c SET \(change) WHERE \(isChild)", reference.values)
    }
}

extension RowStatements {
    fileprivate func run<Result>(
        _ sql: SQL, _ values: [BindingValue], _ body: (OpaquePointer) throws -> Result
    ) throws -> Result? {
        try run(sql.text, binding: values, body)
    }

    fileprivate func run(_ sql: SQL, _ values: [BindingValue]) throws { try run(sql.text, binding: values) { _ in } }
}

extension Connection {
    /// Returns the name of a table of `main` as it was created, and its columns that are stored, in their order.
    fileprivate func storedColumns(of table: String) throws -> (name: String, columns: [Identifier]) {
        var found: (name: String, columns: [Identifier]) = (table, [])
        // 2 is a generated column that is not stored.
        let sql: SQL = """
            SELECT t.name, x.name FROM pragma_table_list(\(table)) AS t, pragma_table_xinfo(t.name, 'main') AS x
            WHERE t.schema = 'main' AND hidden != 2 ORDER BY x.cid
            """
        try forEachRowInternally(sql) { row in
            func text(_ column: Int32) -> String { sqlite3_column_text(row, column).map { String(cString: $0) } ?? "" }
            found.name = text(0)
            found.columns.append(Identifier(text(1)))
        }
        return found
    }

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

    private func forEachRowInternally(_ sql: SQL, _ body: (OpaquePointer) -> Void) throws {
        guard let handle else { throw closedError() }
        let text = sql.withLiterals.text
        let code = forEachRowInternally(text, on: handle, body)
        if code != SQLITE_OK { throw error(code, sql: text) }
    }
}
