/// A change of a database, by one or more commits: see ``Database/changes(in:)``.
public struct DatabaseChange: Sendable {
    private let changes: CommitChanges
    private let region: Region

    init(_ changes: CommitChanges, in region: Region) {
        self.changes = changes
        self.region = region
    }

    /// The followed tables that have changed, or, if anything may have changed, all of them: their names as they were given to
    /// ``DatabaseRegion/table(_:columns:database:)``. The name of a table of an attached database
    /// includes that of the database: `archive.cars`.
    public var tables: Set<String> {
        let changed = region.tables.filter { name, table in
            changes.isEverything || changes.tables[name]?.concerns(table) == true
        }
        return Set(changed.keys.map(\.fullName))
    }

    /// Returns the rowids of the rows of a table that were inserted, updated or deleted. A row whose rowid was changed has both.
    ///
    /// - Returns: The rowids; none for a table that has not changed. `nil` if they are not known: after a change of the schema or by
    ///   another connection, for a table `WITHOUT ROWID`, for more than 10,000 rows, and where SQLite was built without the
    ///   pre-update hook.
    public func rowIDs(_ table: String) -> Set<Int64>? {
        guard let (name, region) = region.tables.first(where: { $0.key.isNamed(table) }) else { return [] }
        if changes.isEverything || !region.hasRowIDs { return nil }
        return changes.tables[name].map(\.rowIDs) ?? []
    }

    /// Whether another connection or process may have changed the file. Nothing else is known of its changes.
    public var isExternal: Bool { changes.isExternal }
}

extension TableName {
    fileprivate var fullName: String {
        database == "main" ? table.spelling : "\(database.spelling).\(table.spelling)"
    }

    fileprivate func isNamed(_ name: String) -> Bool { Identifier(fullName) == Identifier(name) }
}
