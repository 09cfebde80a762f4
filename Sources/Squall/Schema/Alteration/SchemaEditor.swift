/// Changes the schema of a file, inside a transaction that somebody else has begun. Every statement that it runs is logged.
final class SchemaEditor {
    let connection: Connection
    let progress: ((SchemaProgress) throws -> Void)?
    private(set) var log: [SQL] = []

    /// What is being done, for `progress`.
    private(set) var version = 0
    var step = ""

    /// The tables that were renamed: new names to those that they had at first.
    private(set) var renamedTables: [String: String] = [:]

    /// Whether anything was done that triggers and views could be broken by.
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

    func run(_ sql: SQL) throws {
        log.append(sql.withLiterals)
        try connection.execute(sql)
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
        try run("ALTER TABLE \(name: table.name) RENAME TO \(name: newName)")
        renamedTables[newName.lowercased()] = originalName(ofTable: table.name)
        renamedTables[table.name.lowercased()] = nil
    }

    /// The name that a table had when the transaction began.
    func originalName(ofTable name: String) -> String {
        renamedTables[name.lowercased()] ?? name.lowercased()
    }

    /// A name that nothing in the file has.
    func freeName(_ base: String) throws -> String {
        var name = base
        var number = 2
        while try connection.query("SELECT EXISTS(SELECT 1 FROM sqlite_master WHERE name = \(name) COLLATE NOCASE)") {
            name = "\(base)_\(number)"
            number += 1
        }
        return name
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
        try run("PRAGMA foreign_keys = OFF")
        // Past all checks: a deadline that has ended the closure must not leave them off.
        defer { cleanUp("PRAGMA foreign_keys = ON") }
        return try body()
    }
}
