// Defining tables and indexes by their names. SQLite allows no parameters in a definition: values that are interpolated
// into one are written as literals.

extension Connection {
    /// Creates a table: `CREATE TABLE "contacts"(id INTEGER PRIMARY KEY, name TEXT)`.
    ///
    ///     try connection.createTable("contacts", ["id INTEGER PRIMARY KEY", "name TEXT", "age CHECK (age > \(least))"])
    ///
    /// - Parameter definitions: The columns and constraints.
    /// - Throws: ``SQLiteError``.
    public func createTable(
        _ name: String, _ definitions: [SQL], ifNotExists: Bool = false, strict: Bool = false,
        withoutRowID: Bool = false
    ) throws {
        let guarded: SQL = ifNotExists ? "IF NOT EXISTS " : ""
        let options: SQL =
            switch (strict, withoutRowID) {
            case (true, true): " STRICT, WITHOUT ROWID"
            case (true, false): " STRICT"
            case (false, true): " WITHOUT ROWID"
            case (false, false): ""
            }
        let list = definitions.map(\.withLiterals).joined(separator: ", ")
        try run("CREATE TABLE \(guarded)\(name: name)(\(list))\(options)")
    }

    /// Creates an index: `CREATE UNIQUE INDEX "contacts_email" ON "contacts"("email") WHERE …`.
    ///
    ///     try connection.createIndex("contacts_email", on: "contacts", "email", unique: true)
    ///
    /// - Parameter condition: Which rows a partial index has.
    /// - Throws: ``SQLiteError``.
    public func createIndex(
        _ name: String, on table: String, _ columns: String..., unique: Bool = false, where condition: SQL? = nil,
        ifNotExists: Bool = false
    ) throws {
        let kind: SQL = unique ? "UNIQUE INDEX" : "INDEX"
        let guarded: SQL = ifNotExists ? "IF NOT EXISTS " : ""
        let rows = SQL.clause(" WHERE ", condition?.withLiterals)
        try run("CREATE \(kind) \(guarded)\(name: name) ON \(name: table)(\(names: columns))\(rows)")
    }

    /// Drops a table with its indexes and triggers: `DROP TABLE "contacts"`.
    ///
    /// - Throws: ``SQLiteError``.
    public func dropTable(_ name: String, ifExists: Bool = false) throws {
        try run("DROP TABLE \(raw: ifExists ? "IF EXISTS " : "")\(name: name)")
    }

    /// Drops an index: `DROP INDEX "contacts_email"`.
    ///
    /// - Throws: ``SQLiteError``.
    public func dropIndex(_ name: String, ifExists: Bool = false) throws {
        try run("DROP INDEX \(raw: ifExists ? "IF EXISTS " : "")\(name: name)")
    }

    /// Renames a table: `ALTER TABLE "contacts" RENAME TO "people"`.
    ///
    /// - Throws: ``SQLiteError``.
    public func renameTable(_ name: String, to newName: String) throws {
        try run("ALTER TABLE \(name: name) RENAME TO \(name: newName)")
    }

    /// Adds a column: `ALTER TABLE "contacts" ADD COLUMN url TEXT`.
    ///
    /// - Throws: ``SQLiteError``.
    public func addColumn(_ definition: SQL, to table: String) throws {
        try run("ALTER TABLE \(name: table) ADD COLUMN \(definition.withLiterals)")
    }

    /// The application's own version number in the file: `PRAGMA user_version`; 0 in a new file.
    public var userVersion: Int32 {
        get throws { try query("PRAGMA user_version") }
    }

    /// Sets the application's own version number in the file: `PRAGMA user_version = 3`.
    ///
    /// - Throws: ``SQLiteError``.
    public func setUserVersion(_ version: Int32) throws {
        // A pragma takes no parameters.
        try run("PRAGMA user_version = \(raw: "\(version)")")
    }
}
