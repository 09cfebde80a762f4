/// Changes the schema of the database `main` in the transaction of the caller. Every statement is logged.
///
/// All names are qualified with `main`: without it SQLite prefers a TEMP table of the same name.
final class SchemaEditor {
    let connection: Connection
    let progress: ((SchemaProgress) throws -> Void)?
    private(set) var log: [SQL] = []

    /// The version and the step that run, for `progress`.
    private(set) var version = 0
    var step = ""

    /// The tables that were renamed: their names now, and those that they had when the transaction began.
    private(set) var renamedTables: [Identifier: Identifier] = [:]

    /// Whether a step has removed something that triggers and views may use.
    var hasRemoved = false

    init(_ connection: Connection, progress: ((SchemaProgress) throws -> Void)? = nil) {
        self.connection = connection
        self.progress = progress
    }

    func begin(_ version: Int) {
        self.version = version
        renamedTables = [:]
        hasRemoved = false
    }

    /// Runs one statement; a text with a second one is refused.
    func run(_ sql: SQL) throws {
        log.append(sql.withLiterals)
        try connection.runSingle(sql)
    }

    /// Creates an index or a trigger, by SQL of a step or of the file.
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
        try runPastBrokenObjects("ALTER TABLE main.\(name: table.name) RENAME TO \(name: newName)")
        renamedTables[Identifier(newName)] = originalName(ofTable: table.name)
        if !newName.isSameName(as: table.name) { renamedTables[Identifier(table.name)] = nil }
    }

    /// The name that a table had when the transaction began.
    func originalName(ofTable name: String) -> Identifier {
        renamedTables[Identifier(name)] ?? Identifier(name)
    }
}

extension Connection {
    /// Whether foreign keys are checked: `PRAGMA foreign_keys`.
    var hasForeignKeys: Bool {
        get throws { try query("PRAGMA foreign_keys") }
    }

    /// Runs a closure with foreign keys off, and puts them back as they were whatever happened.
    ///
    /// - Throws: What the closure throws; ``SchemaError/insideTransaction``, because there the pragma does nothing.
    func withoutForeignKeys<Result>(_ isNeeded: Bool = true, _ body: () throws -> Result) throws -> Result {
        guard !isInTransaction else { throw SchemaError.insideTransaction }
        guard try isNeeded && hasForeignKeys else { return try body() }
        // Past all checks: a deadline that has ended the closure must not leave them off. The PRAGMA takes effect when it is
        // prepared, so that also one that throws may have turned them off.
        defer { cleanUp("PRAGMA foreign_keys = ON") }
        try run("PRAGMA foreign_keys = OFF")
        return try body()
    }
}
