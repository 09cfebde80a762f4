// Defining tables and indexes by their names. SQLite allows no parameters in a definition: values that are interpolated
// into one are written as literals.

extension Connection {
    /// Creates a table: `CREATE TABLE "contacts"(id INTEGER PRIMARY KEY, name TEXT)`.
    ///
    ///     try connection.createTable(
    ///         "contacts",
    ///         ["id INTEGER PRIMARY KEY", "name TEXT", "age CHECK (age > \(least))"])
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - definitions: The columns and constraints.
    ///   - ifNotExists: Whether a table that already exists is left as it is, instead of throwing.
    ///   - strict: Whether SQLite refuses values that do not fit the type of their column (`STRICT`).
    ///   - withoutRowID: Whether the rows are stored by the primary key, without a rowid (`WITHOUT ROWID`).
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) when a definition is wrong, or the table already exists.
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
    /// - Parameters:
    ///   - name: The name of the index.
    ///   - table: The name of the table.
    ///   - columns: The names of the columns.
    ///   - unique: Whether two rows cannot have the same values in these columns.
    ///   - condition: The condition for the rows of a partial index; `nil` for all rows.
    ///   - ifNotExists: Whether an index that already exists is left as it is, instead of throwing.
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) when the table or a column does not exist, or the index already exists;
    ///   `SQLITE_CONSTRAINT` (19) when rows have the same values in a unique index.
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
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) when the table does not exist; `SQLITE_LOCKED` (6) while a statement reads
    ///   the database.
    public func dropTable(_ name: String, ifExists: Bool = false) throws {
        try run("DROP TABLE \(raw: ifExists ? "IF EXISTS " : "")\(name: name)")
    }

    /// Drops an index: `DROP INDEX "contacts_email"`.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) when the index does not exist; `SQLITE_LOCKED` (6) while a statement reads
    ///   the database.
    public func dropIndex(_ name: String, ifExists: Bool = false) throws {
        try run("DROP INDEX \(raw: ifExists ? "IF EXISTS " : "")\(name: name)")
    }

    /// Renames a table: `ALTER TABLE "contacts" RENAME TO "people"`.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) when the table does not exist, or the new name is in use.
    public func renameTable(_ name: String, to newName: String) throws {
        try run("ALTER TABLE \(name: name) RENAME TO \(name: newName)")
    }

    /// Adds a column: `ALTER TABLE "contacts" ADD COLUMN url TEXT`.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_ERROR` (1) when the table does not exist, the column already exists, or SQLite cannot
    ///   add it to existing rows.
    public func addColumn(_ definition: SQL, to table: String) throws {
        try run("ALTER TABLE \(name: table) ADD COLUMN \(definition.withLiterals)")
    }

    /// The application's own version number in the file: `PRAGMA user_version`; 0 in a new file. Change it with
    /// ``setUserVersion(_:)``.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_NOTADB` (26) when the file is not a database.
    public var userVersion: Int32 {
        get throws { try query("PRAGMA user_version") }
    }

    /// Sets the application's own version number in the file: `PRAGMA user_version = 3`.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_READONLY` (8) in a read and for a file that is opened read-only, `SQLITE_BUSY`
    ///   (5) when another connection is writing.
    public func setUserVersion(_ version: Int32) throws {
        // A pragma takes no parameters.
        try run("PRAGMA user_version = \(raw: "\(version)")")
    }
}
