/// Changes the schema of the database `main` in the caller's transaction. Every statement is logged.
///
/// All names are qualified with `main`, because SQLite otherwise prefers a TEMP table of the same name.
package final class SchemaEditor {
    package let connection: Connection
    let progress: ((SchemaProgress) throws -> Void)?
    package private(set) var log: [SQL] = []

    /// The current version and step, which `progress` reports.
    private(set) var version = 0
    var step = ""

    /// The renamed tables: the original name for each current name.
    private(set) var renamedTables: [Identifier: Identifier] = [:]

    /// Whether a step has removed an object that triggers and views may use.
    package var hasRemoved = false

    /// The search tables that have lost their triggers with a dropped table.
    var disconnected: [FullTextTable] = []

    package init(_ connection: Connection, progress: ((SchemaProgress) throws -> Void)? = nil) {
        self.connection = connection
        self.progress = progress
    }

    /// Makes an editor of another copy of the database, in the middle of a version.
    package init(_ connection: Connection, continuing other: SchemaEditor) {
        self.connection = connection
        progress = other.progress
        version = other.version
        renamedTables = other.renamedTables
        hasRemoved = other.hasRemoved
        disconnected = other.disconnected
    }

    package func begin(_ version: Int) {
        self.version = version
        renamedTables = [:]
        hasRemoved = false
        disconnected = []
    }

    /// Runs one statement. Refuses a text with a second one.
    package func run(_ sql: SQL) throws {
        log.append(sql.withLiterals)
        try connection.runSingle(sql)
    }

    /// Creates an index or a trigger from the SQL of a step or of the file.
    func create(_ name: String, by sql: SQL, in schema: String = "main") throws {
        try run(sql.created(in: schema, named: name))
    }

    func add(toLog sql: SQL) {
        log.append(sql)
    }

    func note(_ comment: String) {
        add(toLog: SQL(raw: "-- \(comment.replacing("\n", with: " "))"))
    }

    func forgetLog(from length: Int) {
        log.removeSubrange(length...)
    }

    func report(copied: Int = 0, of all: Int = 0) throws {
        try progress?(SchemaProgress(version: version, step: step, copiedRows: copied, allRows: all))
    }

    func table(_ name: String) throws -> TableDefinition {
        guard let table = try connection.tableInfo(name) else { throw SchemaError.notFound("table \"\(name)\"") }
        return table
    }

    func renameTable(_ name: String, to newName: String) throws {
        let table = try table(name)
        try checkRenaming(table.name)
        let fullTextTables = try fullTextTables(renaming: table.name)
        var oldName = table.name
        if newName.isSameName(as: oldName), newName != oldName {
            // SQLite takes the other spelling for another table of the same name.
            let temporaryName = "squall_renamed_\(oldName)"
            try runPastBrokenObjects("ALTER TABLE main.\(name: oldName) RENAME TO \(name: temporaryName)")
            oldName = temporaryName
        }
        try runPastBrokenObjects("ALTER TABLE main.\(name: oldName) RENAME TO \(name: newName)")
        try move(fullTextTables, to: newName)
        renamedTables[Identifier(newName)] = originalName(ofTable: table.name)
        if !newName.isSameName(as: table.name) { renamedTables[Identifier(table.name)] = nil }
    }

    /// Returns the name that a table had when the transaction began.
    func originalName(ofTable name: String) -> Identifier {
        renamedTables[Identifier(name)] ?? Identifier(name)
    }
}
