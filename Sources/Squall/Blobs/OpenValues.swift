import SquallSQLite

/// The open values of a connection.
final class OpenValues: ConnectionFollower {
    let events: FollowedEvents = []
    private var values: [ObjectIdentifier: OpenValue] = [:]

    func insert(_ value: OpenValue) { values[ObjectIdentifier(value)] = value }

    func remove(_ value: OpenValue) { values[ObjectIdentifier(value)] = nil }

    /// SQLite's own statement of an open value must not be reset: its handle would use memory that is free.
    func willEndStatements() {
        for value in Array(values.values) { value.close() }
    }
}

extension Connection {
    var openValues: OpenValues {
        companion {
            let values = OpenValues()
            followers.insert(values)
            return values
        }
    }

    /// Makes the checks that a statement makes before it runs.
    ///
    /// - Returns: The handle.
    func willOpenValue(_ place: BlobPlace, _ mode: Blob.Mode) throws -> OpaquePointer {
        guard let handle else { throw closedError() }
        for name in [place.database, place.table, place.column] where name.utf8.contains(0) {
            throw SQLiteError.misuse(.nulCharacter(in: .identifier))
        }
        try checkTransaction(handle, sql: nil)
        if access.isRestricted {
            guard access == .reading, mode == .readOnly else {
                throw access == .reading
                    ? SQLiteError(.insideRead(.statement), code: .readOnly).insideReadError
                    : access.refusalError(of: .statement, sql: nil)
            }
            for follower in followers[.reads] {
                follower.willRead(
                    Identifier(place.column), of: TableName(Identifier(place.database), Identifier(place.table)))
            }
        }
        if mode == .readWrite {
            if callbacks.pointee.depth > 0 { try checkNoTableIsCopied(sql: nil) }
            try checkWritable(place, on: handle)
        }
        if interruption.isActive { try checkInterruption(sql: nil) }
        return handle
    }

    /// Throws for tables that SQL cannot write to. SQLite checks neither its own tables nor `defensive` for a BLOB.
    private func checkWritable(_ place: BlobPlace, on handle: OpaquePointer) throws {
        if sqlite3_strnicmp(place.table, "sqlite_", 7) == 0 { throw SQLiteError(.tableOfSQLite, at: place) }
        guard squall_option(handle, SQLITE_DBCONFIG_DEFENSIVE) != 0 else { return }
        // SQLite reports an unknown database when it opens the value.
        guard sqlite3_db_readonly(handle, place.database) >= 0 else { return }
        if try hiddenCatalog(of: place.database).listing(ofTable: place.table)?.kind == .shadow {
            throw SQLiteError(.shadowTable, at: place)
        }
    }

    /// Whether a table has generated columns. Before it refused them, SQLite opened another column in their place.
    func hasGeneratedColumns(_ place: BlobPlace) throws -> Bool {
        try hiddenCatalog(of: place.database).columns(ofTable: place.table).contains(where: \.isGenerated)
    }

    /// Whether a trigger keeps a search table or an R*Tree in step with the column.
    func hasIndexTrigger(_ place: BlobPlace) throws -> Bool {
        let catalog = try hiddenCatalog(of: place.database)
        let triggers = try catalog.entries(.trigger, ofTable: place.table, by: .creation)
        if triggers.isEmpty { return false }
        let indexes = try Set(
            catalog.virtualTables().filter { IndexTrigger.isIndex($0.sql ?? "") }.map { Identifier($0.name) })
        return triggers.contains {
            IndexTrigger.derives($0.sql ?? "", from: Identifier(place.column), indexes: indexes)
        }
    }
}
