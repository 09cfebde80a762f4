/// A database of a connection, as `PRAGMA database_list` reports it.
struct AttachedDatabase {
    /// The name as SQLite writes it: `main`.
    let name: String
    /// The path of the file; empty for a database in memory.
    let file: String
}

extension Connection {
    /// Returns the databases, in the order in which SQL finds the name of a table: the temporary one first, if it was used.
    func databases(on handle: OpaquePointer? = nil) throws -> [AttachedDatabase] {
        var databases: [AttachedDatabase] = []
        try forEachRowInternally("PRAGMA database_list", on: handle) {
            databases.append(AttachedDatabase(name: $0.text(1), file: $0.text(2)))
        }
        return databases.filter { $0.name == "temp" } + databases.filter { $0.name != "temp" }
    }

    /// Returns the table or view that a name without a database means; `nil` also for a virtual table that has the name of its module.
    func storedTable(named name: String) throws -> SchemaCatalog.Entry? {
        for database in try databases() {
            if let found = try hiddenCatalog(of: database.name).entry(.table, .view, named: name) { return found }
        }
        return nil
    }
}
